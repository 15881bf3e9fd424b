package tray

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// fyneBar draws with Fyne, which knows no way to change a menu: each is a new one.
type fyneBar struct {
	app     desktop.App
	actions Actions
	menu    *fyne.Menu
}

func newFyneBar(app desktop.App, actions Actions) *fyneBar {
	// Always the same menu: Fyne draws its first one once more when the tray has started, and that must be the newest.
	return &fyneBar{app, actions, fyne.NewMenu("")}
}

// Icon shows a picture.
func (b *fyneBar) Icon(icon Icon) { b.app.SetSystemTrayIcon(resource(icon)) }

// Menu shows a menu. The first must come before the app runs: Fyne starts the tray then or never.
func (b *fyneBar) Menu(items []Item) {
	b.menu.Items = fyneItems(items, b.actions, runtime.GOOS)
	b.app.SetSystemTrayMenu(b.menu)
}

// Change does nothing.
func (b *fyneBar) Change([]Item) bool { return false }

func fyneItems(items []Item, actions Actions, goos string) []*fyne.MenuItem {
	var out []*fyne.MenuItem
	for _, item := range items {
		if item.Hidden {
			continue
		}
		if item.Kind == KindSeparator {
			out = append(out, fyne.NewMenuItemSeparator())
			continue
		}
		entry := fyne.NewMenuItem(plain(item.Label, goos), nil)
		entry.Checked, entry.Disabled, entry.IsQuit = item.Checked, item.Kind == KindHeading, item.Kind == KindQuit
		if !entry.Disabled {
			entry.Action = func() { actions.run(item) }
		}
		if len(item.Children) > 0 {
			entry.ChildMenu = fyne.NewMenu("", fyneItems(item.Children, actions, goos)...)
		}
		out = append(out, entry)
	}
	return out
}
