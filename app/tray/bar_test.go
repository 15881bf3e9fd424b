package tray

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// drawer is the part of an app that bars use.
type drawer struct {
	desktop.App
	icons []string
}

func (d *drawer) SetSystemTrayIcon(icon fyne.Resource) { d.icons = append(d.icons, icon.Name()) }

// at returns the entry at a place.
func at(entries []*entry, place ...int) *entry {
	found := entries[place[0]]
	if len(place) > 1 {
		return at(found.children, place[1:]...)
	}
	return found
}

// TestEntriesStay checks that entries are kept when their texts change, and that a click does what the entry says at
// that time.
func TestEntriesStay(t *testing.T) {
	clicked := make(chan func(), 1)
	var did []Action
	quits := 0
	bar := &menuBar{
		app:     &drawer{},
		actions: acting{func(action Action) { did = append(did, action) }, func() { quits++ }},
		tasks:   task.New(func(f func()) { clicked <- f }),
	}
	click := func(entry *entry) {
		t.Helper()
		select {
		case entry.handle.ClickedCh <- struct{}{}:
			(<-clicked)()
		case <-time.After(time.Minute):
			t.Fatalf("a click on %q is not received", entry.item.Label)
		}
	}
	menu := func(server string, state theme.State, login bool) []Item {
		help := map[theme.State]string{theme.StateWrong: "Show log", theme.StateKey: "Sign in…"}[state]
		return Menu(State{Login: login,
			Toolboxes: []Toolbox{{Name: "dev", Servers: []Server{{Name: server, State: state, Help: help, Start: "Restart"}}}}})
	}
	bar.Menu(menu("files", theme.StateWrong, false))
	before := at(bar.entries, 3, 0)
	mend := at(before.children, 0)
	tick := bar.entries[len(bar.entries)-2]
	click(mend)

	bar.Change(menu("search", theme.StateConnected, true))
	if at(bar.entries, 3, 0) != before || before.item.Label != "● search   " {
		t.Errorf("the entry of the server has the label %q, or was replaced", before.item.Label)
	}
	if !mend.item.Hidden || mend.label != "Show log" {
		t.Errorf("the entry that helps is %+v, %q", mend.item, mend.label)
	}
	if !tick.handle.Checked() {
		t.Error("the entry for starting at login has no check mark")
	}
	click(at(before.children, 2))

	// A hidden entry has the right text when it is shown again.
	bar.Change(menu("search", theme.StateKey, false))
	if mend.item.Hidden || mend.label != "Sign in…" || tick.handle.Checked() {
		t.Errorf("the entry that helps is %+v, %q; checked: %v", mend.item, mend.label, tick.handle.Checked())
	}
	click(mend)
	click(bar.entries[len(bar.entries)-1])
	want := []Action{{VerbFix, "dev", "files"}, {VerbStop, "dev", "search"}, {VerbFix, "dev", "search"}}
	if diff := cmp.Diff(want, did); diff != "" || quits != 1 {
		t.Errorf("quit %d times; the actions (-want +got):\n%s", quits, diff)
	}

	// A click on a replaced menu does nothing.
	bar.Menu(menu("files", theme.StateWrong, false))
	select {
	case _, open := <-mend.handle.ClickedCh:
		if open {
			t.Error("a removed entry was clicked")
		}
	case <-time.After(time.Minute):
		t.Error("the channel of a removed entry is still open")
	}
}

// acting is [Actions] that are functions.
type acting struct {
	do   func(Action)
	quit func()
}

func (a acting) Do(action Action) { a.do(action) }
func (a acting) Quit()            { a.quit() }
