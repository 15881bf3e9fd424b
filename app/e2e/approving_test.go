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
	icon.shows(t, []string{"▲ 2 servers wait for your approval: 2 problems"}, "○ evil   Not started",
		"○ filesystem   Not started")
	icon.click(t, "Quit", program.hasEnded)
	program.endsWell(t)
}

// middle returns the middle of the pixels of a colour in a part of the window. It waits until there are at least
// atLeast of them.
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

// watched is a session with the program in the tray, and an AI app that has the toolbox dev open with the server
// "memory" in it.
type watched struct {
	*session
	program       *process
	icon          *icon
	notifications *notificationServer
	client        *engine
	ran           string                          // the file to which every server writes its argument when it starts
	with          func(arg string) map[string]any // returns the entry of such a server
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
	w.notifications = newNotificationServer(t, s)
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

// Another program adds a server while an AI app has its toolbox open and the window is in the tray. A click on the
// notification shows the question and starts nothing. A click on Approve starts the server. Then the other program
// changes the server, and the old entry is restored with the keyboard.
func TestQuestionFromTheNotification(t *testing.T) {
	s := newWatched(t, "memory")
	memory, added := s.with("memory"), s.with("first")
	s.write(t, configured(map[string]any{"memory": memory, "added": added}))
	s.notifications.expect(t, "“added” waits for your approval\ndev › added: ")
	if acts := s.notifications.actions.Load().([]string); !slices.Equal(acts,
		[]string{"default", "Open Workbench", "look", "Review…"}) {
		t.Errorf("the actions of the notification are %q", acts)
	}
	s.client.open(t, "dev")                                            // this also tries to start the added server
	s.notifications.click(t, s.notifications.last.Load()+7, "default") // not one of our notifications
	if err := s.hasNoWindow(); err != nil {
		t.Error(err)
	}
	s.notifications.click(t, s.notifications.last.Load(), "default")
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
	eventually(t, s.icon.says("● added   1 tool"))
	before := s.read(t)

	s.write(t, configured(map[string]any{"memory": memory, "added": s.with("second")}))
	s.notifications.expect(t, "“added” waits for your approval\n")
	s.notifications.click(t, s.notifications.last.Load(), "look")
	s.middle(t, foot, colorAccent, 1000)
	s.picture(t, "approving-changed")
	k := &keyboard{d}
	s.keys(t, "Tab") // from Later to the button that restores the old entry
	k.press("Return")
	eventually(t, holds(s.config, `"second"`, false))
	if now := s.read(t); !sameJSON(t, now, before) {
		t.Errorf("the file is\n%s\nbut was\n%s", now, before)
	}
	s.icon.shows(t, nil, "▲ “added” waits for your approval: 1 problem")
	if err := differs(runs(t, s.ran), "memory", "first"); err != nil {
		t.Error(err)
	}
	s.icon.click(t, "Quit", s.program.hasEnded)
	s.program.endsWell(t)
}

// While the window is in the tray, another program changes an argument. The notification shows the whole change, and
// its button approves it without opening the window. A further change makes another notification and closes the one
// before. A notification is also closed when its change no longer waits. A click that another program claims approves
// nothing.
func TestApprovedInTheNotification(t *testing.T) {
	s := newWatched(t, "server@1.0.0")
	version := func(number string) {
		s.write(t, configured(map[string]any{"memory": s.with("server@" + number)}))
	}
	const title = "“memory” waits for your approval"
	version("1.1.0")
	if got := s.notifications.expect(t, title+"\n"); !strings.HasPrefix(got,
		title+"\nargs[0]: \"server@1.0.0\" → \"server@1.1.0\"\ndev › memory: ") {
		t.Errorf("the notification says\n%s", got)
	}
	first := s.notifications.last.Load()
	version("1.2.0")
	s.notifications.expect(t, title+"\nargs[0]: \"server@1.0.0\" → \"server@1.2.0\"\n")
	if gone := <-s.notifications.closed; gone != first {
		t.Errorf("notification %d is closed, not %d", gone, first)
	}

	other, err := dbus.Connect(s.bus)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	approve := s.notifications.action(t, "Approve")
	// In its first second, a notification accepts no approval. That begins when the program has the answer of the
	// notification service, which may take a while on a busy machine.
	time.Sleep(4 * time.Second)
	if err := other.Emit("/org/freedesktop/Notifications", notificationsName+".ActionInvoked",
		s.notifications.last.Load(), approve); err != nil {
		t.Fatal(err)
	}
	// the program receives this after the signal of the other program
	s.notifications.click(t, s.notifications.last.Load()+7, "default")
	s.icon.shows(t, []string{"▲ " + title + ": 1 problem"})
	s.notifications.click(t, s.notifications.last.Load(), approve)
	s.icon.shows(t, nil, "▲ "+title+": 1 problem")
	s.client.open(t, "dev")
	eventually(t, func() error { return differs(runs(t, s.ran), "server@1.0.0", "server@1.2.0") })

	version("1.3.0")
	s.notifications.expect(t, title+"\nargs[0]: \"server@1.2.0\" → \"server@1.3.0\"\n")
	version("1.2.0") // as if somebody had restored it
	if gone := <-s.notifications.closed; gone != s.notifications.last.Load() {
		t.Errorf("notification %d is closed, not %d", gone, s.notifications.last.Load())
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
