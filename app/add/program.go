// Package add is the dialog that adds servers to a toolbox: from the catalogue, from pasted text, from a file or by
// hand. The dialog shows what will be started before anything is started, and tries each server after it was added.
//
// The dialog acts on the program only through [Program].
package add

import (
	"context"
	"encoding/json"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Program is what the dialog asks of the program. Its methods are called on the goroutine of the window and must not
// block. They call the functions that they get on that goroutine, too.
type Program interface {
	Around

	// Toolboxes returns the names of the toolboxes in the order of the file. There may be none. Taken returns the names
	// of the servers of a toolbox.
	Toolboxes() []string
	Taken(toolbox string) []string

	// Add writes servers to a toolbox, all or none, as one undo step. With newToolbox it first creates the toolbox with
	// the description. It calls done with an error if the file was not changed.
	Add(toolbox string, newToolbox bool, description string, servers []Server, done func(error))

	// Try starts a server and reports its progress. It calls done once: when the server is connected, or when it has
	// failed. If the context is cancelled, Try gives up and need not call done.
	Try(ctx context.Context, toolbox, server string, report, done func(status.Server))

	// Tried tells which servers the dialog tries from now on. It tries none if they are nil.
	Tried(*model.Trials)

	// KeepInKeychain stores a secret under a name in the system's keychain. NoKeychain finds out whether this computer
	// certainly has no keychain. Then the dialog does not offer to use one.
	KeepInKeychain(name, value string, done func(error))
	NoKeychain(done func(absent bool))

	// Finds reports whether servers would find a program.
	Finds(command string, found func(bool))

	// ChooseFile and ChooseFolder let the user choose a file or a folder, and call done with the path unless the user
	// cancels.
	ChooseFile(done func(path string))
	ChooseFolder(done func(path string))

	// ReadFile reads a text file that the user has chosen, of at most foreign.MaxSize bytes. ReadExtension reads a
	// bundle (.mcpb, .dxt), and unpacks nothing.
	ReadFile(path string, done func(text string, err error))
	ReadExtension(path string, done func(*extension.Extension, error))

	// Unpack writes the files of an extension to the folder from which its server is started, unless the context is
	// cancelled. It calls done with a function that removes the files again (nil if they were there already), or with an
	// error.
	Unpack(ctx context.Context, x *extension.Extension, done func(remove func(), err error))

	// Registry is searched when the user asks for it. If it is nil, it is not offered.
	Registry() Registry

	OpenURL(address string) // shows a web page in the user's browser

	// Later calls f on the goroutine of the window after some time, unless stop is called before.
	Later(wait time.Duration, f func()) (stop func())

	// Ended is called once, when the dialog was closed.
	Ended()
}

// Around is what the dialog asks of the rest of the window. For a server that was added, the dialog is closed before
// another place is shown.
type Around interface {
	// Here describes the computer on which shared toolboxes are opened.
	Here() share.Surroundings

	// Get returns a widget that installs a missing program and shows the progress. id is the program's ID in
	// engine/manage/computer/runtimes. The widget calls changed when the program is there. Get returns nil if Workbench
	// cannot install the program; then the dialog links to its web page.
	Get(id string, importance widget.Importance, changed func(there bool)) fyne.CanvasObject

	// ShowField shows the settings of a server, at a field of its entry ("command", "args", "env", "url", "headers", or
	// "").
	ShowField(at model.Choice, field string)
	ShowLog(at model.Choice)
	SignIn(at model.Choice)

	// Tools finds the tools of a server that works; there are none if they cannot be found.
	Tools(at model.Choice, done func([]status.Tool))

	// TryTool shows the page on which a tool is tried.
	TryTool(at model.Choice, tool string)

	// Added shows what was added, with the keyboard, after the dialog was closed: a server, or a toolbox.
	Added(at model.Choice)
}

// Server is a server to add.
type Server struct {
	Name  string
	Entry json.RawMessage // as in workbench-config.json, on one line
}

// Way is a way to say which server to add.
type Way int

// The ways, in the order of their tabs.
const (
	WayCatalogue Way = iota
	WayPaste
	WayFile
	WayHand
)

// Start is the state in which the dialog opens. The zero value shows the catalogue.
type Start struct {
	Way     Way
	Text    string // pasted or dropped text; the dialog shows what it contains under WayPaste
	Files   []File // dropped files, if they are several or an extension; the dialog shows the servers in all of them
	Toolbox string // the toolbox to add servers to; empty for the first one

	Found *foreign.Found // what a link proposes; the dialog opens with its review; may be nil

	// Unasked is set if a web page or another program has opened the dialog, not the user. Keys and clicks of the first
	// moment were meant for something else.
	Unasked bool

	// Tried are servers that are in the toolbox already, such as imported ones. The dialog tries them and shows nothing
	// else.
	Tried []model.Tried
}

// File is the content of a dropped file, or the error of reading it.
type File struct {
	Name string
	Text string
	Err  error

	Extension *extension.Extension // set for a bundle; then Text is empty
}
