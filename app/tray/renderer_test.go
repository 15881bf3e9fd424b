package tray

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// paper is a tray that writes down what is drawn.
type paper struct{ drawn []string }

func (p *paper) Icon(icon Icon)      { p.drawn = append(p.drawn, fmt.Sprint("icon ", icon)) }
func (p *paper) Menu(items []Item)   { p.drawn = append(p.drawn, "menu "+items[3].Label) }
func (p *paper) Change(items []Item) { p.drawn = append(p.drawn, "change "+items[3].Label) }
func (p *paper) Close()              { p.drawn = append(p.drawn, "gone") }

// page is a renderer of a paper, and what shows that it draws when it should.
type page struct {
	t      *testing.T
	paper  *paper
	r      *Renderer
	window sync.Mutex // whoever has it is the goroutine of the window
}

func newPage(t *testing.T) *page {
	p := &page{t: t, paper: &paper{}}
	p.r = NewRenderer(p.paper, func(f func()) {
		p.window.Lock()
		defer p.window.Unlock()
		f()
	})
	return p
}

// show shows toolboxes with these names, the first with a server in that state.
func (p *page) show(server theme.State, names ...string) {
	var state State
	for _, name := range names {
		state.Toolboxes = append(state.Toolboxes, Toolbox{Name: name})
	}
	state.Toolboxes[0].Servers = []Server{{State: server}}
	p.window.Lock()
	defer p.window.Unlock()
	p.r.Update(state)
}

// expect compares what was drawn since the last time.
func (p *page) expect(want ...string) {
	p.t.Helper()
	synctest.Wait()
	p.window.Lock()
	defer p.window.Unlock()
	if diff := cmp.Diff(want, p.paper.drawn); diff != "" {
		p.t.Fatalf("drawn (-want +got):\n%s", diff)
	}
	p.paper.drawn = nil
}

const (
	idleState = theme.StateIdle
	working   = theme.StateWorking
	well      = theme.StateConnected
)

// What entries say is drawn at once, however often it changes: no timer is between it and the tray.
func TestChangesAreDrawnAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		p.show(idleState, "a")
		p.expect("icon 0", "menu a")
		p.show(working, "a")
		p.expect("icon 2", "change a")
		p.show(well, "b")
		p.expect("icon 1", "change b")
		p.show(well, "b")
		p.expect() // nothing has changed
	})
}

// Menus with other entries are not made too often; the icon does not wait for them.
func TestMenusAreNotMadeTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		p.show(idleState, "a")
		p.expect("icon 0", "menu a")
		p.show(idleState, "b", "c")
		p.show(working, "d", "e")
		p.expect("icon 2") // too soon for the rest
		time.Sleep(interval - 1)
		p.expect()
		time.Sleep(time.Nanosecond)
		p.expect("menu d") // the newest alone
		p.show(idleState, "f")
		p.show(working, "g", "h") // like the one that is shown
		p.expect("icon 0", "icon 2", "change g")
		time.Sleep(interval)
		p.expect()
		p.show(working, "i")
		p.expect("menu i") // at once after a while
		p.show(working, "j", "k")
		p.r.Close()
		time.Sleep(2 * interval)
		p.show(well, "l")
		p.expect("gone") // and closed
	})
}

// Whatever happens in the engines, the menu has the same entries: a start, a failure or an app that comes never makes a new one.
func TestStatesDoNotMakeNewMenus(t *testing.T) {
	menu := func(server Server, state State) []Item {
		state.Toolboxes = []Toolbox{{Name: "a", Servers: []Server{server}}}
		return Menu(state)
	}
	first := menu(Server{Idle: true}, State{})
	for _, server := range []Server{
		{Off: true, State: theme.StateDisabled}, {State: theme.StateWorking}, {State: theme.StateConnected}, {State: theme.StateWrong}, {State: theme.StateKey},
	} {
		for _, state := range []State{{}, {Problem: "broken", Paused: true}, {Clients: []string{"x"}}, {Clients: make([]string, 20)}, {Login: true}} {
			if !alike(first, menu(server, state)) {
				t.Errorf("the menu has other entries for %+v in %+v", server, state)
			}
		}
	}
	for name, other := range map[string][]Item{
		"another server":  Menu(State{Toolboxes: []Toolbox{{Name: "a", Servers: make([]Server, 2)}}}),
		"another toolbox": Menu(State{Toolboxes: []Toolbox{{Name: "a", Servers: make([]Server, 1)}, {Name: "b"}}}),
	} {
		if alike(first, other) {
			t.Errorf("a menu with %s is taken for one without", name)
		}
	}
}
