package tray

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// Actions are what the entries of the menu do. They are called on the goroutine of the window and must not block:
// clicks during a call are lost.
type Actions interface {
	Do(Action)
	Quit()
}

// run does what an item is for.
func run(a Actions, item Item) {
	if item.Kind == KindQuit {
		a.Quit()
		return
	}
	a.Do(item.Action)
}

// menuBar is a tray menu that keeps its entries and changes their texts. Fyne can only replace a whole menu, which
// costs more and closes an open menu. So Fyne owns the tray, but the menu is created with the library that Fyne uses.
// Call the methods only on the goroutine of the window. Windows and macOS call back on this goroutine as well.
type menuBar struct {
	app     desktop.App
	actions Actions
	tasks   *task.Tasks
	entries []*entry
}

// entry is an entry of the menu in the system.
type entry struct {
	handle   *systray.MenuItem // nil for a separator
	item     Item              // what the entry stands for now
	label    string            // the label in the system; for a hidden entry it may be out of date
	checked  bool
	children []*entry
}

// Icon shows an icon.
func (b *menuBar) Icon(icon Icon) { b.app.SetSystemTrayIcon(resource(icon)) }

// Menu replaces the menu.
func (b *menuBar) Menu(items []Item) {
	systray.ResetMenu()
	b.entries = b.add(items, nil)
	b.fill(b.entries)
}

// fill adds all that is below entries: their children, the children of those, and so on.
func (b *menuBar) fill(entries []*entry) {
	for _, entry := range entries {
		entry.children = b.add(entry.item.Children, entry.handle)
		b.fill(entry.children)
	}
}

// add adds entries to the menu, without their children.
func (b *menuBar) add(items []Item, parent *systray.MenuItem) []*entry {
	var entries []*entry
	for _, item := range items {
		entry := &entry{item: item, label: item.Label, checked: item.Checked}
		entries = append(entries, entry)
		if item.Kind == KindSeparator {
			systray.AddSeparator() // there are separators only in the menu itself, not in submenus
			continue
		}
		entry.handle = newHandle(item, parent)
		if item.Kind == KindHeading {
			entry.handle.Disable()
		}
		if item.Hidden {
			entry.handle.Hide()
		}
		background.Go(func() {
			for range entry.handle.ClickedCh { // closed when the menu is replaced
				b.tasks.Do(func() { run(b.actions, entry.item) })
			}
		})
	}
	return entries
}

func newHandle(item Item, parent *systray.MenuItem) *systray.MenuItem {
	label := plain(item.Label, runtime.GOOS)
	switch {
	case parent != nil:
		return parent.AddSubMenuItem(label, "")
	case item.Kind == KindTick:
		return systray.AddMenuItemCheckbox(label, "", item.Checked)
	}
	return systray.AddMenuItem(label, "")
}

// Change implements [Bar].
func (b *menuBar) Change(items []Item) { change(b.entries, items) }

func change(entries []*entry, items []Item) {
	for i, entry := range entries {
		hidden, now := entry.item.Hidden, items[i]
		entry.item = now
		if now.Hidden {
			// Nothing else is changed: on Windows any change makes a hidden entry visible again.
			if !hidden {
				entry.handle.Hide()
			}
			continue
		}
		if entry.label != now.Label {
			entry.label = now.Label
			entry.handle.SetTitle(plain(now.Label, runtime.GOOS))
		}
		if entry.checked != now.Checked {
			entry.checked = now.Checked
			tick(entry.handle, now.Checked)
		}
		if hidden {
			entry.handle.Show()
		}
		change(entry.children, now.Children)
	}
}

func tick(handle *systray.MenuItem, checked bool) {
	if checked {
		handle.Check()
	} else {
		handle.Uncheck()
	}
}

// plain escapes a label for the menu. Menus leave out the character that marks a keyboard shortcut, "&" on Windows and
// "_" in the D-Bus menus of Linux, unless it is doubled. Names of servers often have underscores.
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
