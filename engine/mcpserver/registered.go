package mcpserver

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// toolList returns the array of tools/list. modern is set for protocol version 2026-07-28 or later.
func (c *catalogue) toolList(modern bool) []byte {
	cfg, mode := c.manager.Config(), c.mode()
	list := newList(c.peer.most())
	for _, tool := range metaTools(cfg, mode) {
		list.add(encoded(tool))
	}
	if c.registersAny() {
		current := c.registered()
		for _, tool := range current.list {
			if !modern && current.unfit[tool.Name] {
				tool = withoutOutput(tool)
			}
			list.add(appendRegistered(nil, tool))
		}
		if mode == config.ModeDynamic && len(current.unlisted) > 0 {
			list.add(encoded(useToolDefinition(cfg)))
		}
	}
	return list.done(c, downstream.Tools)
}

// appendRegistered appends the definition of a registered tool: as the server sent it, except for the name, the
// beginning of the description, and the origin in _meta (contract.md, section 4).
func appendRegistered(dst []byte, tool toolbox.Listed) []byte {
	members := jsonrpc.Split(tool.Item.Definition)
	origin := "[" + tool.Server.Toolbox + "/" + tool.Server.Server + "] "
	meta := jsonrpc.Split(toolbox.OwnPages(tool.Server, jsonrpc.ValueOf(members, "_meta")))
	members = jsonrpc.With(members, "name", jsonrpc.AppendString(nil, tool.Name))
	members = jsonrpc.With(members, "description", jsonrpc.AppendString(nil, origin+tool.Item.Description))
	members = jsonrpc.With(members, "_meta",
		jsonrpc.AppendObject(nil, jsonrpc.With(meta, metaOrigin, appendOrigin(nil, tool.Server, "tool", tool.Item.Name))))
	return jsonrpc.AppendObject(dst, members)
}

// metaOrigin is the member of _meta with the origin of a tool.
const metaOrigin = "workbench/tool"

// appendOrigin appends the origin of an item. kind is the protocol's name for the item, such as "tool"; name is the
// server's name of it.
func appendOrigin(dst []byte, server toolbox.ServerID, kind, name string) []byte {
	dst = append(dst, `{"toolbox":`...)
	dst = jsonrpc.AppendString(dst, server.Toolbox)
	dst = append(dst, `,"server":`...)
	dst = jsonrpc.AppendString(dst, server.Server)
	dst = append(jsonrpc.AppendString(append(dst, ','), kind), ':')
	dst = jsonrpc.AppendString(dst, name)
	return append(dst, '}')
}
