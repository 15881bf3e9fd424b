package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// quit ends the app. What is typed is saved as far as it can be; before the rest is lost, the user is asked.
func (d *desk) quit() {
	d.settle()
	text, back := d.wouldLose()
	switch {
	case text == "":
		d.end()
	case d.leaving != nil: // the question is there already
		d.open()
	default:
		d.askToQuit(text, back)
	}
}

// end ends the app without asking.
func (d *desk) end() {
	d.settle()
	if d.visible.Load() {
		d.rememberSize()
	}
	if d.tray != nil {
		d.tray.Close() // Fyne takes the tray away first
	}
	d.options.App.Quit()
}

// settle saves what is typed, as far as it can be saved.
func (d *desk) settle() {
	d.detail.editor.Commit()
	d.leaveFile()
}

// wouldLose says what would be lost with the window, and gives what shows it; the text is empty when nothing would be.
func (d *desk) wouldLose() (text string, back func()) {
	switch {
	case d.file != nil && d.file.Unsaved():
		return lang.L("What you typed in the text of the file is not saved, because the file could not be used like that."), d.showFile
	case d.detail.shown() && d.detail.editor.Unsavable():
		return lang.L("What you typed as JSON for “{{.Name}}” is not saved, because it has errors.", map[string]any{"Name": d.detail.at.Server}),
			func() { d.showTab(d.detail.at, editor.TabJSON) }
	case d.now.page.Pending != nil:
		return unsaved(d.now), func() {}
	}
	return "", nil
}

// askToQuit asks whether what cannot be saved is to be lost. Keeping it is what Enter and Esc do.
func (d *desk) askToQuit(text string, back func()) {
	d.open()
	ask := dialog.NewCustomWithoutButtons(lang.L("Quit without saving?"), kit.Inset(kit.NewWide(400, kit.NewParagraph(text, kit.TextStyle{})), 8, 8), d.window.window)
	keep := kit.NewButton(lang.L("Keep editing"), widget.HighImportance, func() {
		ask.Hide()
		back()
	})
	lose := kit.NewButton(lang.L("Discard and quit"), widget.MediumImportance, func() {
		ask.Hide()
		d.end()
	})
	ask.SetButtons([]fyne.CanvasObject{lose, keep})
	ask.SetOnClosed(func() { d.leaving = nil })
	d.leaving = ask
	d.showDialog(ask)
	d.window.window.Canvas().Focus(keep)
}
