package configfile

import (
	"errors"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// Preview computes what the file would be after some operations, while the user types. Only the newest request is
// answered: it replaces any request that still waits.
type Preview struct {
	file  *File
	tasks *task.Tasks

	mu      sync.Mutex
	waiting func()
	busy    bool
}

// NewPreview returns a Preview of a file.
func NewPreview(file *File, tasks *task.Tasks) *Preview { return &Preview{file: file, tasks: tasks} }

// Ask requests a preview. done is called on the goroutine of the window, with nil if the operations cannot be applied.
// It is not called if a newer request replaces this one.
func (c *Preview) Ask(ops []edit.Op, done func(*config.Document)) {
	answer := func() {
		document := c.look(ops)
		c.tasks.Do(func() { done(document) })
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = answer
	if !c.busy {
		c.busy = true
		c.tasks.Background(c.work)
	}
}

func (c *Preview) work() {
	for {
		c.mu.Lock()
		next := c.waiting
		c.waiting = nil
		c.busy = next != nil
		c.mu.Unlock()
		if next == nil {
			return
		}
		next()
	}
}

func (c *Preview) look(ops []edit.Op) *config.Document {
	opened, err := c.file.Store()
	if err != nil {
		return nil
	}
	change, err := opened.Preview(store.LabelFor(ops...), store.Edits(ops...))
	var invalid *store.InvalidError
	if errors.As(err, &invalid) {
		return invalid.Result
	}
	return change.After // nil after an error
}
