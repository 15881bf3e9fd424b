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

// drags drags with the left button, slowly like a hand, and holds still for a while before it releases the button. The
// window draws itself meanwhile.
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

// serversIn returns an error unless a toolbox in the file has exactly these servers.
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

// A server is dragged from the list to "Drop a server here" of the toolbox that is shown, and moves there.
func TestDragFromTheListToThePage(t *testing.T) {
	s := newSession(t, configuredAs(map[string]map[string]any{
		"dev":  {"files": fake(fakeserver.Script{}), "memory": fake(fakeserver.Script{})},
		"home": {"notes": fake(fakeserver.Script{})},
	}))
	program := s.run(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	x, y, _, _ := s.geometry(t)
	d := s.display
	k := &keyboard{d}
	row := func(i int) image.Point { return image.Pt(x+200, y+128+34*i) }
	d.click(row(3)) // home
	k.rest()
	// the hold is longer than the pause until the window next checks all servers
	d.drags(row(1), image.Pt(x+700, y+270), 2500*time.Millisecond)
	s.picture(t, "dragged")
	eventually(t, s.serversIn("home", "notes", "files"))
	eventually(t, s.serversIn("dev", "memory"))
	k.press("ctrl+q")
	program.endsWell(t)
}

// "Start all" and "Stop all" are in the menu of a toolbox. "Stop all" first says which apps use some of the servers.
// Esc cancels.
func TestStartAllAndStopAll(t *testing.T) {
	s := newSession(t, configured(
		map[string]any{"files": fake(fakeserver.Script{}), "memory": fake(fakeserver.Script{})}))
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	x, y, _, _ := s.geometry(t)
	d := s.display
	k := &keyboard{d}
	choose := func(keys ...string) {
		d.click(image.Pt(x+1059, y+33))
		k.rest()
		k.press(append(keys, "Return")...)
		k.rest()
	}
	startAll, stopAll := []string{"Down", "Down", "Down"}, []string{"Down", "Down", "Down", "Down"}
	k.rest()
	choose(startAll...)
	eventually(t, icon.says("● files   1 tool"))
	eventually(t, icon.says("● memory   1 tool"))
	choose(stopAll...) // no app uses them
	eventually(t, icon.says("○ files   Stopped"))
	eventually(t, icon.says("○ memory   Stopped"))

	client := s.newEngine(t)
	client.open(t, "dev")
	eventually(t, icon.says("● files   1 tool"))
	eventually(t, icon.says("● memory   1 tool"))
	choose(stopAll...)
	s.picture(t, "stop-all")
	k.press("Escape")
	k.rest()
	if servers := client.servers(t); len(servers) != 2 {
		t.Errorf("after Esc, %d servers run", len(servers))
	}
	choose(stopAll...)
	k.press("shift+Tab", "Return")
	eventually(t, icon.says("○ files   Stopped"))
	eventually(t, icon.says("○ memory   Stopped"))
	k.press("ctrl+q")
	program.endsWell(t)
}

// The Tab key stops once at each card, and the arrow keys lead to its buttons. The focus stays in place during a long
// wait, as when another program is in front.
func TestTabStopsOfCards(t *testing.T) {
	s := newSession(t, configured(
		map[string]any{"files": fake(fakeserver.Script{}), "memory": fake(fakeserver.Script{}),
			"notes": fake(fakeserver.Script{})}))
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	s.keys(t, "Escape") // gives the window the keyboard
	k := &keyboard{s.display}
	k.press("ctrl+f", "Tab", "Tab", "Tab") // past the two buttons into the list
	k.tabs(headStops + 2)                  // to the second card
	k.press("Right")
	k.rest()
	s.picture(t, "card-button")
	k.press("Return") // Start
	eventually(t, icon.says("● memory   1 tool"))
	if err := icon.says("○ files   Not started")(); err != nil {
		t.Error(err)
	}
	k.press("Tab", "Right", "Return") // the next card
	eventually(t, icon.says("● notes   1 tool"))
	k.press("ctrl+q")
	program.endsWell(t)
}

// headStops is how often Tab must be pressed to get from the list past what is above the cards.
const headStops = 5
