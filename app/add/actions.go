// Package add is the dialog that adds servers to a toolbox: from the catalogue, from pasted text, from a file or by hand.
// It shows what will be started before it is, and tries it once it is added.
//
// What the dialog knows is in its model, which draws nothing; what it does is in [Actions], which the shell gives.
package add

import (
	"context"
	"encoding/json"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/share"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Actions are what the dialog needs of the program. All of them are called on the goroutine of the window and must not
// block; the functions that they are given must be called on it too. Those that may be nil say so.
type Actions struct {
	// Toolboxes are the names of the toolboxes in the order of the file; there may be none.
	Toolboxes func() []string

	// Taken are the names of the servers of a toolbox.
	Taken func(toolbox string) []string

	// Here is the computer on which shared toolboxes are opened.
	Here share.Surroundings

	// Add writes servers into a toolbox, all or none, as one step to undo; with newToolbox it makes the toolbox first, with the
	// description. It calls done with the reason when the file is not changed.
	Add func(toolbox string, newToolbox bool, description string, servers []Server, done func(error))

	// Try starts a server and reports how that goes, until it calls done once: with Connected, or with what is wrong. When
	// the context ends it gives up; done is then not needed. Nil: servers are added without trying them.
	Try func(ctx context.Context, toolbox, server string, report, done func(status.Server))

	// KeepInKeychain stores a secret under a name in the system's keychain, off the goroutine of the window. Nil: there is
	// no keychain, and none is offered.
	KeepInKeychain func(name, value string, done func(error))

	// NoKeychain finds out whether it is certain that there is none here; keeping secrets there is then not offered. Nil: there is one.
	NoKeychain func(done func(absent bool))

	// LookPath tells whether a program is there for servers to be started with, as they would find it. Nil: nothing is said
	// about that.
	LookPath func(command string, found func(bool))

	// Get gives what gets a program that was not found, by its id in engine/manage/runtimes, and shows how far that is. changed is told
	// when it is there. It gives nil where it cannot be got; then its page is offered.
	Get func(id string, importance widget.Importance, changed func(there bool)) fyne.CanvasObject

	// ChooseFile and ChooseFolder let the user choose one, and call done with its path unless they give up. Nil: paths are
	// typed.
	ChooseFile   func(done func(path string))
	ChooseFolder func(done func(path string))

	// ReadFile reads a text file that the user has chosen, as far as it is no larger than paste.MaxSize. Nil: the way
	// “From a file” is not offered.
	ReadFile func(path string, done func(text string, err error))

	// ReadExtension reads a bundle (.mcpb, .dxt) that the user has chosen; nothing of it is put on the computer. Nil: bundles are
	// not taken.
	ReadExtension func(path string, done func(*extension.Extension, error))

	// Unpack puts the files of an extension where its server is started from, unless the context ends before. It calls done with
	// what takes them away again, which is nil when they were there already, or with the reason when it could not.
	Unpack func(ctx context.Context, x *extension.Extension, done func(remove func(), err error))

	// Registry is searched where the user asks for that. Nil: it is not offered.
	Registry *Registry

	// OpenURL shows a web page in the user's browser. Nil: links are not shown.
	OpenURL func(address string)

	// Edit shows the setup of a server, at a field of its entry ("command", "args", "env", "url", "headers" or ""). The
	// dialog is closed before. Nil: not offered; ShowLog, SignIn likewise.
	Edit    func(toolbox, server, field string)
	ShowLog func(toolbox, server string)
	SignIn  func(toolbox, server string)

	// Later does something on the goroutine of the window when a time has passed.
	Later func(wait time.Duration, f func()) (stop func())

	// Closed is called once, when the dialog has gone. It may be nil.
	Closed func()
}

// Server is a server to be added.
type Server struct {
	Name  string
	Entry json.RawMessage // as workbench-config.json has it, on one line
}

// Way is one of the ways to say which server it is.
type Way int

// The ways, in the order of their tabs.
const (
	WayCatalogue Way = iota
	WayPaste
	WayFile
	WayHand
)

// Start is how the dialog begins. Its zero value is the catalogue.
type Start struct {
	Way     Way
	Text    string // what was pasted or dropped; with it the way is WayPaste, and what is recognised is shown at once
	Files   []File // what was dropped, when that is more than one thing or an extension; all that is recognised in them is shown at once
	Toolbox string // where it goes; empty: the first

	Found *paste.Found // what a link proposes: the review of it is shown at once; nil: nothing

	// Unasked says that a page or another program has opened the dialog, and not the person: keys and clicks of that moment were meant for
	// something else.
	Unasked bool

	// Tried are servers that are in the toolbox already, such as those that were brought in: they are tried, and nothing else is shown.
	Tried []model.Tried
}

// File is what was in a file that was dropped, or why it could not be read.
type File struct {
	Name string
	Text string
	Err  error

	Extension *extension.Extension // when it is a bundle; there is no text then
}
