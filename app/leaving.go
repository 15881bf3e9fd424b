package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
)

// quit ends the app. It saves typed text that can be saved, and asks the user before the rest is lost.
func (c *controller) quit() {
	c.settle()
	lost := c.wouldLose()
	switch {
	case len(lost) == 0:
		c.end()
	case c.leaving != nil && c.leaving.Shown(): // the question is open already
		c.open()
	default:
		c.askToQuit(lost)
	}
}

// endNow ends the app because the system shuts down. Nobody can be asked, and the user may be in the middle of typing. So nothing more is applied,
// and the next start says what was not applied.
func (c *controller) endNow() { c.quitting() }

// end ends the app without asking. Text that the user has been asked about is not noted for the next start.
func (c *controller) end() {
	c.settle()
	c.detail.Leave()
	c.quitting()
}

// quitting makes Fyne end.
func (c *controller) quitting() {
	if c.visible.Load() {
		c.rememberSize()
	}
	if c.tray.renderer != nil {
		c.tray.renderer.Close() // otherwise Fyne removes the tray first
	}
	c.leave.Begin()
	c.tasks.Stop() // Fyne's loop may end before it reports that, and then runs queued functions on any goroutine
	c.options.App.Quit()
}

// settle saves typed text that can be saved.
func (c *controller) settle() {
	c.detail.Editor.Settle()
	c.leaveFile()
}

// loss is something that would be lost with the window.
type loss struct {
	text string // says what would be lost and why it cannot be saved
	back func() // shows it
}

// wouldLose returns everything that would be lost if the window closed.
func (c *controller) wouldLose() []loss {
	lost := c.unsavable()
	if c.now.File.Pending != nil {
		lost = append(lost, loss{saving.Unsaved(c.now.Snapshot), func() {}})
	}
	return lost
}

// unsavable returns typed text that cannot be saved.
func (c *controller) unsavable() []loss {
	lost := c.inScreens()
	if at, tab, typed := c.detail.Editor.Unsavable(c.now.File.Now); typed {
		name := map[string]any{"Name": at.Server}
		text := lang.L("What you typed in the settings of “{{.Name}}” is not saved. They say why.", name)
		if tab == editor.TabJSON {
			text = lang.L("What you typed as JSON for “{{.Name}}” is not saved. Its JSON tab says why.", name)
		}
		lost = append(lost, loss{text, func() { c.showTab(model.Choice{Toolbox: at.Toolbox, Server: at.Server}, tab) }})
	}
	return lost
}

// inScreens returns typed text that exists only in a screen.
func (c *controller) inScreens() []loss {
	var lost []loss
	if c.adding.Dialog() != nil && c.adding.Dialog().Typed() {
		lost = append(lost, loss{lang.L("What you filled in to add a server is not added yet."), func() {}})
	}
	if c.file != nil && c.file.Unsaved() {
		lost = append(lost, loss{lang.L("What you typed in the text of the file is not saved. The message above it says why."), c.showFile})
	}
	return lost
}

// askToQuit asks whether to lose what cannot be saved. Enter and Esc keep it and show the first of these places.
func (c *controller) askToQuit(lost []loss) {
	c.open()
	text := kit.Column(kit.Gap)
	for _, what := range lost {
		text.Add(kit.NewParagraph(what.text, kit.TextStyle{}))
	}
	ask := kit.NewQuestion(lang.L("Quit without saving?"), 480, text, c.window.Window)
	keep := kit.NewButton(lang.L("Keep editing"), widget.HighImportance, func() {
		ask.Hide()
		lost[0].back()
	})
	lose := kit.NewButton(lang.L("Discard and quit"), widget.MediumImportance, func() {
		ask.Hide()
		c.end()
	})
	ask.SetButtons([]fyne.CanvasObject{lose, keep})
	ask.SetOnClosed(func() { c.leaving = nil })
	c.leaving = ask
	c.window.ShowDialog(ask)
	c.window.Window.Canvas().Focus(keep)
}
