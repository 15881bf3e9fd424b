//go:build linux || freebsd || openbsd || netbsd

package tray

import (
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"
	"github.com/godbus/dbus/v5"
)

// NewBar returns the program's place in the tray. It must be called before the app runs, because Fyne starts the tray only then.
// The function do runs clicks on the goroutine of the window.
func NewBar(app desktop.App, window fyne.Window, actions Actions, do func(func())) Bar {
	app.SetSystemTrayWindow(window) // and so there is a tray, whose menu Fyne leaves alone
	return &busBar{menuBar: menuBar{app: app, actions: actions, do: do}}
}

// busBar is a place in a tray that programs talk to over D-Bus. A new menu is hundreds of messages there, and trays get the
// menus inside it only with their second look, 150 ms after the first.
type busBar struct {
	menuBar
	folded *time.Timer // running until the entries have all that is below them
	gone   bool        // the bus, and so the tray
}

// unfolding is how long a menu waits before it gets the entries below its second level. GTK's trays build a submenu only for entries
// that they know already; otherwise it stays empty. The library announces the first level at once and the rest 150 ms later.
const unfolding = interval

// Icon shows a picture. Without a bus the library panics: when the session of the user has ended, or Fyne is about to.
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

// Menu shows a menu instead of the one before.
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
	b.folded = time.AfterFunc(unfolding, func() { b.do(func() { b.unfold(entries) }) })
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

// Change makes the entries of the menu say what these items do.
func (b *busBar) Change(items []Item) {
	if !b.gone {
		b.menuBar.Change(items)
	}
}

// Close does nothing: the icon goes with the program's connection to the bus.
func (b *busBar) Close() {}
