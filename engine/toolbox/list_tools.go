package toolbox

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// Tools returns the tools of all open toolboxes under their dynamic names, as the filters let them through. Toolboxes
// and servers come in the order of the file, tools in the order of their server. Unlike the things that
// [Manager.List] returns, the tools of a server that died stay, since a call brings it back.
func (ls *Lists) Tools(namer *Namer) []Listed {
	return ls.listTools(namer, (*link).offered)
}

// WithheldTools returns the tools that are withheld since they have changed, under their dynamic names.
func (ls *Lists) WithheldTools(namer *Namer) []Listed {
	return ls.listTools(namer, (*link).withheldTools)
}

// PageTool returns the tool that a page of MCP Apps means by its server's own name, as if it were alone with its
// server. That is known if exactly one of the servers whose pages the client has read has such a tool.
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

// listTools returns what choose takes of the tools of each server.
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

// Known returns the names of all tools that a server of an open toolbox has, filtered or not; false when
// it has not been connected.
func (ls *Lists) Known(toolbox, server string) ([]string, bool) {
	ls.boxes.mu.Lock()
	defer ls.boxes.mu.Unlock()
	l := ls.boxes.link(ServerID{toolbox, server})
	if l == nil || l.tools.known == nil {
		return nil, false
	}
	return toolNames(l.tools.known), true
}
