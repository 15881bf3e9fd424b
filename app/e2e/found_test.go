//go:build linux

package e2e

import (
	"fmt"
	"image"
	"os"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// drags drags something within the window with the left button, slowly as a hand does, and holds it for a moment before it lets go: the
// window draws itself anew meanwhile.
func (d *screen) drags(from, to image.Point, hold time.Duration) {
	d.move(from)
	d.input(xproto.ButtonPress, 1, 0, 0)
	for i := 1; i <= 10; i++ {
		d.move(from.Add(to.Sub(from).Mul(i).Div(10)))
		time.Sleep(30 * time.Millisecond)
	}
	time.Sleep(hold)
	d.input(xproto.ButtonRelease, 1, 0, 0)
}

// serversIn tells whether a toolbox of the file has just these servers.
func (s *session) serversIn(toolbox string, want ...string) func() error {
	return func() error {
		text, err := os.ReadFile(s.config)
		if err != nil {
			return err
		}
		var names []string
		if box, ok := config.Parse(s.config, text).Config.Toolbox(toolbox); ok {
			for _, server := range box.Servers {
				names = append(names, server.Name)
			}
		}
		if fmt.Sprint(names) != fmt.Sprint(want) {
			return fmt.Errorf("%s has %q, not %q", toolbox, names, want)
		}
		return nil
	}
}

// A server is dragged from the list onto "Drop a server here" of the toolbox that is shown, and is there then.
func TestDragFromTheListToThePage(t *testing.T) {
	s := newSession(t, configuredAs(map[string]map[string]any{
		"dev":  {"files": fake(fakeserver.Script{}), "memory": fake(fakeserver.Script{})},
		"home": {"notes": fake(fakeserver.Script{})},
	}))
	program := s.run(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	x, y, _, _ := s.geometry(t)
	d := newScreen(t, s)
	k := &keyboard{d}
	row := func(i int) image.Point { return image.Pt(x+200, y+128+34*i) }
	d.click(row(3)) // home
	k.rest()
	d.drags(row(1), image.Pt(x+700, y+270), 2500*time.Millisecond) // longer than the window needs for its next look at all servers
	s.picture(t, "dragged")
	eventually(t, s.serversIn("home", "notes", "files"))
	eventually(t, s.serversIn("dev", "memory"))
	k.press("ctrl+q")
	program.endsWell(t)
}
