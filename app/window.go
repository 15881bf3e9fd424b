package app

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
)

// open brings the window to the front.
func (c *controller) open() {
	if !c.visible.Swap(true) {
		c.tasks.Rouse()
		c.detail.SayUnapplied()
		c.aggregator.LookAtMemory()
		c.follow()
		c.draw()
	}
	c.greet()
	c.window.Window.Show()
	c.window.Window.RequestFocus()
}

// hidden is called when the window was hidden, or when the app starts without it.
func (c *controller) hidden() {
	c.visible.Store(false)
	if !c.consent.Open() {
		c.tasks.Rest()
	}
}

// dropped handles files that were dropped on the window. A shared toolbox can be dropped on any screen.
func (c *controller) dropped(at fyne.Position, uris []fyne.URI) {
	if c.places.At() == placeWelcome ||
		slices.ContainsFunc(uris, func(uri fyne.URI) bool { return share.Named(uri.Path()) }) {
		c.afterSteps(func() { c.adding.Drop("", uris) })
		return
	}
	c.places.Current().Drop(at, uris)
}

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

// askToQuit asks whether to lose what cannot be saved. Enter keeps it and shows the place of the first loss. Esc only
// closes the question.
func (c *controller) askToQuit(lost []loss) {
	c.open()
	if len(lost) == 0 {
		return
	}
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
	ask.SetAgain(func() { c.askToQuit(c.wouldLose()) })
	c.leaving = ask
	c.window.ShowDialog(ask)
	c.window.Window.Canvas().Focus(keep)
}

// end ends the app without asking. The next start says nothing about text that was not applied, because quit has asked
// about it.
func (c *controller) end() {
	c.settle()
	c.detail.Leave()
	c.quitting()
}

// quitting makes Fyne end. When the system shuts down, only quitting is called, without quit and end: nobody can be
// asked, and the user may be in the middle of typing. So typed text is not applied, and the next start says so.
func (c *controller) quitting() {
	if c.visible.Load() {
		c.remember()
	}
	if c.tray.renderer != nil {
		c.tray.renderer.Close() // otherwise Fyne removes the tray first
	}
	c.leave.Begin()
	c.tasks.Stop() // Fyne's loop may end before it reports that, and then runs queued functions on any goroutine
	c.options.App.Quit()
}
