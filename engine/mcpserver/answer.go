package mcpserver

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// view selects what an answer of open_toolbox shows. The zero value shows everything.
type view struct {
	// registered returns a tool's dynamic name; nil if tools are not registered.
	registered func(toolbox.ToolID) string
	// useTool is the name of use_tool, which calls the tools that have no dynamic name.
	useTool string
	// without has the members of definitions that are left out, see also otherMembers.
	without []string
	// bare has the tools whose inputSchema is left out.
	bare map[*downstream.Item]bool
	// firstSentence leaves out what follows the first sentence of a description.
	firstSentence bool
	// noInstructions leaves out the servers' instructions.
	noInstructions bool
	// tools appends the member with the tools; nil means a list of their definitions.
	tools func(dst []byte, opened *toolbox.Opened) []byte
	// remark is a further member, name and value, with a remark about the answer.
	remark []byte
	// maxDescription limits the toolbox's description, in characters; 0 means no limit.
	maxDescription int
	// members caches the members of definitions while several views are tried; nil means no cache.
	members map[*downstream.Item][]jsonrpc.Member
}

// otherMembers in view.without stands for all members that MCP does not define.
const otherMembers = "*"

// knownMember reports whether MCP defines a member of a tool's definition.
func knownMember(name string) bool {
	switch name {
	case "name", "description", "inputSchema", "outputSchema", "annotations", "execution", "title", "icons", "_meta":
		return true
	}
	return false
}

// omits reports whether a member of a tool's definition is left out.
func (v view) omits(tool *downstream.Item, name string) bool {
	return slices.Contains(v.without, name) || !knownMember(name) && slices.Contains(v.without, otherMembers) ||
		name == "inputSchema" && v.bare[tool]
}

// membersOf returns the members of a tool's definition.
func (v view) membersOf(tool *downstream.Item) []jsonrpc.Member {
	members, known := v.members[tool]
	if !known {
		members = jsonrpc.Split(tool.Definition)
		if v.members != nil {
			v.members[tool] = members
		}
	}
	return members
}

// AppendOpened appends the complete answer of open_toolbox as compact JSON, as contract.md, section 5, specifies.
// registered returns a tool's dynamic name; it is nil in proxy mode.
func AppendOpened(dst []byte, opened *toolbox.Opened, registered func(toolbox.ToolID) string) []byte {
	return view{registered: registered}.append(dst, opened)
}

// append appends an answer. The tools come last, since clients cut off the end of long answers.
func (v view) append(dst []byte, opened *toolbox.Opened) []byte {
	dst = append(dst, `{"toolbox":`...)
	dst = jsonrpc.AppendString(dst, opened.Toolbox)
	dst = append(dst, `,"description":`...)
	if v.maxDescription > 0 {
		dst = jsonrpc.AppendString(dst, shorten(opened.Description, v.maxDescription))
	} else {
		dst = jsonrpc.AppendString(dst, opened.Description)
	}
	dst = append(dst, `,"servers_connected":`...)
	dst = strconv.AppendInt(dst, int64(opened.Connected), 10)
	if v.remark != nil {
		dst = append(append(dst, ','), v.remark...)
	}
	if len(opened.Errors) > 0 {
		texts := make([]string, len(opened.Errors))
		for i, e := range opened.Errors {
			texts[i] = e.Sentence
		}
		dst = append(dst, `,"_errors":`...)
		dst = appendStrings(dst, texts)
	}
	if len(opened.Pending) > 0 {
		dst = append(dst, `,"_pending":`...)
		dst = appendStrings(dst, opened.Pending)
	}
	if !v.noInstructions {
		dst = appendInstructions(dst, opened)
	}
	dst = append(dst, ',')
	if v.tools != nil {
		dst = v.tools(dst, opened)
	} else {
		dst = v.appendTools(dst, opened)
	}
	return append(dst, '}')
}

