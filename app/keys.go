package app

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// shortcuts assigns the keys of the whole window. The focused control gets a key first; a text has its own undo, for
// example.
func (c *controller) shortcuts() {
	const control = fyne.KeyModifierShortcutDefault // the command key on macOS
	w, canvas := c.window, c.window.Window.Canvas()
	// free makes a key do nothing while a dialog is open.
	free := func(do func()) func() {
		return func() {
			if canvas.Overlays().Top() == nil {
				do()
			}
		}
	}
	for _, screen := range c.places.Keys() {
		w.Shortcut(screen.Key, control, free(c.elsewhere(func() { c.places.Choose(screen.At) })))
	}
	w.Shortcut(fyne.KeyF, control, c.search)
	w.Shortcut(fyne.KeyK, control, free(c.elsewhere(c.find)))
	w.Shortcut(fyne.KeyN, control, free(c.elsewhere(c.addHere)))
	w.Shortcut(fyne.KeyS, control, free(c.commit))
	w.Shortcut(fyne.KeyReturn, control, free(c.runTool))
	w.Shortcut(fyne.KeyQ, control, c.quit)
	// Ctrl on macOS too, where the command key and Tab change the program.
	w.Shortcut(fyne.KeyTab, fyne.KeyModifierControl, free(func() { c.stepTab(1) }))
	w.Shortcut(fyne.KeyTab, fyne.KeyModifierControl|fyne.KeyModifierShift, free(func() { c.stepTab(-1) }))
	w.Shortcut(fyne.KeyZ, control|fyne.KeyModifierShift, free(c.redoHere))
	if runtime.GOOS == "darwin" {
		for key, do := range c.macKeys() {
			w.Shortcut(key, control, do)
		}
	}
	canvas.AddShortcut(&fyne.ShortcutUndo{}, func(fyne.Shortcut) { free(c.undoHere)() })
	canvas.AddShortcut(&fyne.ShortcutRedo{}, func(fyne.Shortcut) { free(c.redoHere)() })
	canvas.AddShortcut(&fyne.ShortcutPaste{}, func(fyne.Shortcut) { free(c.paste)() })
	canvas.SetOnTypedKey(func(event *fyne.KeyEvent) {
		switch event.Name {
		case fyne.KeyEscape:
			c.escape()
		case fyne.KeyF1:
			free(w.ShowKeys)()
		case fyne.KeyReturn, fyne.KeyEnter:
			if c.places.At() == placeWelcome {
				free(c.welcome.Enter)()
			}
		default:
			kit.ScrollByKey(canvas, event)
		}
	})
}

// macKeys returns what the command key does with other keys in every app of macOS.
func (c *controller) macKeys() map[fyne.KeyName]func() {
	return map[fyne.KeyName]func(){
		fyne.KeyW: c.closeWindow,
		fyne.KeyComma: func() {
			if c.window.Window.Canvas().Overlays().Top() == nil {
				c.elsewhere(func() { c.places.Choose(placeSettings) })()
			}
		},
	}
}

// search focuses the search field of the dialog that adds servers, or of the screen if no dialog is open.
func (c *controller) search() {
	canvas := c.window.Window.Canvas()
	switch dialog := c.adding.Dialog(); {
	case dialog != nil:
		dialog.FocusSearch()
	case canvas.Overlays().Top() == nil:
		c.places.Current().Find(canvas)
	}
}

// stepTab shows the next tab of the server, or the previous one if by is -1.
func (c *controller) stepTab(by int) {
	if c.places.At() == placeToolboxes && c.detail.Shown() {
		c.detail.Editor.StepTab(by)
	}
}

// paste opens the dialog that adds servers with the text of the clipboard. It does nothing on screens other than the
// toolboxes.
func (c *controller) paste() {
	if c.places.At() == placeToolboxes {
		c.toolboxes.Paste()
	}
}

// commit saves typed text that is not saved yet.
func (c *controller) commit() {
	switch c.detail.Editor.Commit(); {
	case c.places.At() == placeFile:
		c.file.Commit()
	case c.places.At() == placeToolboxes && c.detail.Shown():
		c.detail.Editor.Insist()
	}
}

// runTool runs the tool that is open under "Try it", if the tools of a server are visible.
func (c *controller) runTool() {
	if c.places.At() == placeToolboxes && c.detail.Shows(model.TabTools) {
		c.detail.Tools.Run()
	}
}

// escape closes the top dialog. Without a dialog, it hides the toast. Without a toast, it does what Back does on the
// current screen.
func (c *controller) escape() {
	switch {
	case c.window.Window.Canvas().Overlays().Top() != nil:
		c.window.Dismiss()
	case c.window.Toast.Hide():
	default:
		c.places.Current().Back()
	}
}

// undoHere undoes the last change of the text of the file, typed or repaired, if that text is shown. Otherwise it
// undoes the last edit. While the text has unsaved changes, undoHere undoes no edit.
func (c *controller) undoHere() {
	switch {
	case c.places.At() == placeFile && c.file.Undo():
	case c.places.At() == placeFile && c.file.Unsaved():
		c.window.Say(lang.L("There is nothing to undo."))
	default:
		c.undo()
	}
}

// redoHere redoes what undoHere has undone.
func (c *controller) redoHere() {
	switch {
	case c.places.At() == placeFile && c.file.Redo():
	case c.places.At() == placeFile && c.file.Unsaved():
		c.window.Say(lang.L("There is nothing to redo."))
	default:
		c.saver.Redo()
	}
}
