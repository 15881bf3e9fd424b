package toolboxes

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// Actions are what the controls of the screen do. They are called on the goroutine of the window and must not block.
// Only Import may be nil.
type Actions struct {
	// Edit applies operations to the file, all or none, as one undo step. It calls done on the goroutine of the window,
	// with an error if the file was not changed. The screen shows the change when the View with it is applied.
	Edit func(ops []edit.Op, done func(error))

	// Undoable tells the user what was just done, such as "Deleted “memory”", and offers to undo it.
	Undoable func(text string)

	// Add lets the user add a server to a toolbox. The name is empty if there is no toolbox yet.
	Add func(toolbox string)

	// Paste adds the servers in a text from the clipboard to a toolbox. The name is empty if there is no toolbox yet.
	Paste func(text, toolbox string)

	// Import goes to the place where servers of other apps can be imported. It is nil if there is no such place.
	Import func()

	// DropFiles adds the servers in files that were dropped on a toolbox. The name is empty if they were not dropped on a
	// toolbox.
	DropFiles func(toolbox string, uris []fyne.URI)

	// Share shows a toolbox as a file for other people.
	Share func(toolbox string)

	// Detail is the content of the right side while it shows a server. ShowServer is called with that server whenever it
	// changes, also when it is renamed, and with the zero Choice when the right side shows a toolbox.
	Detail     fyne.CanvasObject
	ShowServer func(model.Choice)

	// Leave saves what was typed for the server that is shown. It is called before the user goes to something else, and
	// never when another program has changed what is shown.
	Leave func()

	// ShowTool shows a tool of the server that was last passed to ShowServer: the tool that the search has found.
	ShowTool func(at model.Choice, tool string)

	// Renamed reports that a server has a new name or is in another toolbox, as far as the comparison of two Views shows
	// it. It is called before ShowServer, for changes by other programs too.
	Renamed func(from, to model.Choice)

	// Start, Stop and Restart act on a server in all engines that have it. Start uses the app's own engine if no engine
	// has it.
	Start, Stop, Restart func(model.Choice)
	ShowLog              func(model.Choice)
	Fix                  func(model.Choice) // helps with a server that does not run, or wants the user to sign in

	// StopAll stops servers of a toolbox. It asks first if other apps have started some of them.
	StopAll func([]model.Choice)

	// ApplyFix applies the fix of a diagnostic, and FixAll applies all fixes. They call done on the goroutine of the
	// window.
	ApplyFix    func(problem config.Diagnostic, done func(error))
	FixAll      func(done func(error))
	ShowField   func(at model.Choice, field string) // goes to a field of a server
	ShowProblem func(config.Diagnostic)             // goes to its place in the text of the file

	ShowComputer func() // goes to the problems that the doctor has found

	OpenFile   func() // shows the configuration file in the user's editor
	OpenFolder func() // shows the folder of the file
}
