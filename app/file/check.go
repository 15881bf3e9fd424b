package file

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// checker diagnoses texts off the goroutine of the window. Only the newest is looked at: one that comes while another is being
// diagnosed takes the place of any that waits.
type checker struct {
	background func(work, done func())
	more       func(*config.Document) []config.Diagnostic // may be nil

	busy    bool
	waiting func()
}

// check diagnoses a text as that of a file, and what is to be said about a usable one besides. Done may be left out when another
// text comes meanwhile.
func (c *checker) check(name, text string, done func(_ *config.Document, more []config.Diagnostic)) {
	c.waiting = func() {
		var document *config.Document
		var more []config.Diagnostic
		c.background(func() {
			if document = config.Parse(name, []byte(text)); document.Valid() && c.more != nil {
				more = c.more(document)
			}
		}, func() {
			c.busy = false
			if c.waiting == nil {
				done(document, more)
			}
			c.next()
		})
	}
	if !c.busy {
		c.next()
	}
}

func (c *checker) next() {
	if next := c.waiting; next != nil {
		c.waiting, c.busy = nil, true
		next()
	}
}

// drop forgets what waits, and has what is being diagnosed not told.
func (c *checker) drop() {
	if c.busy {
		c.waiting = func() { c.busy = false }
	}
}
