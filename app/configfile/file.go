// Package configfile keeps the configuration file for the window: the saved state, the user's edits, and the state
// after them.
package configfile

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// retryPause is the time between two attempts to open a file that cannot be opened. Such a file is rare, and the user
// has to repair it.
const retryPause = time.Second

// File keeps the configuration file for the window. If the file cannot be read, there is no store: the window says so,
// and opening the file is repeated until it succeeds.
type File struct {
	options store.Options
	changed chan struct{} // receives a value when the state has changed

	mu      sync.Mutex
	store   *store.Store
	problem error // why there is no store
}

// Open opens the file, or records why it cannot be opened. The first edit creates a missing file, even one that the
// user has named, because the window shows a missing file as empty.
func Open(options store.Options) *File {
	options.Location.Named = false
	f := &File{options: options, changed: make(chan struct{}, 1)}
	f.open()
	return f
}

func (f *File) open() bool {
	opened, err := store.Open(f.options)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.store, f.problem = opened, err
	return err == nil
}

// Store returns the store, or the reason why there is none.
func (f *File) Store() (*store.Store, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.store, f.problem
}

// State returns the newest state of the file.
func (f *File) State() model.File {
	opened, problem := f.Store()
	if opened == nil {
		return model.File{Snapshot: store.Snapshot{Problem: problem}}
	}
	shown := model.File{Snapshot: opened.Snapshot()}
	switch {
	case shown.Pending != nil:
		shown.Now = shown.Pending.Document
	case shown.Problem == nil:
		shown.Now = shown.Document
	}
	return shown
}

// Changed returns a channel that receives a value when the state of the file has changed.
func (f *File) Changed() <-chan struct{} { return f.changed }

// Run opens the file if that has failed so far, and follows it until the context is cancelled. It returns the
// context's error.
func (f *File) Run(ctx context.Context) error {
	for {
		opened, _ := f.Store()
		if opened != nil {
			return f.follow(ctx, opened)
		}
		if !pause.For(ctx, retryPause) {
			return ctx.Err()
		}
		if f.open() {
			f.signal()
		}
	}
}

func (f *File) follow(ctx context.Context, opened *store.Store) error {
	_, changed, cancel := opened.Subscribe()
	defer cancel()
	var wg background.Group
	wg.Go(func() {
		for {
			select {
			case <-changed:
				f.signal()
			case <-ctx.Done():
				return
			}
		}
	})
	err := opened.Run(ctx)
	wg.Wait()
	return err
}

func (f *File) signal() {
	select {
	case f.changed <- struct{}{}:
	default: // there is a signal already
	}
}
