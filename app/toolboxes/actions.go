package toolboxes

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// Program carries out what the user does on the screen. Its methods are called on the goroutine of the window and must
// not block.
type Program interface {
	Servers
	File
	Detail

	// Add lets the user add a server to a toolbox. The name is empty if there is no toolbox yet.
	Add(toolbox string)

	// Paste adds the servers in a text from the clipboard to a toolbox. The name is empty if there is no toolbox yet.
	Paste(text, toolbox string)

	// DropFiles adds the servers in files that were dropped on a toolbox. The name is empty if they were not dropped on
	// one.
	DropFiles(toolbox string, uris []fyne.URI)

	// CanImport reports whether servers of AI apps can be brought in. Import goes to the place for that.
	CanImport() bool
	Import()

	// Share shows a toolbox as a file for other people.
	Share(toolbox string)

	// PickFolder asks the user for a folder. Its path begins with ~ if it lies in the home folder, so that it fits on
	// another computer, too. It does not call done if the user cancels.
	PickFolder(done func(path string))

	// ShowComputer goes to the problems that the doctor has found.
	ShowComputer()
}

// Servers acts on servers in all engines that have them.
type Servers interface {
	// Start uses the app's own engine if no engine has the server.
	Start(model.Choice)
	Stop(model.Choice)
	Restart(model.Choice)

	// StopAll stops servers of a toolbox. It asks first if other apps have started some of them.
	StopAll([]model.Choice)

	// Fix helps with a server that does not run, or wants the user to sign in.
	Fix(model.Choice)
	ShowLog(model.Choice)
}

// File changes the file and shows it. done is called on the goroutine of the window, with an error if the file was not
// changed.
type File interface {
	// Edit applies operations, all or none, as one undo step. The screen shows the change when the View with it is
	// applied.
	Edit(ops []edit.Op, done func(error))

	// Undoable tells the user what was just done, such as "Deleted “memory”", and offers to undo it.
	Undoable(text string)

	// ApplyFix applies the fix of a diagnostic, and FixAll applies all fixes.
	ApplyFix(problem config.Diagnostic, done func(error))
	FixAll(done func(error))

	PutBack() // writes the file again that another program has removed

	ShowProblem(config.Diagnostic) // goes to its place in the text of the file
	OpenFile()                     // shows the configuration file in the user's editor
	OpenFolder()                   // shows the folder of the file
}

// Detail is the right side while it shows one server.
type Detail interface {
	// ShowServer is called with that server whenever it changes, also when it is renamed, and with the zero Choice when
	// the right side shows a toolbox.
	ShowServer(model.Choice)

	// Leave saves what was typed for the server that is shown. It is called before the user goes to something else, and
	// never when another program has changed what is shown.
	Leave()

	// ShowTool shows a tool of the server that was last passed to ShowServer: the tool that the search has found.
	ShowTool(at model.Choice, tool string)

	// ShowField goes to a field of a server.
	ShowField(at model.Choice, field string)

	// Renamed reports that a server has a new name or is in another toolbox, as far as the comparison of two Views shows
	// it. It is called before ShowServer, for changes by other programs too.
	Renamed(from, to model.Choice)
}
