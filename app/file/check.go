package file

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// checker diagnoses texts outside the goroutine of the window. Of the texts that arrive while another one is
// diagnosed, it keeps only the newest.
type checker struct {
	program Program

	busy    bool   // a text is being diagnosed
	waiting func() // begins with the newest text that waits; nil if none waits
}

// check diagnoses the text of a file and calls done, unless a newer text arrives first. For a usable text it then
// calls besides with the diagnostics that depend on this computer, which may take longer.
func (c *checker) check(name, text string, done func(*config.Document),
	besides func(*config.Document, []config.Diagnostic)) {
	c.waiting = func() {
		var document *config.Document
		c.program.Background(func() { document = config.Parse(name, []byte(text)) }, func() {
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

// checkMore finds the diagnostics of a document that depend on this computer.
func (c *checker) checkMore(document *config.Document, besides func(*config.Document, []config.Diagnostic)) {
	if !document.Valid() {
		return
	}
	var more []config.Diagnostic
	c.program.Background(func() { more = c.program.Warnings(document) }, func() { besides(document, more) })
}

func (c *checker) next() {
	if next := c.waiting; next != nil {
		c.waiting, c.busy = nil, true
		next()
	}
}

// drop discards the waiting text, and the result for the text that is being diagnosed.
func (c *checker) drop() {
	if c.busy {
		c.waiting = func() { c.busy = false }
	}
}
