package toolboxes

import (
	"fyne.io/fyne/v2"
	"github.com/workbench-mcp/workbench-desktop/app/model"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// Actions are what the controls of the screen do. They are called on the goroutine of the window and must not block. All
// of them are there but Import, which may be nil.
type Actions struct {
	// Edit does operations on the file, all or none, as one step to undo. It calls done on the goroutine of the window, with
	// the reason when the file is not changed. The change is shown when the View that has it is applied.
	Edit func(ops []edit.Op, done func(error))

	// Undoable tells the user what was just done, in words, and offers to undo it: Deleted “memory”.
	Undoable func(text string)

	// Add begins to add a server to a toolbox. The name is empty when there is no toolbox yet.
	Add func(toolbox string)

	// Paste adds the servers in a text from the clipboard to a toolbox. The name is empty when there is no toolbox yet.
	Paste func(text, toolbox string)

	// Import goes to where servers of other apps can be brought in; nil: there is no such place.
	Import func()

	// DropFiles adds the servers in files that were dropped on a toolbox. The name is empty when they were dropped on none.
	DropFiles func(toolbox string, uris []fyne.URI)

	// Share shows what a toolbox would be as a file for others.
	Share func(toolbox string)

	// Detail is what the right side shows of a server. ShowServer tells which that is, each time that it changes; the zero
	// Choice tells that the right side shows a toolbox. ShowServer is told the new name of a server that is renamed.
	Detail     fyne.CanvasObject
	ShowServer func(model.Choice)

	// ShowTool shows a tool of the server that ShowServer was told last: the one by which a search has found it.
	ShowTool func(at model.Choice, tool string)

	// Renamed tells that a server has another name now or is in another toolbox, as far as the comparison of two Views shows.
	// It is called for changes by other programs too, and before ShowServer.
	Renamed func(from, to model.Choice)

	// Start, Stop and Restart do that with a server in whatever engines have it; Start uses the app's own.
	Start, Stop, Restart func(model.Choice)
	ShowLog              func(model.Choice)
	Fix                  func(model.Choice) // helps with a server that does not run, or wants the user to sign in

	// StopAll ends servers of a toolbox as Stop does, after it has asked about those that other apps have started.
	StopAll func([]model.Choice)

	// ApplyFix does what the fix of a diagnostic says, and FixAll what all of them say. They too call done on the goroutine
	// of the window.
	ApplyFix    func(problem config.Diagnostic, done func(error))
	FixAll      func(done func(error))
	ShowField   func(at model.Choice, field string) // goes to a field of a server
	ShowProblem func(config.Diagnostic)             // goes to its place in the text of the file

	ShowComputer func() // goes to what the doctor has found

	OpenFile   func() // shows the configuration file in the user's editor
	OpenFolder func() // shows its folder
}
