//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// The tray reports a server that another program adds to the file, and one that it changes.
func TestAnotherProgramAddsAServer(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	icon.shows(t, []string{"○ filesystem   Not started"})
	eventually(t, func() error {
		_, err := os.Stat(filepath.Join(s.folder, ".local", "state", "workbench", "approvals.json"))
		return err
	})
	s.write(t, `{"toolboxes": {"dev": {"mcpServers": {"filesystem": {"command": "sh"}, "evil": {"command": "sh", "args": ["-c", "sleep 60"]}}}}}`)
	icon.shows(t, []string{"▲ 2 servers were changed by another program: 2 problems"}, "○ evil   Not started", "○ filesystem   Not started")
	icon.click(t, "Quit", program.hasEnded)
	program.endsWell(t)
}

// middle returns the middle of the pixels of a colour in a part of the window. It waits until there are at least atLeast of them.
func (s *session) middle(t *testing.T, part image.Rectangle, color uint32, atLeast int) image.Point {
	t.Helper()
	var xs, ys []int
	eventually(t, func() error {
		img := s.screen()
		left, top, _, _ := s.geometry(t)
		xs, ys = nil, nil
		for y := part.Min.Y + top; y < part.Max.Y+top; y++ {
			for x := part.Min.X + left; x < part.Max.X+left; x++ {
				if r, g, b, _ := img.At(x, y).RGBA(); r>>8<<16|g>>8<<8|b>>8 == color {
					xs, ys = append(xs, x), append(ys, y)
				}
			}
		}
		if len(xs) < atLeast {
			return fmt.Errorf("the display has %d pixels of %06X, not %d", len(xs), color, atLeast)
		}
		return nil
	})
	slices.Sort(xs)
	slices.Sort(ys)
	return image.Pt(xs[len(xs)/2], ys[len(ys)/2])
}

// watched is a session with the program in the tray, and an AI app that has the toolbox dev open with the server "memory" in it.
type watched struct {
	*session
	program *process
	icon    *icon
	bell    *bell
	client  *engine
	ran     string                          // the file to which every server writes its argument when it starts
	with    func(arg string) map[string]any // returns the entry of such a server
}

func newWatched(t *testing.T, arg string) *watched {
	t.Helper()
	s := newSession(t, "{}")
	entry, ran := s.logged(t)
	w := &watched{session: s, ran: ran, with: func(arg string) map[string]any {
		return map[string]any{"command": entry["command"], "args": []string{arg}, "env": entry["env"]}
	}}
	s.write(t, configured(map[string]any{"memory": w.with(arg)}))
	p := newPanel(t, s)
	w.bell = newBell(t, s)
	w.program = s.run(t, "--hidden")
	w.icon = p.icon(t)
	eventually(t, func() error {
		_, err := os.Stat(filepath.Join(s.folder, ".local", "state", "workbench", "approvals.json"))
		return err
	})
	w.client = s.newEngine(t)
	w.client.open(t, "dev")
	eventually(t, func() error { return differs(runs(t, ran), arg) })
	return w
}

