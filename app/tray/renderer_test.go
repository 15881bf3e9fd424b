package tray

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// paper is a tray that records what is drawn.
type paper struct{ drawn []string }

func (p *paper) Icon(icon Icon)      { p.drawn = append(p.drawn, fmt.Sprint("icon ", icon)) }
func (p *paper) Menu(items []Item)   { p.drawn = append(p.drawn, "menu "+items[3].Label) }
func (p *paper) Change(items []Item) { p.drawn = append(p.drawn, "change "+items[3].Label) }
func (p *paper) Close()              { p.drawn = append(p.drawn, "gone") }

// page is a renderer that draws on a paper, with checks of what it draws and when.
type page struct {
	t      *testing.T
	paper  *paper
	r      *Renderer
	window sync.Mutex // holding it stands for being the goroutine of the window
}

func newPage(t *testing.T) *page {
	p := &page{t: t, paper: &paper{}}
	p.r = NewRenderer(p.paper, task.New(func(f func()) {
		p.window.Lock()
		defer p.window.Unlock()
		f()
	}))
	return p
}

// show shows toolboxes with these names. The first has a server in the given state.
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

// expect compares what was drawn since the last call.
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

// TestChangesAreDrawnAtOnce checks that changed texts are drawn at once, without a timer.
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

// TestMenusAreNotMadeTooOften checks that new menus wait for the interval, but the icon does not.
func TestMenusAreNotMadeTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		p.show(idleState, "a")
		p.expect("icon 0", "menu a")
		p.show(idleState, "b", "c")
		p.show(working, "d", "e")
		p.expect("icon 2") // too soon for the menu
		time.Sleep(interval - 1)
		p.expect()
		time.Sleep(time.Nanosecond)
		p.expect("menu d") // only the newest menu
		p.show(idleState, "f")
		p.show(working, "g", "h") // like the current menu
		p.expect("icon 0", "icon 2", "change g")
		time.Sleep(interval)
		p.expect()
		p.show(working, "i")
		p.expect("menu i") // at once after a pause
		p.show(working, "j", "k")
		p.r.Close()
		time.Sleep(2 * interval)
		p.show(well, "l")
		p.expect("gone") // and closed
	})
}

// TestStatesDoNotMakeNewMenus checks that no start, failure or connecting app makes a new menu.
func TestStatesDoNotMakeNewMenus(t *testing.T) {
	menu := func(server Server, state State) []Item {
		state.Toolboxes = []Toolbox{{Name: "a", Servers: []Server{server}}}
		return Menu(state)
	}
	first := menu(Server{Idle: true}, State{})
	for _, server := range []Server{
		{Off: true, State: theme.StateDisabled}, {State: theme.StateWorking}, {State: theme.StateConnected},
		{State: theme.StateWrong}, {State: theme.StateKey},
	} {
		for _, state := range []State{{}, {Problem: "broken", Paused: true}, {Clients: []string{"x"}},
			{Clients: make([]string, 20)}, {Login: true}} {
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
			t.Errorf("a menu with %s counts as the same as one without", name)
		}
	}
}
