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

// check diagnoses a text as that of a file. Done may be left out when another text comes meanwhile. What there is to be said about
// a usable text besides comes afterwards, since that may take longer and nothing shall wait for it.
func (c *checker) check(name, text string, done func(*config.Document), besides func(*config.Document, []config.Diagnostic)) {
	c.waiting = func() {
		var document *config.Document
		c.background(func() { document = config.Parse(name, []byte(text)) }, func() {
			c.busy = false
			if c.waiting == nil {
				done(document)
				c.checkMore(document, besides)
			}
			c.next()
		})
	}
	if !c.busy {
		c.next()
	}
}

// checkMore finds out what there is to be said about a document besides.
func (c *checker) checkMore(document *config.Document, besides func(*config.Document, []config.Diagnostic)) {
	if c.more == nil || !document.Valid() {
		return
	}
	var more []config.Diagnostic
	c.background(func() { more = c.more(document) }, func() { besides(document, more) })
}

func (c *checker) next() {
	if next := c.waiting; next != nil {
		c.waiting, c.busy = nil, true
		next()
	}
}

// drop forgets the text that waits, and ignores the result for the one that is being diagnosed.
func (c *checker) drop() {
	if c.busy {
		c.waiting = func() { c.busy = false }
	}
}
