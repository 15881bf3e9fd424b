package app

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// showServer shows a server, or a toolbox when the server's name is empty.
func (c *controller) showServer(at model.Choice) {
	c.detail.Editor.Commit()
	c.places.Choose(placeToolboxes)
	c.toolboxes.Select(at)
}

// showTab shows one tab of a server.
func (c *controller) showTab(at model.Choice, tab model.Tab) {
	c.showServer(at)
	c.detail.Open(tab)
}

// showField goes to a field in the Setup of a server, or to its tools.
func (c *controller) showField(at model.Choice, field string) {
	if field == "toolFilters" {
		c.showTab(at, model.TabTools)
		return
	}
	c.showTab(at, model.TabSetup)
	c.detail.Editor.FocusField(field)
}

// showProblems shows the list of problems.
func (c *controller) showProblems() {
	c.places.Choose(placeToolboxes)
	c.toolboxes.ShowProblems()
}

// showFile shows the text of the file.
func (c *controller) showFile() { c.places.Choose(placeFile) }

// showProblem goes to the place of a problem in the text of the file.
func (c *controller) showProblem(problem config.Diagnostic) {
	c.places.Choose(placeFile)
	c.file.Goto(problem.Line, problem.Column)
}

// elsewhere returns a function that calls do, except during the first steps.
func (c *controller) elsewhere(do func()) func() {
	return func() {
		if c.places.At() != placeWelcome {
			do()
		}
	}
}

// afterSteps calls do. During the first steps, which do would leave, it asks before that. If something else is open
// then, it does nothing: what is open comes first.
func (c *controller) afterSteps(do func()) {
	switch {
	case c.places.At() != placeWelcome:
		do()
	case c.window.Window.Canvas().Overlays().Top() == nil:
		c.window.Ask(func() frame.Asked {
			return frame.Asked{Title: lang.L("Leave the first steps?"), Yes: lang.L("Leave"),
				Text: lang.L("They go on at the next start, or from the settings when you like.")}
		}, do)
	}
}

// settle saves typed text that can be saved, and hides the secrets in the text of the file.
func (c *controller) settle() {
	c.detail.Editor.Settle()
	if c.places.At() == placeFile {
		c.file.Leave()
	}
}

// loss is something that would be lost with the window.
type loss struct {
	text string // says what would be lost and why it cannot be saved
	back func() // shows the place of what would be lost
}

// wouldLose returns everything that would be lost if the app ended: typed text that cannot be saved, and an edit that
// could not be saved.
func (c *controller) wouldLose() []loss {
	var lost []loss
	if c.adding.Dialog() != nil && c.adding.Dialog().Typed() {
		lost = append(lost, loss{lang.L("What you filled in to add a server is not added yet."), func() {}})
	}
	lost = append(lost, c.inText()...)
	if at, tab, typed := c.detail.Editor.Unsavable(c.now.File.Now); typed {
		name := map[string]any{"Name": at.Server}
		text := lang.L("What you typed in the setup of “{{.Name}}” is not saved. Its Setup tab says why.", name)
		lost = append(lost, loss{text, func() { c.showTab(at, tab) }})
	}
	if c.now.File.Pending != nil {
		lost = append(lost, loss{saving.Unsaved(c.now.Snapshot), func() {}})
	}
	return lost
}

// inText returns what is typed in the text of the file and cannot be saved. It would also be lost if the screens were
// made again.
func (c *controller) inText() []loss {
	var lost []loss
	if c.file != nil && c.file.Unsaved() {
		lost = append(lost, loss{lang.L(
			"What you typed in the text of the file is not saved. The message above it says why."), c.showFile})
	}
	return lost
}

// addHere opens the dialog that adds servers to the selected toolbox.
func (c *controller) addHere() { c.adding.Open(add.Start{Toolbox: c.toolboxes.Selected().Toolbox}) }

// undo saves typed text that can be saved, and then undoes the last edit.
func (c *controller) undo() {
	c.detail.Editor.Committed(c.saver.Undo)
}
