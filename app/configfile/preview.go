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
func (p *Preview) Ask(ops []edit.Op, done func(*config.Document)) {
	answer := func() {
		document := p.look(ops)
		p.tasks.Do(func() { done(document) })
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = answer
	if !p.busy {
		p.busy = true
		p.tasks.Background(p.work)
	}
}

func (p *Preview) work() {
	for {
		p.mu.Lock()
		next := p.waiting
		p.waiting = nil
		p.busy = next != nil
		p.mu.Unlock()
		if next == nil {
			return
		}
		next()
	}
}

func (p *Preview) look(ops []edit.Op) *config.Document {
	opened, err := p.file.Store()
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
