package tools

import (
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// reader reads the definitions of the tools of a server, each once, and keeps what they say.
type reader struct {
	known   map[string]*facts // by the name of the tool
	reading bool              // another goroutine reads the definitions of many tools
	wg      background.Group
}

func newReader() reader { return reader{known: map[string]*facts{}} }

// forget makes the reader ready for the tools of another server.
func (r *reader) forget() { r.known = map[string]*facts{} }

// define returns the facts of a tool. Their form may still be nil.
func (r *reader) define(tool status.Tool) *facts {
	if have := r.known[tool.Name]; have != nil && have.source == string(tool.Definition) {
		return have
	}
	f := newFacts(tool)
	r.known[tool.Name] = f
	return f
}

// readSchema returns the facts of a tool, with their form.
func (r *reader) readSchema(tool status.Tool) *facts {
	f := r.define(tool)
	if f.form == nil {
		f.form = toolform.Parse(f.definition.InputSchema)
	}
	return f
}

// many is how many definitions must be unread before learn reads them in the background.
const many = 100

// learn reads the definitions of many tools in the background, so that a search does not wait for them. now returns the
// view that is shown, and do calls a function on the goroutine of the window.
func (r *reader) learn(now func() View, do func(func())) {
	view := now()
	if r.reading || len(view.Tools)-len(r.known) < many {
		return
	}
	r.reading = true
	r.wg.Go(func() {
		read := make(map[string]*facts, len(view.Tools))
		for _, tool := range view.Tools {
			read[tool.Name] = newFacts(tool)
		}
		do(func() {
			r.reading = false
			if now().Target() != view.Target() {
				r.learn(now, do)
				return
			}
			for name, f := range r.known {
				read[name] = f // its form may be set already
			}
			r.known = read
		})
	})
}

func newFacts(tool status.Tool) *facts {
	return &facts{definition: tryit.Define(tool.Definition), source: string(tool.Definition)}
}
