package workbench

import (
	"encoding/json"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// AppendOpened appends open_toolbox's answer, compact JSON to the letter of contract.md, section 5.
// registered gives a tool's dynamic name; it is nil in proxy mode.
func AppendOpened(dst []byte, opened *toolbox.Opened, registered func(toolbox.ToolID) string) []byte {
	dst = append(dst, `{"toolbox":`...)
	dst = jsonrpc.AppendString(dst, opened.Toolbox)
	dst = append(dst, `,"description":`...)
	dst = jsonrpc.AppendString(dst, opened.Description)
	dst = append(dst, `,"servers_connected":`...)
	dst = strconv.AppendInt(dst, int64(opened.Connected), 10)
	dst = append(dst, `,"tools":[`...)
	first := true
	for _, server := range opened.Servers {
		for _, tool := range server.Tools {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			name := ""
			if registered != nil {
				name = registered(toolbox.ToolID{Toolbox: opened.Toolbox, Server: server.Name, Tool: tool.Name})
			}
			dst = appendOpenedTool(dst, opened.Toolbox, server.Name, name, tool)
		}
	}
	dst = append(dst, ']')
	if len(opened.Errors) > 0 {
		texts := make([]string, len(opened.Errors))
		for i, e := range opened.Errors {
			texts[i] = e.Text
		}
		dst = append(dst, `,"_errors":`...)
		dst = appendStrings(dst, texts)
	}
	if len(opened.Pending) > 0 {
		dst = append(dst, `,"_pending":`...)
		dst = appendStrings(dst, opened.Pending)
	}
	return append(dst, '}')
}

// appendOpenedTool appends one tool: its name, where it comes from, and then everything else that
// the server said of it, in the server's order and spelling.
func appendOpenedTool(dst []byte, box, server, registered string, tool downstream.Item) []byte {
	dst = append(dst, `{"name":`...)
	dst = jsonrpc.AppendString(dst, tool.Name)
	dst = append(dst, `,"toolbox_name":`...)
	dst = jsonrpc.AppendString(dst, box)
	dst = append(dst, `,"source_server":`...)
	dst = jsonrpc.AppendString(dst, server)
	if registered != "" {
		dst = append(dst, `,"registered_name":`...)
		dst = jsonrpc.AppendString(dst, registered)
	}
	for _, m := range jsonrpc.Split(tool.Definition) {
		switch m.Name {
		case "name", "toolbox_name", "source_server", "registered_name":
			continue
		}
		dst = append(dst, ',')
		dst = jsonrpc.AppendString(dst, m.Name)
		dst = append(dst, ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

func appendStrings(dst []byte, values []string) []byte {
	dst = append(dst, '[')
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonrpc.AppendString(dst, value)
	}
	return append(dst, ']')
}

// openedText renders the answer for the mode in force.
func (s *Server) openedText(opened *toolbox.Opened) string {
	if s.mode() != config.ModeDynamic {
		return string(AppendOpened(nil, opened, nil))
	}
	names := map[toolbox.ToolID]string{}
	for _, tool := range s.registered().list {
		names[tool.ID] = tool.Name
	}
	return string(AppendOpened(nil, opened, func(id toolbox.ToolID) string { return names[id] }))
}

// closedText is close_toolbox's answer.
func closedText(name string, disconnected int, wasOpen bool) string {
	answer := struct {
		Toolbox      string `json:"toolbox"`
		Closed       bool   `json:"closed"`
		Disconnected int    `json:"servers_disconnected"`
	}{name, wasOpen, disconnected}
	raw, err := json.Marshal(answer)
	if err != nil {
		return err.Error() // cannot be
	}
	return string(raw)
}
