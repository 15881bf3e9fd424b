package app

import (
	"fyne.io/fyne/v2"

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
			if w.window.Canvas().Overlays().Top() == nil {
				do()
			}
		}
	}
	for i, key := range []fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5} { // the last is the text of the file
		w.shortcut(key, control, free(d.elsewhere(func() { d.choose(place(i)) })))
	}
	w.shortcut(fyne.KeyF, control, func() {
		if d.adding != nil { // it has a search of its own
			d.search()
			return
		}
		free(d.search)()
	})
	w.shortcut(fyne.KeyN, control, free(d.elsewhere(d.addHere)))
	w.shortcut(fyne.KeyS, control, free(d.commit))
	w.shortcut(fyne.KeyReturn, control, free(d.runTool))
	w.shortcut(fyne.KeyQ, control, d.quit)
	// Ctrl on macOS too, where the command key and Tab change the program.
	w.shortcut(fyne.KeyTab, fyne.KeyModifierControl, free(func() { d.stepTab(1) }))
	w.shortcut(fyne.KeyTab, fyne.KeyModifierControl|fyne.KeyModifierShift, free(func() { d.stepTab(-1) }))
	w.shortcut(fyne.KeyZ, control|fyne.KeyModifierShift, free(d.redoHere))
	canvas := w.window.Canvas()
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
	canvas := d.window.window.Canvas()
	switch {
	case d.adding != nil:
		d.adding.FocusSearch()
	case d.at == placeActivity:
		d.activity.FocusSearch(canvas)
	case d.at == placeFile && d.file != nil:
		d.file.Find(canvas)
	case d.at != placeToolboxes:
	case d.detail.shown() && d.detail.tab == editor.TabTools && d.detail.tools.FocusSearch(canvas):
	case d.detail.shown() && d.detail.tab == editor.TabLog:
		d.detail.log.FocusSearch(canvas)
	default:
		d.screen.FocusSearch(canvas)
	}
}

// stepTab goes to the next tab of the server that is shown, or with -1 to the one before.
func (d *controller) stepTab(by int) {
	if d.at == placeToolboxes && d.detail.shown() {
		d.detail.editor.StepTab(by)
	}
}

// paste begins to add what is on the clipboard.
func (d *controller) paste() {
	if text := d.options.App.Clipboard().Content(); d.at == placeToolboxes && text != "" {
		d.addServer(add.Start{Text: text, Toolbox: d.screen.Selected().Toolbox})
	}
}

// commit saves what is typed and not saved yet.
func (d *controller) commit() {
	d.detail.editor.Commit()
	if d.at == placeFile {
		d.file.Commit()
	}
}

// runTool runs the tool that is being tried, when that can be seen.
func (d *controller) runTool() {
	if d.at == placeToolboxes && d.detail.shown() && d.detail.tab == editor.TabTools {
		d.detail.tools.Run()
	}
}

// escape takes away what lies over the screen, else goes back on it.
func (d *controller) escape() {
	switch {
	case d.window.window.Canvas().Overlays().Top() != nil:
		d.dismiss()
	case d.window.toast.hide():
	case d.at == placeWelcome:
		d.welcome.Escape()
	case d.at == placeToolboxes && d.detail.shown() && d.detail.editor.Escape():
	case d.at == placeToolboxes:
		d.screen.Back()
	case d.at == placeActivity:
		d.activity.Escape()
	case d.at == placeFile && !d.file.Back():
		d.choose(placeToolboxes)
	}
}