// appendInstructions appends the servers' instructions, if there are any.
func appendInstructions(dst []byte, opened *toolbox.Opened) []byte {
	var said []jsonrpc.Member
	for _, server := range opened.Servers {
		if server.Instructions != "" {
			said = append(said, jsonrpc.Member{Name: server.Name, Value: jsonrpc.AppendString(nil, server.Instructions)})
		}
	}
	if said == nil {
		return dst
	}
	return jsonrpc.AppendObject(append(dst, `,"instructions":`...), said)
}

func (v view) appendTools(dst []byte, opened *toolbox.Opened) []byte {
	dst = append(dst, `"tools":[`...)
	first := true
	for _, server := range opened.Servers {
		for i := range server.Tools {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = v.appendTool(dst, opened.Toolbox, server.Name, &server.Tools[i])
		}
	}
	return append(dst, ']')
}

// appendTool appends one tool: its name, its origin, and then the other members of the definition, as the server sent
// them.
func (v view) appendTool(dst []byte, box, server string, tool *downstream.Item) []byte {
	dst = append(dst, `{"name":`...)
	dst = jsonrpc.AppendString(dst, tool.Name)
	dst = append(dst, `,"toolbox_name":`...)
	dst = jsonrpc.AppendString(dst, box)
	dst = append(dst, `,"source_server":`...)
	dst = jsonrpc.AppendString(dst, server)
	if v.registered != nil {
		if name := v.registered(toolbox.ToolID{Toolbox: box, Server: server, Tool: tool.Name}); name != "" {
			dst = append(dst, `,"registered_name":`...)
			dst = jsonrpc.AppendString(dst, name)
		} else if v.useTool != "" {
			dst = append(dst, `,"_call_with":`...)
			dst = jsonrpc.AppendString(dst, v.useTool)
		}
	}
	for _, m := range v.membersOf(tool) {
		switch m.Name {
		case "name", "toolbox_name", "source_server", "registered_name":
			continue
		}
		if v.omits(tool, m.Name) {
			continue
		}
		if v.firstSentence && m.Name == "description" {
			if first := firstSentence(tool.Description); len(first) < len(tool.Description) {
				m.Value = jsonrpc.AppendString(nil, first)
			}
		}
		if m.Name == "_meta" {
			m.Value = toolbox.OwnPages(toolbox.ServerID{Toolbox: box, Server: server}, m.Value)
		}
		dst = append(dst, ',')
		dst = jsonrpc.AppendString(dst, m.Name)
		dst = append(dst, ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

func appendStrings(dst []byte, values []string) []byte {
	return jsonrpc.AppendArray(dst, values, jsonrpc.AppendString)
}

// openedText returns the answer of open_toolbox for the current mode, reduced to what the client shows. If whole is
// set, nothing is left out.
func (s *Server) openedText(opened *toolbox.Opened, whole bool) string {
	var registered func(toolbox.ToolID) string
	useOther := ""
	if s.catalogue.registering()(opened.Toolbox) {
		current := s.catalogue.registered()
		registered = func(id toolbox.ToolID) string { return current.byID[id] }
		if len(current.unlisted) > 0 {
			useOther = s.manager.Config().MetaToolPrefix + useTool
		}
	}
	r := reduction{opened: opened, limit: limitOf(s.peer.client.Load()),
		view: view{registered: registered, useTool: useOther},
		tool: s.manager.Config().MetaToolPrefix + openToolbox}
	if whole {
		return string(r.whole())
	}
	return string(r.reduce())
}

// closedText returns the answer of close_toolbox.
func closedText(name string, disconnected int, wasOpen bool) string {
	answer := struct {
		Toolbox      string `json:"toolbox"`
		Closed       bool   `json:"closed"`
		Disconnected int    `json:"servers_disconnected"`
	}{name, wasOpen, disconnected}
	raw, err := json.Marshal(answer)
	if err != nil {
		return err.Error() // cannot happen
	}
	return string(raw)
}
