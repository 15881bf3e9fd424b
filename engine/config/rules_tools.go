package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var repeatedTool = Rule{Code: "repeated-tool", Severity: SeverityWarning,
	About: "\"toolFilters\" names a tool twice.",
	Entry: `"command": "npx", "toolFilters": ["read_file", "read_file"]`,
	tool: func(d *diagnoser, r Rule, m member, t toolAt) {
		if slices.Contains(t.before, t.name) {
			problem := d.sayAt(r, m.value.Span, m.at, words.New("config.duplicate_name", "Name", quote(t.name)), words.New("config.keep_one"))
			if problem != nil && !d.noFixes() {
				d.offer(problem, words.New("config.fix.remove_second_one"), d.removeElement(t.list, t.index)...)
			}
		}
	}}

var emptyToolName = Rule{Code: "empty-tool-name", Severity: SeverityWarning,
	About: "\"toolFilters\" has an empty name, which is that of no tool.",
	Entry: `"command": "npx", "toolFilters": [""]`,
	tool: func(d *diagnoser, r Rule, m member, t toolAt) {
		if strings.TrimSpace(t.name) == "" && !slices.Contains(t.before, t.name) {
			d.sayAt(r, m.value.Span, m.at, words.New("config.empty_tool_name"),
				words.New("config.empty_tool_name.hint"))
		}
	}}

var toolPattern = Rule{Code: "tool-pattern", Severity: SeverityWarning,
	About: "\"toolFilters\" has exact names. \"*\" stands for all tools only when it is alone.",
	Entry: `"command": "npx", "toolFilters": ["read_*"]`,
	tool: func(d *diagnoser, r Rule, m member, t toolAt) {
		if t.name != "*" && strings.Contains(t.name, "*") && !slices.Contains(t.before, t.name) {
			d.sayAt(r, m.value.Span, m.at, words.New("config.tool_pattern", "Name", quote(t.name)),
				words.New("config.tool_pattern.hint"))
		}
	}}

var unknownTool = Rule{Code: "unknown-tool", Severity: SeverityWarning,
	About: "\"toolFilters\" names a tool that the server did not have when it last ran. It can only be told of servers that were started before.",
	Entry: `"command": "npx", "toolFilters": ["raed_file"]`}

// CheckTools tells where "toolFilters" name tools that a server does not have, in the order of the
// file. All are warnings, since a tool may come later. Known returns the tools of a server, and false
// when they are not known, for example because the server was never started. Documents that are
// not valid are left alone.
func (d *Document) CheckTools(known func(toolbox, server string) ([]string, bool)) []Diagnostic {
	if d.tree == nil || !d.Valid() {
		return nil
	}
	c := newDiagnoser(d.Source)
	root := (*place)(nil).member("toolboxes")
	for _, toolbox := range membersOf(d.tree.Member("toolboxes")) {
		for _, server := range membersOf(toolbox.Member("mcpServers")) {
			filters := server.Member("toolFilters")
			if filters == nil || filters.Kind != jsonc.Array || len(filters.Children) == 0 {
				continue
			}
			if tools, ok := known(toolbox.Key, server.Key); ok {
				c.unknownTools(server.Key, filters, tools, root.member(toolbox.Key).member("mcpServers").member(server.Key).member("toolFilters"))
			}
		}
	}
	return c.finish()
}

func (d *diagnoser) unknownTools(server string, filters *node, tools []string, at *place) {
	names := make([]string, len(filters.Children))
	for i := range names {
		names[i] = filters.Children[i].Str()
	}
	for i, name := range names {
		// What has a star or nothing in it has been said to match nothing.
		if slices.Contains(tools, name) || strings.Contains(name, "*") || strings.TrimSpace(name) == "" || slices.Contains(names[:i], name) {
			continue
		}
		near := nearest(name, tools)
		hint := didYouMean(near)
		if near == "" {
			hint = toolNames(tools)
		}
		element := filters.Children[i]
		problem := d.sayAt(unknownTool, element.Span, at.element(i), words.New("config.unknown_tool", "Server", quote(server), "Tool", quote(name)), hint)
		if problem != nil && near != "" && cleanName(near) == near && !slices.Contains(names, near) {
			problem.Fix = &Fix{fixWrite(quote(near)), []Change{d.replace(element, near)}}
		}
	}
}

// toolNames lists a server's tools as far as they fit into a hint.
func toolNames(tools []string) words.Text {
	if len(tools) == 0 {
		return words.New("config.no_tools")
	}
	const most = 8
	list := make([]string, 0, most)
	for _, tool := range tools[:min(most, len(tools))] {
		list = append(list, quote(tool))
	}
	if more := len(tools) - most; more > 0 {
		return words.New("config.its_tools_and_more", "Tools", list, "More", more)
	}
	return words.New("config.its_tools", "Tools", list)
}

// membersOf returns the members of an object; nothing for any other kind, or nil.
func membersOf(v *node) []*node {
	if v == nil || v.Kind != jsonc.Object {
		return nil
	}
	return v.Children
}
