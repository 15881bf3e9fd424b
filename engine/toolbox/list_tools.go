package toolbox

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// Tools returns the tools of all open toolboxes that clients may see, under their dynamic names. Toolboxes and servers
// are in the order of the file, tools in the order of their server. Unlike [Lists.List], it includes the tools of
// servers that are down, since a call starts those.
func (ls *Lists) Tools(namer *Namer) []Listed {
	return ls.listTools(namer, (*link).offered)
}

// WithheldTools returns the tools that are withheld because they have changed, under their dynamic names.
func (ls *Lists) WithheldTools(namer *Namer) []Listed {
	return ls.listTools(namer, (*link).withheldTools)
}

// PageTool finds the tool that a page of MCP Apps calls by its server's own name, as pages do that know no other
// server. It is found if exactly one of the servers whose pages the client has read has a tool of this name.
func (ls *Lists) PageTool(name string, namer *Namer) (id ToolID, ok bool) {
	for _, tool := range ls.Tools(namer) {
		if tool.Item.Name != name || !ls.references.hasPage(tool.Server) {
			continue
		}
		if ok {
			return ToolID{}, false
		}
		id, ok = tool.Tool(), true
	}
	return id, ok
}

// listTools returns the tools of each server that choose returns.
func (ls *Lists) listTools(namer *Namer, choose func(l *link, server *config.Server) []downstream.Item) []Listed {
	ls.boxes.mu.Lock()
	defer ls.boxes.mu.Unlock()
	var list []Listed
	taken := map[string]bool{}
	for _, toolbox := range ls.boxes.config.Toolboxes {
		b := ls.boxes.open[toolbox.Name]
		if b == nil {
			continue
		}
		for _, server := range toolbox.Enabled() {
			l := b.links[server.Name]
			if l == nil || len(l.tools.known) == 0 {
				continue
			}
			tools := choose(l, server)
			// All of the server's tools take part in naming, so that a filter never renames one.
			names := namer.Names(toolbox.Name, server.Name, toolNames(l.tools.known))
			byTool := make(map[string]string, len(names))
			for i := range l.tools.known {
				byTool[l.tools.known[i].Name] = names[i]
			}
			for _, tool := range tools {
				name := byTool[tool.Name]
				if taken[name] {
					ls.log.Error("Two tools came to the same name; the second is left out",
						"name", name, "toolbox", toolbox.Name, "server", server.Name, "tool", tool.Name)
					continue
				}
				taken[name] = true
				list = append(list, Listed{Name: name, Server: l.id(), Item: tool})
			}
		}
	}
	return list
}

// Known returns the names of all tools of a server of an open toolbox, including those that filters hide. It reports
// false if the server was never connected.
func (ls *Lists) Known(toolbox, server string) ([]string, bool) {
	ls.boxes.mu.Lock()
	defer ls.boxes.mu.Unlock()
	l := ls.boxes.link(ServerID{toolbox, server})
	if l == nil || l.tools.known == nil {
		return nil, false
	}
	return toolNames(l.tools.known), true
}
