package editor

import (
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// Program does what the user asks for. Its methods are called on the goroutine of the window and must not block. They
// call done on that goroutine too, at once or later.
type Program interface {
	// Check returns what the file would be after the operations, without saving it. Only the answer to the newest call
	// is used, so earlier calls need no answer. The document is nil if the operations cannot be done.
	Check(ops []edit.Op, done func(document *config.Document))

	// Save saves operations that were chosen while base was shown; if base is nil, they apply to the newest file. Edit
	// saves operations on the server as a whole, such as a new name. Both must apply the View with the change and call
	// Screen.Edited before they call done.
	Save(base *config.Document, ops []edit.Op, done func(err error))
	Edit(ops []edit.Op, done func(err error))

	// Typed gets the names of the servers with text that is typed and not saved, whenever they may have changed.
	Typed(servers []string)

	// NotSaved reports that a change to a server that is not shown any more could not be saved.
	NotSaved(at model.Choice, err error)

	// Show shows another entry, after this one was renamed, moved or duplicated. If the entry was deleted, Show shows
	// its toolbox. OpenFile shows the whole file, for problems that are not in this entry alone.
	Show(model.Choice)
	OpenFile()

	// Turned is called when the user changes the tab, so that hidden tabs need not be updated; again says that the tab
	// was shown already.
	Turned(to model.Tab, again bool)

	// Start, Restart and Stop control the server. Fix helps with its problem.
	Start(model.Choice)
	Restart(model.Choice)
	Stop(model.Choice)
	Fix(model.Choice)

	// SignedIn reports whether the user has signed in to a remote server. SignOut signs out.
	SignedIn(model.Choice) bool
	SignOut(model.Choice)

	Computer
}

// Computer is what the screen asks of the user's computer.
type Computer interface {
	// LookPath finds the program that starts a server, using its command, environment and folder, in which references
	// are allowed. The path is shown to the user.
	LookPath(server config.Server, done func(path string, err error))

	// PickFile and PickFolder ask the user for a path. They do not call done if the user cancels.
	PickFile(done func(path string))
	PickFolder(done func(path string))

	// Env returns an environment variable and whether it is set.
	Env(name string) (string, bool)

	// HasSecret finds out whether the keychain has a secret. That may take a while.
	HasSecret(name string, done func(has bool, err error))

	// KeepSecret stores a secret in the keychain. If the keychain already has another secret under the name, KeepSecret
	// chooses another name; done gets the name that was used.
	KeepSecret(name, value string, done func(kept string, err error))

	// ReadSecret reads a secret from the keychain.
	ReadSecret(name string, done func(value string, err error))

	// After calls f on the goroutine of the window after a time, unless stop is called before.
	After(wait time.Duration, f func()) (stop func())
}

// Slots are the parts of the screen that are made by other packages.
type Slots struct {
	Tools, Log fyne.CanvasObject
}
