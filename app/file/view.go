// Package file is the screen that shows workbench-config.json as text with its problems, and the history of its
// versions.
//
// The screen draws a [View]. What the user types becomes a store.Text, an edit that the store can apply to the file
// even if the file has changed meanwhile. A text is never saved automatically if it is not usable, or if it is based
// on a version that conflicts with the file.
package file

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// View is the content of the screen. It does not change.
type View struct {
	Path string // the absolute path of the file
	Home string // the user's home folder, used to shorten paths; may be empty

	// Now is the present file, including an edit that could not be saved. It has no Source if there is no file. If the
	// file cannot be read, Now is nil and Problem says why.
	Now     *config.Document
	Problem error

	// Unsaved reports that Now contains an edit that could not be saved.
	Unsaved bool

	// Edits is the store's number of edits. It changes with every edit made in this program.
	Edits uint64

	// More are warnings about Now that depend on more than the file, such as missing variables.
	More []config.Diagnostic
}

// Program does what the user asks for on this screen. All methods are called on the goroutine of the window, except
// Warnings.
type Program interface {
	// With runs a job with the store of the file, off the goroutine of the window and after the edits that wait already.
	// When the View with the result was applied, it calls done with the error of the job, or with the reason why there
	// is no store.
	With(job func(context.Context, *store.Store) error, done func(error))

	// Background runs work off the goroutine of the window, and then done on it.
	Background(work, done func())

	// Warnings returns the warnings of View.More for typed text. It is called off the goroutine of the window.
	Warnings(typed *config.Document) []config.Diagnostic

	// Undoable tells the user what was done and offers to undo it.
	Undoable(text string)

	// Typed is called with true if there is typed text that is not saved, and with false if there is none.
	Typed(unsaved bool)

	Back()       // shows the toolboxes
	OpenFile()   // opens the file in the user's editor
	OpenFolder() // opens the folder of the file

	// After calls f on the goroutine of the window after some time, unless stop is called before.
	After(wait time.Duration, f func()) (stop func())

	Now() time.Time
}
