package mcpserver

import (
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// Hear passes a notification of a server to the client.
func (a *asking) Hear(from toolbox.ServerID, method string, params json.RawMessage) {
	switch method {
	case downstream.ResourceUpdated:
		uri, _ := jsonrpc.String(jsonrpc.Lookup(params, "uri"))
		if _, told := a.announcer.toldFlood.Load(from); !a.announcer.updated(uri, params) && !told {
			a.announcer.toldFlood.Store(from, true)
			a.log.Warn("Updates of resources come faster than the client can be told; some are left out", "toolbox",
				from.Toolbox, "server", from.Server)
		}
	case downstream.LogMessage:
		a.hearMessage(from, params)
	case downstream.TaskStatus, downstream.ElicitationComplete:
		a.streams.notify(method, jsonrpc.Split(params), isLegacy)
	}
}

func isLegacy(one *stream) bool { return one.id == nil }

// hearMessage passes a log message to the client, with the server as its logger.
func (a *asking) hearMessage(from toolbox.ServerID, params json.RawMessage) {
	members := jsonrpc.Split(params)
	level, _ := jsonrpc.String(jsonrpc.ValueOf(members, "level"))
	if !a.levels.wants(level) {
		return
	}
	logger := from.String()
	if own, _ := jsonrpc.String(jsonrpc.ValueOf(members, "logger")); own != "" {
		logger += "/" + own
	}
	params = jsonrpc.AppendObject(nil, jsonrpc.With(members, "logger", jsonrpc.AppendString(nil, logger)))
	a.conn.write([]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":`), params, []byte{'}'})
}
