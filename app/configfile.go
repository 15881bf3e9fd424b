package app

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// retry is how often a file that cannot be opened is tried again. It is a rare state, out of which the user comes by hand.
const retry = time.Second

// configFile keeps the configuration file for the window. A store cannot be had of a file that cannot be read at all; the window
// is there all the same and says so, and opening it is tried again until it succeeds.
type configFile struct {
	options store.Options
	changed chan struct{} // gets a value when the state has changed

	mu      sync.Mutex
	store   *store.Store
	problem error // why there is no store
}

// openConfigFile opens the file, or remembers why it can't. The first edit makes a file that is not there yet, also one that was
// named: in a window it can be seen that it is empty.
func openConfigFile(options store.Options) *configFile {
	options.Location.Named = false
	b := &configFile{options: options, changed: make(chan struct{}, 1)}
	b.open()
	return b
}

func (b *configFile) open() bool {
	opened, err := store.Open(b.options)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.store, b.problem = opened, err
	return err == nil
}

// Store gives the store, or why there is none.
func (b *configFile) Store() (*store.Store, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.store, b.problem
}

// fileState is what the configuration file has at one moment.
type fileState struct {
	store.Snapshot // without a Document while there is no store

	// Now is the file as it is now, with the edit that could not be saved in it if there is one. Nil when it cannot be
	// read; Problem then says why.
	Now *config.Document
}

// State returns the newest state of the file.
func (b *configFile) State() fileState {
	opened, problem := b.Store()
	if opened == nil {
		return fileState{Snapshot: store.Snapshot{Problem: problem}}
	}
	shown := fileState{Snapshot: opened.Snapshot()}
	switch {
	case shown.Pending != nil:
		shown.Now = shown.Pending.Document
	case shown.Problem == nil:
		shown.Now = shown.Document
	}
	return shown
}

// Run follows the file until the context ends, and returns its error.
func (b *configFile) Run(ctx context.Context) error {
	for {
		opened, _ := b.Store()
		if opened != nil {
			return b.follow(ctx, opened)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retry):
		}
		if b.open() {
			b.signal()
		}
	}
}

func (b *configFile) follow(ctx context.Context, opened *store.Store) error {
	_, changed, cancel := opened.Subscribe()
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-changed:
				b.signal()
			case <-ctx.Done():
				return
			}
		}
	})
	err := opened.Run(ctx)
	wg.Wait()
	return err
}

func (b *configFile) signal() {
	select {
	case b.changed <- struct{}{}:
	default: // there is a signal already
	}
}