// Another program adds a server while an AI app has its toolbox open and the window is in the tray. A click on the notification shows the question
// and starts nothing; Approve, clicked with the mouse, starts the server. Then the other program changes it, and the keyboard is used to put the old
// one back.
func TestQuestionFromTheNotification(t *testing.T) {
	s := newWatched(t, "memory")
	memory, added := s.with("memory"), s.with("first")
	s.write(t, configured(map[string]any{"memory": memory, "added": added}))
	s.bell.expect(t, "“added” was changed by another program\ndev › added: ")
	if acts := s.bell.acts.Load().([]string); !slices.Equal(acts, []string{"default", "Open Workbench", "look", "Look at it…"}) {
		t.Errorf("the notification can be answered by %q", acts)
	}
	s.client.open(t, "dev")                          // this tries to start the new one, too
	s.bell.click(t, s.bell.last.Load()+7, "default") // not one of our notifications
	if err := s.hasNoWindow(); err != nil {
		t.Error(err)
	}
	s.bell.click(t, s.bell.last.Load(), "default")
	eventually(t, s.hasWindow)
	foot := image.Rect(500, 440, 930, 620) // the buttons of the question; nothing else there has the colour
	approve := s.middle(t, foot, colorAccent, 1000)
	s.picture(t, "approving-added")
	if err := differs(runs(t, s.ran), "memory"); err != nil {
		t.Fatal(err)
	}
	d := s.session.display
	d.click(approve)
	eventually(t, func() error { return differs(runs(t, s.ran), "memory", "first") })
	eventually(t, s.icon.says("● added   Connected"))
	before := s.read(t)

	s.write(t, configured(map[string]any{"memory": memory, "added": s.with("second")}))
	s.bell.expect(t, "“added” was changed by another program\n")
	s.bell.click(t, s.bell.last.Load(), "look")
	s.middle(t, foot, colorAccent, 1000)
	s.picture(t, "approving-changed")
	k := &keyboard{d}
	s.keys(t, "Tab") // from Later to the button that puts the old one back
	k.press("Return")
	eventually(t, holds(s.config, `"second"`, false))
	if now := s.read(t); !sameJSON(t, now, before) {
		t.Errorf("the file is\n%s\nbut was\n%s", now, before)
	}
	s.icon.shows(t, nil, "▲ “added” was changed by another program: 1 problem")
	if err := differs(runs(t, s.ran), "memory", "first"); err != nil {
		t.Error(err)
	}
	s.icon.click(t, "Quit", s.program.hasEnded)
	s.program.endsWell(t)
}

// In the real window, in the tray: another program changes an argument, which the notification shows whole, and its button approves it. No window comes.
// What has changed again is another notification, and the one before goes, as does one that was answered elsewhere. A click by another program approves
// nothing.
func TestApprovedInTheNotification(t *testing.T) {
	s := newWatched(t, "server@1.0.0")
	version := func(number string) {
		s.write(t, configured(map[string]any{"memory": s.with("server@" + number)}))
	}
	const title = "“memory” was changed by another program"
	version("1.1.0")
	if got := s.bell.expect(t, title+"\n"); !strings.HasPrefix(got, title+"\nargs[0]: \"server@1.0.0\" → \"server@1.1.0\"\ndev › memory: ") {
		t.Errorf("the notification says\n%s", got)
	}
	first := s.bell.last.Load()
	version("1.2.0")
	s.bell.expect(t, title+"\nargs[0]: \"server@1.0.0\" → \"server@1.2.0\"\n")
	if gone := <-s.bell.gone; gone != first {
		t.Errorf("notification %d is closed, not %d", gone, first)
	}

	other, err := dbus.Connect(s.bus)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	approve := s.bell.action(t, "Approve")
	time.Sleep(1100 * time.Millisecond) // in its first second it takes no approval
	if err := other.Emit("/org/freedesktop/Notifications", notificationsName+".ActionInvoked", s.bell.last.Load(), approve); err != nil {
		t.Fatal(err)
	}
	s.bell.click(t, s.bell.last.Load()+7, "default") // is heard after it
	s.icon.shows(t, []string{"▲ " + title + ": 1 problem"})
	s.bell.click(t, s.bell.last.Load(), approve)
	s.icon.shows(t, nil, "▲ "+title+": 1 problem")
	s.client.open(t, "dev")
	eventually(t, func() error { return differs(runs(t, s.ran), "server@1.0.0", "server@1.2.0") })

	version("1.3.0")
	s.bell.expect(t, title+"\nargs[0]: \"server@1.2.0\" → \"server@1.3.0\"\n")
	version("1.2.0") // as if somebody had put it back
	if gone := <-s.bell.gone; gone != s.bell.last.Load() {
		t.Errorf("notification %d is closed, not %d", gone, s.bell.last.Load())
	}
	if err := s.hasNoWindow(); err != nil {
		t.Error(err)
	}
	s.icon.click(t, "Quit", s.program.hasEnded)
	s.program.endsWell(t)
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
