//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// A drag from another program uses XDND, the protocol of X11 programs:
// https://freedesktop.org/wiki/Specifications/XDND.

// dragged is what another program drags, by type.
type dragged map[string]string

// drag drags something to a place of the display, and drops it if the window there accepts it. It returns whether it
// does.
func (d *screen) drag(s *session, what dragged, at image.Point) (taken bool) {
	d.t.Helper()
	number, err := strconv.ParseUint(s.window(), 10, 32)
	if err != nil {
		d.t.Fatal(err)
	}
	target := xproto.Window(number)
	source, err := xproto.NewWindowId(d.conn)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := xproto.CreateWindowChecked(d.conn, 0, source, d.root, -10, -10, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0,
		nil).Check(); err != nil {
		d.t.Fatal(err)
	}
	defer xproto.DestroyWindow(d.conn, source)
	xproto.SetSelectionOwner(d.conn, source, d.atom("XdndSelection"), xproto.TimeCurrentTime)
	aware, err := xproto.GetProperty(d.conn, false, target, d.atom("XdndAware"), xproto.AtomAtom, 0, 1).Reply()
	if err != nil || aware.ValueLen != 1 {
		d.t.Fatalf("the window does not support XDND: %+v, %v", aware, err)
	}

	send := func(kind string, data ...uint32) {
		message := xproto.ClientMessageEvent{Format: 32, Window: target, Type: d.atom(kind),
			Data: xproto.ClientMessageDataUnionData32New(
				append([]uint32{uint32(source)}, append(data, make([]uint32, 4-len(data))...)...))}
		if err := xproto.SendEventChecked(d.conn, false, target, 0, string(message.Bytes())).Check(); err != nil {
			d.t.Fatal(err)
		}
	}
	var types []uint32
	for kind := range what {
		types = append(types, uint32(d.atom(kind)))
	}
	send("XdndEnter", append([]uint32{5 << 24}, types...)...)
	send("XdndPosition", 0, uint32(at.X)<<16|uint32(at.Y), 0, uint32(d.atom("XdndActionCopy")))
	if d.awaits("XdndStatus", what)[1]&1 == 0 {
		send("XdndLeave")
		return false
	}
	send("XdndDrop", 0, 0)
	d.awaits("XdndFinished", what)
	return true
}

// awaits waits for a message of the target window, and sends the data when the window asks for it.
func (d *screen) awaits(kind string, what dragged) []uint32 {
	d.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		event, problem := d.conn.PollForEvent()
		if problem != nil {
			d.t.Fatal(problem)
		}
		switch event := event.(type) {
		case xproto.ClientMessageEvent:
			if event.Type == d.atom(kind) {
				return event.Data.Data32
			}
		case xproto.SelectionRequestEvent:
			for name, text := range what {
				if d.atom(name) == event.Target {
					xproto.ChangeProperty(d.conn, xproto.PropModeReplace, event.Requestor, event.Property, event.Target, 8,
						uint32(len(text)), []byte(text))
				}
			}
			answer := xproto.SelectionNotifyEvent{Time: event.Time, Requestor: event.Requestor, Selection: event.Selection,
				Target: event.Target, Property: event.Property}
			xproto.SendEvent(d.conn, false, event.Requestor, 0, string(answer.Bytes()))
		}
	}
	d.t.Fatalf("the window does not send %s", kind)
	return nil
}

func (d *screen) atom(name string) xproto.Atom {
	d.t.Helper()
	reply, err := xproto.InternAtom(d.conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		d.t.Fatal(err)
	}
	return reply.Atom
}

// files returns a file as file managers drag it.
func files(path string) dragged {
	return dragged{"text/uri-list": (&url.URL{Scheme: "file", Path: path}).String() + "\r\n", "text/plain": path}
}

// Other programs drag a file with servers, a link and a text into the window. GLFW windows do not accept text; it can
// be pasted at the same place.
func TestDraggedFromOutside(t *testing.T) {
	needs(t, "xsel")
	s := newSession(t, configured(map[string]any{"first": fake(fakeserver.Script{})}))
	p := newPanel(t, s)
	s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	x, y, _, _ := s.geometry(t)
	card := image.Pt(x+740, y+160) // the card of the server
	row := image.Pt(x+240, y+162)  // the row of the server
	d := s.display

	entry, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"memory": fake(fakeserver.Script{})}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.folder, "what I was sent (1).json")
	if err := os.WriteFile(path, entry, 0o600); err != nil {
		t.Fatal(err)
	}
	added := func(text string) func() error {
		return func() error {
			if !strings.Contains(s.read(t), text) {
				return fmt.Errorf("the file does not have %s", text)
			}
			return nil
		}
	}
	// confirm adds what the sheet shows. Keys may get lost, so it is repeated.
	confirm := func(text string, drop func()) {
		t.Helper()
		eventually(t, func() error {
			if added(text)() == nil {
				return nil
			}
			d.key("Escape")
			d.key("Escape")
			d.key("ctrl+1")
			drop()
			time.Sleep(700 * time.Millisecond)
			s.picture(t, "dropped")
			s.press(t, "ctrl+Return")
			time.Sleep(300 * time.Millisecond)
			s.press(t, "Return")
			return soon(added(text))
		})
		d.key("Escape")
	}
	confirm(`"memory"`, func() {
		if !d.drag(s, files(path), card) {
			t.Fatal("the window does not accept a file")
		}
	})
	eventually(t, icon.says("● memory   1 tool"))

	confirm(`"https://tools.example.com/mcp"`, func() {
		if !d.drag(s, dragged{"text/uri-list": "https://tools.example.com/mcp\r\n",
			"text/plain": "https://tools.example.com/mcp"}, row) {
			t.Fatal("the window does not accept a link")
		}
	})

	pasted := strings.Replace(string(entry), "memory", "notes", 1)
	if d.drag(s, dragged{"text/plain": pasted, "text/plain;charset=utf-8": pasted, "UTF8_STRING": pasted}, card) {
		t.Error("the window accepts text now, so it can be used for dropped text")
	}
	s.clipboard(t, pasted)
	confirm(`"notes"`, func() { s.press(t, "ctrl+v") })

	// A file that cannot be read is reported, and nothing else happens.
	before := s.read(t)
	if !d.drag(s, files(path+".not-there"), card) {
		t.Error("the window does not accept a file")
	}
	eventually(t, func() error {
		if d.counts(image.Rect(x, y, x+1100, y+720), 0xF5F6F8) > 200_000 { // a dialog dims the window
			return errors.New("the error about the missing file is not shown")
		}
		return nil
	})
	if s.read(t) != before {
		t.Error("the configuration was changed")
	}
}
