package mcpserver

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// Clients cut long answers without telling the model. So an answer that is too long is reduced: parts are left out, in
// the order of contract.md, section 5, until it fits. Its member "_reduced" says what is missing and which call
// returns it.

// reduction makes an answer of open_toolbox that a client shows its model completely.
type reduction struct {
	opened  *toolbox.Opened
	limit   client.Limit
	tool    string // the name of open_toolbox
	view    view
	bytes   int      // size of the answer without its remark
	leftOut []string // what the view leaves out, for the model
	buffer  []byte   // the last answer, which the next one overwrites
}

// whole returns the answer with nothing left out. If that is too long, the answer says how to get less.
func (r *reduction) whole() []byte {
	answer := r.view.append(nil, r.opened)
	if !r.fits(answer) && len(r.tools()) > 1 {
		r.view.remark = jsonrpc.AppendString([]byte(`"_note":`),
			fmt.Sprintf("Your app may show only the first %d characters of this answer. Name a tool as well to get that one "+
				"alone.", r.limit.Size))
		answer = r.view.append(nil, r.opened)
	}
	return answer
}

// reduce returns the answer with as much as the client shows.
func (r *reduction) reduce() []byte {
	r.view.members = map[*downstream.Item][]jsonrpc.Member{}
	answer := r.draw(r.view)
	if r.fits(answer) {
		return answer
	}
	r.bytes = len(answer)
	for _, step := range r.steps() {
		if answer, ok := r.take(step); ok {
			return answer
		}
	}
	return r.compact()
}

// step is something that can be left out. leave changes a view so that this is missing in it.
type step struct {
	what  string
	leave func(*view)
}

// steps returns what is left out, in this order, until the answer fits.
func (r *reduction) steps() []step {
	without := func(what string, names ...string) step {
		return step{what, func(v *view) { v.without = append(slices.Clip(v.without), names...) }}
	}
	steps := []step{
		without("outputSchema", "outputSchema"), without("annotations", "annotations"), without("execution", "execution"),
		without("title", "title"), without("icons", "icons"),
		without("_meta and members that MCP does not know", "_meta", otherMembers),
		{"instructions", func(v *view) { v.noInstructions = true }},
	}
	sentences := step{"descriptions after their first sentence", func(v *view) { v.firstSentence = true }}
	if r.view.registered != nil {
		return append(steps, without("inputSchema", "inputSchema"), sentences)
	}
	return append(steps, sentences, step{"inputSchema of the largest tools", r.leaveSchemas})
}

// take applies a step. It returns the answer, and reports whether that fits.
func (r *reduction) take(s step) (answer []byte, ok bool) {
	next, before := r.view, r.leftOut
	s.leave(&next)
	r.leftOut = append(slices.Clip(before), s.what)
	next.remark = r.remark(true)
	answer = r.draw(next)
	size := len(answer) - len(next.remark) - len(",")
	if size == r.bytes {
		r.leftOut = before
		return nil, false // there was nothing to leave out
	}
	r.view, r.bytes = next, size
	return answer, r.fits(answer)
}

// leaveSchemas leaves out the inputSchema of as many tools as necessary, the largest first.
func (r *reduction) leaveSchemas(v *view) {
	tools := r.tools()
	sizes := make(map[*downstream.Item]int, len(tools))
	for _, tool := range tools {
		sizes[tool] = len(jsonrpc.Lookup(tool.Definition, "inputSchema"))
	}
	slices.SortStableFunc(tools, func(a, b *downstream.Item) int { return cmp.Compare(sizes[b], sizes[a]) })
	bare := func(n int) map[*downstream.Item]bool {
		set := make(map[*downstream.Item]bool, n)
		for _, tool := range tools[:n] {
			set[tool] = true
		}
		return set
	}
	trial := *r
	trial.leftOut = append(slices.Clip(r.leftOut), "inputSchema of the largest tools")
	fits := func(n int) bool {
		next := *v
		next.bare, next.remark = bare(n), trial.remark(true)
		return r.fits(trial.draw(next))
	}
	n := len(tools)
	if fits(n) {
		n = sort.Search(n, fits)
	}
	v.bare = bare(n)
}

func (r *reduction) fits(answer []byte) bool {
	return sizeOf(answer, r.limit.Unit) <= r.limit.Size
}

func (r *reduction) tools() []*downstream.Item {
	var tools []*downstream.Item
	for _, server := range r.opened.Servers {
		for i := range server.Tools {
			tools = append(tools, &server.Tools[i])
		}
	}
	return tools
}

// draw returns the answer of a view. It is valid until the next call, which reuses its memory.
func (r *reduction) draw(v view) []byte {
	r.buffer = v.append(r.buffer[:0], r.opened)
	return r.buffer
}

// remark returns the member that says what is left out, and which call returns everything about one tool or one
// server.
func (r *reduction) remark(oneTool bool) []byte {
	id, found := r.example()
	dst := append([]byte(`"_reduced":{"left_out":`), appendStrings(nil, r.leftOut)...)
	if !found {
		return append(dst, '}')
	}
	dst = append(dst, `,"note":`...)
	note := "The call below brings all of one tool; without \"tool\", of all tools of the server."
	if !oneTool {
		note = "The call below brings the tools of one server; with \"tool\" and a name, that one alone."
	}
	switch {
	case r.view.useTool != "":
		note = "Your list of tools has them all but those that only " + r.view.useTool + " calls. " + note
	case r.view.registered != nil:
		note = "Your list of tools has them all, this one as " + r.view.registered(id) + ". " + note
	}
	dst = jsonrpc.AppendString(dst, note)
	dst = append(dst, `,"call":{`...)
	dst = jsonrpc.AppendString(dst, r.tool)
	dst = append(dst, `:{"toolbox_name":`...)
	dst = jsonrpc.AppendString(dst, id.Toolbox)
	dst = append(dst, `,"server":`...)
	dst = jsonrpc.AppendString(dst, id.Server)
	if oneTool {
		dst = append(dst, `,"tool":`...)
		dst = jsonrpc.AppendString(dst, id.Tool)
	}
	return append(dst, `}}}`...)
}

// example returns the tool with the largest definition, of which probably most is left out.
func (r *reduction) example() (id toolbox.ToolID, found bool) {
	most := -1
	for _, server := range r.opened.Servers {
		for i := range server.Tools {
			tool := &server.Tools[i]
			if len(tool.Definition) > most {
				most, found = len(tool.Definition), true
				id = toolbox.ToolID{Toolbox: r.opened.Toolbox, Server: server.Name, Tool: tool.Name}
			}
		}
	}
	return id, found
}
