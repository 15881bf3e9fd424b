package toolbox

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Narrow returns the part of opened for one server, or for one of its tools. server and tool may be "". Without a
// server, exactly one server must have the tool. A server that is still starting has no tools, and is listed as
// pending.
//
// It returns an [*Error] if there is no such server or tool, or if the server could not be connected.
func (m *Manager) Narrow(opened *Opened, server, tool string) (*Opened, error) {
	narrow := &Opened{Toolbox: opened.Toolbox, Description: opened.Description, Connected: opened.Connected}
	if server == "" {
		narrow.Servers, narrow.Pending = opened.Servers, opened.Pending
	} else {
		found, err := narrowServer(m.Config(), opened, server)
		if err != nil {
			return nil, err
		}
		if found == nil {
			narrow.Pending = []string{server}
			return narrow, nil
		}
		narrow.Servers = []OpenedServer{*found}
	}
	if tool == "" {
		return narrow, nil
	}
	var having []OpenedServer
	var near []string
	for _, s := range narrow.Servers {
		for _, t := range s.Tools {
			if !slices.Contains(near, t.Name) {
				near = append(near, t.Name)
			}
			if t.Name == tool {
				having = append(having, OpenedServer{Name: s.Name, Instructions: s.Instructions, Tools: []downstream.Item{t}})
				break
			}
		}
	}
	if len(having) == 1 {
		narrow.Servers, narrow.Pending = having, nil
		return narrow, nil
	}
	err := toolNotFound(ToolID{opened.Toolbox, server, tool}, near)
	if server == "" {
		err.say(words.New("toolbox.tool_not_in_toolbox", "Tool", tool, "Toolbox", opened.Toolbox))
		if len(narrow.Pending) > 0 {
			err.Hints = append(err.Hints, words.New("toolbox.servers_starting", "Servers", narrow.Pending))
		}
	}
	if len(having) > 1 {
		err.say(words.New("toolbox.server_required", "Number", len(having), "Toolbox", opened.Toolbox, "Tool", tool))
		err.Hints = nil
		names := make([]string, len(having))
		for i, s := range having {
			names[i] = s.Name
		}
		err.hintAvailable("toolbox.available_servers", names)
	}
	return nil, err
}

// narrowServer returns a server of opened, or nil if it is still starting.
func narrowServer(cfg *config.Config, opened *Opened, server string) (*OpenedServer, error) {
	for i := range opened.Servers {
		if opened.Servers[i].Name == server {
			return &opened.Servers[i], nil
		}
	}
	if slices.Contains(opened.Pending, server) {
		return nil, nil
	}
	for _, e := range opened.Errors {
		if e.Details.Server == server {
			return nil, e
		}
	}
	id := ToolID{Toolbox: opened.Toolbox, Server: server}
	if toolbox, ok := cfg.Toolbox(opened.Toolbox); ok {
		entry, ok := toolbox.Server(server)
		return nil, unusable(toolbox, id, ok && entry.Disabled)
	}
	return nil, serverNotFound(id, nil)
}
