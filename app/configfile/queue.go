package configfile

import (
	"context"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Queue is the queue of the user's edits. Saving may wait for a disk or another program, so it happens on a goroutine
// of its own, one edit after the other in the order of the clicks.
type Queue struct {
	file *File

	mu    sync.Mutex
	queue []func(context.Context)
	wake  chan struct{}
}

// NewQueue returns an empty queue of changes of a file.
func NewQueue(file *File) *Queue { return &Queue{file: file, wake: make(chan struct{}, 1)} }

// Run works through the queue until the context is cancelled. First it saves the edits that are still in the queue,
// because the user has made them. So edits do not get the context of Run. The store limits how long an edit waits for
// another program.
func (e *Queue) Run(ctx context.Context) error {
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

func (e *Queue) take() []func(context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	jobs := e.queue
	e.queue = nil
	return jobs
}

// add queues a job. It does not wait.
func (e *Queue) add(job func(context.Context)) {
	e.mu.Lock()
	e.queue = append(e.queue, job)
	e.mu.Unlock()
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Change is an edit that the user made while looking at a document.
type Change struct {
	Base *config.Document // what the user looked at; nil for the newest document
	Says words.Text       // the label of the edit
	Ops  []store.Op
}

// ChangeOf returns the change that operations make.
func ChangeOf(base *config.Document, ops []edit.Op) Change {
	return Change{base, store.SayingFor(ops...), []store.Op{store.Edits(ops...)}}
}

// Save queues a change to be saved. done is called on the queue's goroutine.
func (e *Queue) Save(c Change, done func(error)) {
	e.With(done, func(ctx context.Context, s *store.Store) error {
		_, err := s.EditSaying(ctx, c.Base, c.Says, c.Ops...)
		return err
	})
}

// With queues a job that uses the store. done is called on the queue's goroutine, with the error of the job, or with
// the reason why there is no store.
func (e *Queue) With(done func(error), job func(context.Context, *store.Store) error) {
	e.add(func(ctx context.Context) {
		opened, err := e.file.Store()
		if err != nil {
			done(err)
			return
		}
		done(job(ctx, opened))
	})
}
