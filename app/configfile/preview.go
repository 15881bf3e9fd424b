package configfile

import (
	"errors"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// Preview tells what the file would be with operations done, while the user types. Only the newest question is answered: one
// that comes while another is being looked at takes the place of any that waits.
type Preview struct {
	file  *File
	tasks *task.Tasks

	mu      sync.Mutex
	waiting func()
	busy    bool
}

// NewPreview tells what a file would be.
func NewPreview(file *File, tasks *task.Tasks) *Preview { return &Preview{file: file, tasks: tasks} }

// Ask asks. Done is called on the goroutine of the window; its document is nil when the operations cannot be done.
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
	return change.After // nil with an error
}
