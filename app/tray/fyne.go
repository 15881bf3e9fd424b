package tray

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// Actions are what the entries of the menu do. They are called on the goroutine of the window and must not block, since
// clicks that come meanwhile are lost.
type Actions struct {
	Do   func(Action)
	Quit func()
}

// Draw gives the function that draws the menu with Fyne. The first call must come before the app runs: Fyne starts the tray
// then or never.
func Draw(app desktop.App, actions Actions) func([]Item, Icon) {
	// Always the same menu: Fyne draws its first one once more when the tray has started, and that must be the newest.
	menu := fyne.NewMenu("")
	started, shown := false, IconIdle
	return func(items []Item, icon Icon) {
		if !started || icon != shown {
			app.SetSystemTrayIcon(resource(icon))
		}
		started, shown = true, icon
		menu.Items = fyneItems(items, actions, runtime.GOOS)
		app.SetSystemTrayMenu(menu)
	}
}

func fyneItems(items []Item, actions Actions, goos string) []*fyne.MenuItem {
	var out []*fyne.MenuItem
	for _, item := range items {
		if item.Kind == KindSeparator {
			out = append(out, fyne.NewMenuItemSeparator())
			continue
		}
		entry := fyne.NewMenuItem(plain(item.Label, goos), nil)
		switch item.Kind {
		case KindHeading:
			entry.Disabled = true
		case KindQuit:
			entry.IsQuit, entry.Action = true, actions.Quit
		default:
			entry.Action = func() { actions.Do(item.Action) }
			entry.Checked = item.Checked
		}
		if len(item.Children) > 0 {
			entry.ChildMenu = fyne.NewMenu("", fyneItems(item.Children, actions, goos)...)
		}
		out = append(out, entry)
	}
	return out
}

// plain writes a label so that the menu shows it as it is. Menus take one character as the mark of a keyboard shortcut and
// leave it out: "&" on Windows, "_" in the D-Bus menus of Linux. Doubled it stands for itself, and names of servers are
// full of underscores.
func plain(label, goos string) string {
	switch goos {
	case "windows":
		return strings.ReplaceAll(label, "&", "&&")
	case "darwin":
		return label
	}
	return strings.ReplaceAll(label, "_", "__")
}

func resource(icon Icon) fyne.Resource {
	switch icon {
	case IconWell:
		return fyne.NewStaticResource("tray-well.png", assets.TrayWell)
	case IconWorking:
		return fyne.NewStaticResource("tray-working.png", assets.TrayWorking)
	case IconAttention:
		return fyne.NewStaticResource("tray-attention.png", assets.TrayAttention)
	}
	return fyne.NewStaticResource("tray-idle.png", assets.TrayIdle)
}
