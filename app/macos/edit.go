package macos

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
)

// editMenu returns the menu Edit of a window, which every app of macOS has. What it does, the keys beside it do too:
// macOS gives them to the menu first.
func editMenu(canvas fyne.Canvas, clipboard fyne.Clipboard) *fyne.Menu {
	item := func(label string, keys, does fyne.Shortcut) *fyne.MenuItem {
		made := fyne.NewMenuItem(label, func() { typed(canvas, does) })
		made.Shortcut = keys
		return made
	}
	redo := &desktop.CustomShortcut{KeyName: fyne.KeyZ, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift}
	undo, all := &fyne.ShortcutUndo{}, &fyne.ShortcutSelectAll{}
	cut, copies, paste := &fyne.ShortcutCut{Clipboard: clipboard}, &fyne.ShortcutCopy{Clipboard: clipboard},
		&fyne.ShortcutPaste{Clipboard: clipboard}
	return fyne.NewMenu(lang.L("Edit"),
		item(lang.L("Undo"), undo, undo), item(lang.L("Redo"), redo, &fyne.ShortcutRedo{}), fyne.NewMenuItemSeparator(),
		item(lang.L("Cut"), cut, cut), item(lang.L("Copy"), copies, copies), item(lang.L("Paste"), paste, paste),
		item(lang.L("Select All"), all, all))
}

// typed gives a shortcut to what has the focus, and otherwise to the window, as Fyne does with keys.
func typed(canvas fyne.Canvas, shortcut fyne.Shortcut) {
	if focused, ok := canvas.Focused().(fyne.Shortcutable); ok {
		focused.TypedShortcut(shortcut)
	} else if window, ok := canvas.(fyne.Shortcutable); ok {
		window.TypedShortcut(shortcut)
	}
}
