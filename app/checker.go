package app

import (
	"errors"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// checker tells what the file would be with operations done, while the user types. Only the newest question is answered: one
// that comes while another is being looked at takes the place of any that waits.
type checker struct {
	desk *controller

	mu      sync.Mutex
	waiting func()
	busy    bool
}

// ask asks. Done is called on the goroutine of the window; its document is nil when the operations cannot be done.
func (c *checker) ask(ops []edit.Op, done func(*config.Document)) {
	answer := func() {
		document := c.preview(ops)
		c.desk.do(func() { done(document) })
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = answer
	if !c.busy {
		c.busy = true
		c.desk.background(c.work)
	}
}

func (c *checker) work() {
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

func (c *checker) preview(ops []edit.Op) *config.Document {
	opened, err := c.desk.configFile.Store()
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
