package app

import (
	"context"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// edits is the queue of what the user does to the configuration. Saving may wait for a disk or another program, so it happens
// on a goroutine of its own, one edit after the other in the order of the clicks.
type edits struct {
	configFile *configFile

	mu    sync.Mutex
	queue []func(context.Context)
	wake  chan struct{}
}

func newEdits(book *configFile) *edits { return &edits{configFile: book, wake: make(chan struct{}, 1)} }

// Run does what is queued until the context ends. What was asked for before is still done then, since the user has seen it
// done in the window: work does not take the context of Run, and is bounded by the store itself.
func (e *edits) Run(ctx context.Context) error {
	work := context.WithoutCancel(ctx)
	for {
		for _, job := range e.take() {
			job(work)
		}
		select {
		case <-e.wake:
		case <-ctx.Done():
			for _, job := range e.take() {
				job(work)
			}
			return ctx.Err()
		}
	}
}

func (e *edits) take() []func(context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	jobs := e.queue
	e.queue = nil
	return jobs
}

// add queues a job. It does not wait.
func (e *edits) add(job func(context.Context)) {
	e.mu.Lock()
	e.queue = append(e.queue, job)
	e.mu.Unlock()
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// change is an edit that the user made while looking at a document.
type change struct {
	base  *config.Document // nil: the newest
	label string
	ops   []store.Op
}

// changeOf gives the change that operations make.
func changeOf(base *config.Document, ops []edit.Op) change {
	return change{base, store.LabelFor(ops...), []store.Op{store.Edits(ops...)}}
}

// save saves a change. Done is called on the queue's goroutine.
func (e *edits) save(c change, done func(error)) {
	e.with(done, func(ctx context.Context, s *store.Store) error {
		_, err := s.EditFrom(ctx, c.base, c.label, c.ops...)
		return err
	})
}

// with queues something to be done with the store.
func (e *edits) with(done func(error), job func(context.Context, *store.Store) error) {
	e.add(func(ctx context.Context) {
		opened, err := e.configFile.Store()
		if err != nil {
			done(err)
			return
		}
		done(job(ctx, opened))
	})
}
