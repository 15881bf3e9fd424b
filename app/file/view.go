// Package file is the screen that shows workbench-config.json as text, with what is wrong with it at its place, and the history
// of its versions.
//
// What the screen shows is a [View]; what the user types becomes a store.Text, the edit of a text editor, which the store does
// again on whatever the file has become meanwhile. A text that cannot be used is never saved by itself, and neither is one that
// was made of a file that is not there any more as it was.
package file

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// View is what the screen shows. It is not changed once made.
type View struct {
	Path string // of the file, absolute
	Home string // the user's home folder, which paths are shortened by; may be empty

	// Now is the file as it is now, with the edit that could not be saved in it if there is one; one without a Source when
	// there is no file. Nil when the file cannot be read; Problem then says why.
	Now     *config.Document
	Problem error

	// Unsaved is set when Now has an edit that could not be saved.
	Unsaved bool

	// Edits is another number after each edit made in this program, of whatever kind: the store's.
	Edits uint64

	// More are warnings about Now that need to know more than the file, such as variables that are not set.
	More []config.Diagnostic
}

// Actions are what the screen asks for. They are called on the goroutine of the window and must not block; every done is called
// on that goroutine too, later or at once.
type Actions struct {
	// With has a job done with the store of the file, off the goroutine of the window and after the edits that wait already.
	// Done gets the job's error, or why there is no store, after the View that has what was done was applied.
	With func(job func(context.Context, *store.Store) error, done func(error))

	// Background has work done off the goroutine of the window, and then done on it.
	Background func(work, done func())

	// More tells of what is typed what View.More tells of the file. It is called off the goroutine of the window. Nil when there is
	// nothing to tell.
	More func(*config.Document) []config.Diagnostic

	// Undoable tells what was done and offers to undo it.
	Undoable func(text string)

	// Typed is told whether something is typed that is not in the file.
	Typed func(left bool)

	// Back shows the toolboxes.
	Back func()

	// OpenFile shows the file in the program that the user has for it, OpenFolder its folder.
	OpenFile, OpenFolder func()

	// After calls f on the goroutine of the window when a time has passed, unless stop is called before. time.AfterFunc with
	// fyne.Do when nil.
	After func(wait time.Duration, f func()) (stop func())

	// Clock is time.Now when nil.
	Clock func() time.Time
}

func (a Actions) after(wait time.Duration, f func()) (stop func()) {
	if a.After != nil {
		return a.After(wait, f)
	}
	timer := time.AfterFunc(wait, func() { fyne.Do(f) })
	return func() { timer.Stop() }
}

func (a Actions) now() time.Time {
	if a.Clock != nil {
		return a.Clock()
	}
	return time.Now()
}
