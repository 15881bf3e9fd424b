//go:build linux || freebsd || openbsd || netbsd

package tray

import (
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"
	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// NewBar returns the program's place in the tray. It must be called before the app runs, because Fyne starts the tray
// only then. Clicks reach the goroutine of the window through tasks.
func NewBar(app desktop.App, window fyne.Window, actions Actions, tasks *task.Tasks) Bar {
	app.SetSystemTrayWindow(window) // creates the tray, with a menu that Fyne does not touch
	return &busBar{menuBar: menuBar{app: app, actions: actions, tasks: tasks}}
}

// busBar is a place in a tray that programs talk to over D-Bus. A new menu takes hundreds of messages there.
type busBar struct {
	menuBar
	folded *time.Timer // adds the entries below the second level; nil before the first menu
	gone   bool        // there is no bus any more, and so no tray
}

// unfolding is how long a menu waits before it gets the entries below its second level. GTK's trays build a submenu
// only for an entry that they know already; otherwise the submenu stays empty. The library announces the first level
// at once and the rest 150 ms later.
const unfolding = interval

// Icon shows an icon. The library panics if the bus is closed, because the session of the user has ended or Fyne is
// about to end. Icon recovers from that.
func (b *busBar) Icon(icon Icon) {
	if b.gone {
		return
	}
	defer func() {
		problem := recover()
		if err, ok := problem.(error); ok && errors.Is(err, dbus.ErrClosed) {
			b.gone = true
		} else if problem != nil {
			panic(problem)
		}
	}()
	b.menuBar.Icon(icon)
}

// Menu replaces the menu.
func (b *busBar) Menu(items []Item) {
	if b.gone {
		return
	}
	if b.folded != nil {
		b.folded.Stop()
	}
	systray.ResetMenu()
	entries := b.add(items, nil)
	for _, entry := range entries {
		entry.children = b.add(entry.item.Children, entry.handle)
	}
	b.entries = entries
	b.folded = background.After(unfolding, func() { b.tasks.Do(func() { b.unfold(entries) }) })
}

// unfold adds the entries below the second level of a menu, unless the menu was replaced.
func (b *busBar) unfold(entries []*entry) {
	if b.gone || len(entries) == 0 || entries[0] != b.entries[0] {
		return
	}
	for _, entry := range entries {
		b.fill(entry.children)
	}
}

// Change implements [Bar].
func (b *busBar) Change(items []Item) {
	if !b.gone {
		b.menuBar.Change(items)
	}
}

// Close does nothing: the icon disappears when the program's connection to the bus ends.
func (b *busBar) Close() {}
