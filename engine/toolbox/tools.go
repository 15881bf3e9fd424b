package toolbox

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// noSchema is the problem of a tool whose schema does not describe its arguments.
const noSchema = words.Code("toolbox.no_schema")

// Tools returns all tools of a server, including those that filters hide and those that are left out because they are
// faulty. For a server that is down it returns the last known tools. For one that was never connected it returns none.
func (m *Manager) Tools(toolbox, server string) []status.Tool {
	m.boxes.mu.Lock()
	var known []downstream.Item
	var problems []downstream.Diagnostic
	var entry *config.Server
	var withheld map[string]bool
	var others []string
	if l := m.boxes.link(ServerID{toolbox, server}); l != nil {
		known, entry, withheld = l.tools.known, m.boxes.configured(l), l.pins.withheld
		if _, waits := withheld[pin.Instructions]; waits {
			instructions := downstream.Item{Name: pin.Instructions, Definition: l.pins.instructions}
			known = slices.Insert(slices.Clone(known), 0, instructions)
		}
		others = m.boxes.otherTools(l)
		if l.settled() && l.session != nil {
			problems = l.session.Info().Diagnostics
		}
	}
	m.boxes.mu.Unlock()
	faulty := map[string]words.Text{}
	for _, problem := range problems {
		if problem.Kind == downstream.Tools && problem.Kept {
			faulty[problem.Name] = problem.Message // the last one is the most important
		}
	}
	names := pin.NewNames(others)
	tools := make([]status.Tool, 0, len(known)+len(problems))
	looked := 0
	for _, tool := range known {
		t := status.Tool{Name: tool.Name, Definition: tool.Definition,
			Allowed: entry != nil && (entry.Allows(tool.Name) || tool.Name == pin.Instructions)}
		_, t.Withheld = withheld[tool.Name]
		marks := []pin.Mark{pin.Unsearched()}
		if looked += len(tool.Definition); looked <= pin.Budget {
			marks = pin.Marks(pin.Definition{Name: tool.Name, Raw: tool.Definition}, names)
		}
		for _, mark := range marks {
			t.Marks = append(t.Marks, mark.Text())
		}
		if t.Allowed && m.options.Exposed != nil {
			t.Exposed = m.options.Exposed(ToolID{toolbox, server, tool.Name})
		}
		if tool.NoSchema {
			t.Problem = noSchema.Text()
		}
		if fault, ok := faulty[downstream.Clean(tool.Name, maxName)]; ok {
			t.Problem = fault
		}
		tools = append(tools, t)
	}
	for _, problem := range problems {
		if problem.Kind != downstream.Tools || problem.Kept {
			continue
		}
		why := problem.Message.Map(func(part string) string { return oneLine(part, maxProblem) })
		tools = append(tools, status.Tool{Name: problem.Name, Problem: why})
	}
	return tools
}
