package config

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var repeatedTool = Rule{Code: "repeated-tool", Severity: SeverityWarning,
	About: "\"toolFilters\" names a tool twice.",
	Entry: `"command": "npx", "toolFilters": ["read_file", "read_file"]`,
	tool: func(d *diagnoser, r Rule, m member, t toolAt) {
		if t.again {
			problem := d.sayAt(r, m.value.Span, m.at, words.New("config.duplicate_name", "Name", quoted(t.name)),
				words.New("config.keep_one"))
			if problem != nil && !d.noFixes() {
				d.offer(problem, words.New("config.fix.remove_second_one"), d.src.removeElement(t.list, t.index)...)
			}
		}
	}}

var emptyToolName = Rule{Code: "empty-tool-name", Severity: SeverityWarning,
	About: "\"toolFilters\" has an empty name, which no tool has.",
	Entry: `"command": "npx", "toolFilters": [""]`,
	tool: func(d *diagnoser, r Rule, m member, t toolAt) {
		if strings.TrimSpace(t.name) == "" && !t.again {
			d.sayAt(r, m.value.Span, m.at, words.New("config.empty_tool_name"),
				words.New("config.empty_tool_name.hint"))
		}
	}}

var toolPattern = Rule{Code: "tool-pattern", Severity: SeverityWarning,
	About: "\"toolFilters\" contains exact names. \"*\" means all tools only if it is alone.",
	Entry: `"command": "npx", "toolFilters": ["read_*"]`,
	tool: func(d *diagnoser, r Rule, m member, t toolAt) {
		if t.name != "*" && strings.Contains(t.name, "*") && !t.again {
			d.sayAt(r, m.value.Span, m.at, words.New("config.tool_pattern", "Name", quoted(t.name)),
				words.New("config.tool_pattern.hint"))
		}
	}}

var unknownTool = Rule{Code: "unknown-tool", Severity: SeverityWarning,
	About: "\"toolFilters\" names a tool that the server did not have when it last ran. This is known only for " +
		"servers that have been started before.",
	Entry: `"command": "npx", "toolFilters": ["raed_file"]`}

// CheckTools returns warnings about names in "toolFilters" that are not tools of the server, in the order of
// the file. They are only warnings, since a tool may be added later. known returns the tools of a server, and
// false if they are not known, for example because the server was never started. Documents that are not valid
// are not checked.
func (d *Document) CheckTools(known func(toolbox, server string) ([]string, bool)) []Diagnostic {
	if d.tree == nil || !d.Valid() {
		return nil
	}
	c := toolCheck{report: d.report()}
	root := (*docPath)(nil).member("toolboxes")
	for _, toolbox := range membersOf(d.tree.Member("toolboxes")) {
		for _, server := range membersOf(toolbox.Member("mcpServers")) {
			filters := server.Member("toolFilters")
			if !filters.Is(jsonc.Array) || len(filters.Children) == 0 {
				continue
			}
			if tools, ok := known(toolbox.Key, server.Key); ok {
				c.filters(server.Key, filters, tools,
					root.member(toolbox.Key).member("mcpServers").member(server.Key).member("toolFilters"))
			}
		}
	}
	return c.finish()
}

// maxCompared is how many names of tools are compared with unknown ones in all.
const maxCompared = 100_000

// toolCheck reports names that are not tools of a server.
type toolCheck struct {
	*report
	compared int // how many names were compared to find similar ones
}

func (c *toolCheck) filters(server string, filters *node, tools []string, at *docPath) {
	filtered, done := make(map[string]bool, len(filters.Children)), make(map[string]bool, len(tools))
	for _, filter := range filters.Children {
		filtered[filter.Str()] = true
	}
	for _, tool := range tools {
		done[tool] = true
	}
	for i, filter := range filters.Children {
		// A name with a star, and an empty name, are already reported.
		name := filter.Str()
		if done[name] || strings.Contains(name, "*") || strings.TrimSpace(name) == "" {
			continue
		}
		done[name] = true
		if c.counts[SeverityWarning] > maxDiagnostics {
			return
		}
		near := ""
		if c.compared += len(tools); c.compared <= maxCompared {
			near = nearest(name, tools)
		}
		hint := didYouMean(near)
		if near == "" {
			hint = toolNames(tools)
		}
		problem := c.sayAt(unknownTool, filter.Span, at.element(i),
			words.New("config.unknown_tool", "Server", quoted(server), "Tool", quoted(name)), hint)
		if problem != nil && near != "" && cleanName(near) == near && !filtered[near] {
			problem.Fix = &Fix{Title: fixWrite(quote(near)), Changes: []Change{replaceText(filter, near)}}
		}
	}
}

// toolNames returns a text with as many of a server's tools as fit into a hint.
func toolNames(tools []string) words.Text {
	if len(tools) == 0 {
		return words.New("config.no_tools")
	}
	const most = 8
	var names []words.Text
	for _, tool := range tools[:min(most, len(tools))] {
		names = append(names, quoted(tool))
	}
	list := words.List(names...)
	if more := len(tools) - most; more > 0 {
		return words.New("config.its_tools_and_more", "Tools", list, "More", more)
	}
	return words.New("config.its_tools", "Tools", list)
}

// membersOf returns the members of an object; none if v is nil or no object.
func membersOf(v *node) []*node {
	if !v.Is(jsonc.Object) {
		return nil
	}
	return v.Children
}
