//go:build linux || freebsd || openbsd || netbsd

package tray

import (
	"errors"
	"runtime"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"
	"github.com/godbus/dbus/v5"
)

// NewBar gives the program's place in the tray. It must be called before the app runs: Fyne starts the tray then or never.
// On the goroutine of the window do runs what was clicked.
func NewBar(app desktop.App, window fyne.Window, actions Actions, do func(func())) Bar {
	app.SetSystemTrayWindow(window) // and so there is a tray, whose menu Fyne leaves alone
	return &busBar{app: app, actions: actions, do: do}
}

// busBar is a place in a tray that programs talk to over D-Bus. A new menu is hundreds of messages there, and trays get the
// menus inside it only with their second look, 150 ms after the first. So it keeps its entries and changes what they say; a
// menu that is open stays open, too.
type busBar struct {
	app     desktop.App
	actions Actions
	do      func(func())
	entries []*busEntry
	folded  *time.Timer // running until the entries have all that is below them
	gone    bool        // the bus, and so the tray
}

// unfolding is when a menu gets what is below its second level. The trays of GTK build a submenu only for entries that they know
// already, else it stays empty: the library tells them of the first level alone, and 150 ms later of the rest.
const unfolding = interval

// busEntry is an entry of the menu as the bus has it; handle is nil for a line.
type busEntry struct {
	handle   *systray.MenuItem
	item     Item
	children []*busEntry
}

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
	b.app.SetSystemTrayIcon(resource(icon))
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

// unfold adds what is below the second level of a menu, unless it is another one by now.
func (b *busBar) unfold(entries []*busEntry) {
	if b.gone || len(entries) == 0 || entries[0] != b.entries[0] {
		return
	}
	for _, first := range entries {
		for _, second := range first.children {
			second.children = b.add(second.item.Children, second.handle)
		}
	}
}

// add adds entries to the menu, without what is below them.
func (b *busBar) add(items []Item, parent *systray.MenuItem) []*busEntry {
	var entries []*busEntry
	for _, item := range items {
		entry := &busEntry{item: item}
		entries = append(entries, entry)
		if item.Kind == KindSeparator {
			systray.AddSeparator() // there are none in submenus
			continue
		}
		entry.handle = newHandle(item, parent)
		if item.Kind == KindHeading {
			entry.handle.Disable()
		}
		if item.Hidden {
			entry.handle.Hide()
		}
		go func() {
			for range entry.handle.ClickedCh { // closed when the menu is replaced
				b.do(func() { b.actions.run(entry.item) })
			}
		}()
	}
	return entries
}

func newHandle(item Item, parent *systray.MenuItem) *systray.MenuItem {
	label := plain(item.Label, runtime.GOOS)
	switch {
	case parent != nil:
		return parent.AddSubMenuItem(label, "")
	case item.Checked:
		return systray.AddMenuItemCheckbox(label, "", true)
	}
	return systray.AddMenuItem(label, "")
}

// Change makes the entries of the menu say what these items do.
func (b *busBar) Change(items []Item) bool {
	if !b.gone {
		change(b.entries, items)
	}
	return true
}

func change(entries []*busEntry, items []Item) {
	for i, entry := range entries {
		before, now := entry.item, items[i]
		entry.item = now
		if before.Label != now.Label {
			entry.handle.SetTitle(plain(now.Label, runtime.GOOS))
		}
		if before.Hidden != now.Hidden {
			if now.Hidden {
				entry.handle.Hide()
			} else {
				entry.handle.Show()
			}
		}
		change(entry.children, now.Children)
	}
}
