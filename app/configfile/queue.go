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
func (q *Queue) Run(ctx context.Context) error {
	work := context.WithoutCancel(ctx)
	for {
		for _, job := range q.take() {
			job(work)
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			for _, job := range q.take() {
				job(work)
			}
			return ctx.Err()
		}
	}
}

func (q *Queue) take() []func(context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	jobs := q.queue
	q.queue = nil
	return jobs
}

// add queues a job. It does not wait.
func (q *Queue) add(job func(context.Context)) {
	q.mu.Lock()
	q.queue = append(q.queue, job)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
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
func (q *Queue) Save(c Change, done func(error)) {
	q.With(done, func(ctx context.Context, s *store.Store) error {
		_, err := s.EditSaying(ctx, c.Base, c.Says, c.Ops...)
		return err
	})
}

// With queues a job that uses the store. done is called on the queue's goroutine, with the error of the job, or with
// the reason why there is no store.
func (q *Queue) With(done func(error), job func(context.Context, *store.Store) error) {
	q.add(func(ctx context.Context) {
		opened, err := q.file.Store()
		if err != nil {
			done(err)
			return
		}
		done(job(ctx, opened))
	})
}
