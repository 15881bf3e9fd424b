package editor

import (
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// Actions are what the screen asks for. They are called on the goroutine of the window and must not block; every done is
// called on that goroutine too, later or at once.
type Actions struct {
	// Check tells what the file would be with the operations done, without saving it. Only the newest answer counts, so
	// earlier ones may be left out. The document is nil when the operations cannot be done.
	Check func(ops []edit.Op, done func(document *config.Document))

	// Save saves operations that were chosen while base was looked at, nil for the newest file. Edit saves those that are about the server as a
	// whole. Done should come after the View that has them was applied and Screen.Edited was told.
	Save func(base *config.Document, ops []edit.Op, done func(err error))
	Edit func(ops []edit.Op, done func(err error))

	// Typed is told the names of the servers for which something is typed and not in the file, whenever that may have changed.
	Typed func(servers []string)

	// NotSaved tells that what was typed before another entry was shown could not be saved.
	NotSaved func(at edit.Target, err error)

	// Show brings another entry into the editor, after this one was renamed, moved or duplicated. An empty server means
	// that the entry was deleted: the shell then shows the toolbox.
	Show func(toolbox, server string)

	// Start, Restart and Stop are for the server itself, Fix for its problem.
	Start, Restart, Stop, Fix func(toolbox, server string)

	// SignedIn tells whether the user has signed in to a remote server, at once; SignOut ends that.
	SignedIn func(toolbox, server string) bool
	SignOut  func(toolbox, server string)

	// OpenFile shows the whole file, for what is not wrong in this entry alone.
	OpenFile func()

	// LookPath finds the program of a server that is started with this command, environment and folder, references
	// included. Path is for people.
	LookPath func(server config.Server, done func(path string, err error))

	// PickFile and PickFolder ask the user for a path. Done is not called when the user gives up.
	PickFile, PickFolder func(done func(path string))

	// Env returns an environment variable and whether it is set, at once.
	Env func(name string) (string, bool)

	// HasSecret tells whether the keychain has a secret of that name; it may take a while.
	HasSecret func(name string, done func(has bool, err error))

	// KeepSecret puts a secret into the keychain. The name is a wish: done gets the name under which it is kept, which is
	// another one when that name holds another secret already.
	KeepSecret func(name, value string, done func(kept string, err error))

	// ReadSecret reads a secret from the keychain.
	ReadSecret func(name string, done func(value string, err error))

	// After calls f on the goroutine of the window when a time has passed, unless stop is called before.
	After func(wait time.Duration, f func()) (stop func())
}

// Slots are the parts of the screen that are made elsewhere.
type Slots struct {
	Tools, Log fyne.CanvasObject

	// OnTab is called when the user goes to another tab, so that what cannot be seen need not be kept up.
	OnTab func(Tab)

	// OnAgain is called when the user clicks the tab that is there already; nil: nothing.
	OnAgain func(Tab)
}

// Tab is one of the four tabs.
type Tab int

// The tabs, in their order.
const (
	TabSetup Tab = iota
	TabTools
	TabLog
	TabJSON
)
