package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
)

// shortcuts sets what keys do in the whole window. What has the keyboard comes first: a text has an undo of its own.
func (d *controller) shortcuts() {
	const control = fyne.KeyModifierShortcutDefault // the command key on macOS
	w := d.window
	// What lies over the screen takes them away from it.
	free := func(do func()) func() {
		return func() {
			if w.Window.Canvas().Overlays().Top() == nil {
				do()
			}
		}
	}
	for _, screen := range d.screens() {
		if screen.key != "" {
			w.Shortcut(screen.key, control, free(d.elsewhere(func() { d.choose(screen.at) })))
		}
	}
	w.Shortcut(fyne.KeyF, control, func() {
		if d.adding.Dialog() != nil { // it has a search of its own
			d.search()
			return
		}
		free(d.search)()
	})
	w.Shortcut(fyne.KeyN, control, free(d.elsewhere(d.addHere)))
	w.Shortcut(fyne.KeyS, control, free(d.commit))
	w.Shortcut(fyne.KeyReturn, control, free(d.runTool))
	w.Shortcut(fyne.KeyQ, control, d.quit)
	// Ctrl on macOS too, where the command key and Tab change the program.
	w.Shortcut(fyne.KeyTab, fyne.KeyModifierControl, free(func() { d.stepTab(1) }))
	w.Shortcut(fyne.KeyTab, fyne.KeyModifierControl|fyne.KeyModifierShift, free(func() { d.stepTab(-1) }))
	w.Shortcut(fyne.KeyZ, control|fyne.KeyModifierShift, free(d.redoHere))
	canvas := w.Window.Canvas()
	canvas.AddShortcut(&fyne.ShortcutUndo{}, func(fyne.Shortcut) { free(d.undoHere)() })
	canvas.AddShortcut(&fyne.ShortcutRedo{}, func(fyne.Shortcut) { free(d.redoHere)() })
	canvas.AddShortcut(&fyne.ShortcutPaste{}, func(fyne.Shortcut) { free(d.paste)() })
	canvas.SetOnTypedKey(func(event *fyne.KeyEvent) {
		switch event.Name {
		case fyne.KeyEscape:
			d.escape()
		case fyne.KeyF1:
			free(d.elsewhere(d.showKeys))()
		case fyne.KeyReturn, fyne.KeyEnter:
			if d.at == placeWelcome {
				free(d.welcome.Enter)()
			}
		default:
			kit.ScrollByKey(canvas, event)
		}
	})
}

// showKeys tells what can be done with the keyboard.
func (d *controller) showKeys() {
	d.choose(placeSettings)
	d.settings.Show(settings.SectionKeys)
}

// search puts the cursor into the search field that is nearest to what is being looked at.
func (d *controller) search() {
	if d.adding.Dialog() != nil {
		d.adding.Dialog().FocusSearch()
		return
	}
	d.current().Find(d.window.Window.Canvas())
}

// addHere opens the dialog that adds servers for the toolbox that is selected.
func (d *controller) addHere() { d.adding.Open(add.Start{Toolbox: d.toolboxes.Selected().Toolbox}) }

// stepTab goes to the next tab of the server that is shown, or with -1 to the one before.
func (d *controller) stepTab(by int) {
	if d.at == placeToolboxes && d.detail.Shown() {
		d.detail.Editor.StepTab(by)
	}
}

// paste begins to add what is on the clipboard.
func (d *controller) paste() {
	if text := d.options.App.Clipboard().Content(); d.at == placeToolboxes && text != "" {
		d.adding.Open(add.Start{Text: text, Toolbox: d.toolboxes.Selected().Toolbox})
	}
}

// commit saves what is typed and not saved yet.
func (d *controller) commit() {
	d.detail.Editor.Commit()
	if d.at == placeFile {
		d.file.Commit()
	}
}

// runTool runs the tool that is being tried, when that can be seen.
func (d *controller) runTool() {
	if d.at == placeToolboxes && d.detail.Shown() && d.detail.Tab == editor.TabTools {
		d.detail.Tools.Run()
	}
}

// escape takes away what lies over the screen, else goes back on it.
func (d *controller) escape() {
	switch {
	case d.window.Window.Canvas().Overlays().Top() != nil:
		d.window.Dismiss()
	case d.window.Toast.Hide():
	default:
		d.current().Back()
	}
}

// undoHere takes back what was last typed or repaired in the text of the file, where that is what is shown, else the last edit. What
// is typed there and not saved is not passed by for an older edit.
func (d *controller) undoHere() {
	switch {
	case d.at == placeFile && d.file.Undo():
	case d.at == placeFile && d.file.Unsaved():
		d.window.Say(lang.L("There is nothing to undo."))
	default:
		d.undo()
	}
}

// redoHere does again what undoHere took back.
func (d *controller) redoHere() {
	switch {
	case d.at == placeFile && d.file.Redo():
	case d.at == placeFile && d.file.Unsaved():
		d.window.Say(lang.L("There is nothing to redo."))
	default:
		d.saver.Redo()
	}
}

// undo takes back the last edit.
func (d *controller) undo() {
	d.detail.Editor.Commit()
	d.saver.Undo()
}
