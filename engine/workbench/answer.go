package workbench

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// view says how much of a toolbox an answer shows. The zero value shows all.
type view struct {
	// registered gives a tool's dynamic name; it is nil when the tools are not registered.
	registered func(toolbox.ToolID) string
	// useTool is the name of use_tool, with which tools are called that have no dynamic name in this client's list.
	useTool string
	// without are members of definitions that are left out; otherMembers stands for those that MCP does not know.
	without []string
	// bare are tools without their inputSchema.
	bare map[*downstream.Item]bool
	// firstSentence leaves out everything after a description's first sentence.
	firstSentence bool
	// noInstructions leaves out the servers' instructions.
	noInstructions bool
	// tools appends the member that holds the tools; nil for a list of their definitions.
	tools func(dst []byte, opened *toolbox.Opened) []byte
	// remark is one more member, name and value, that says what is special about this answer.
	remark []byte
	// maxDescription is how many characters of the toolbox's description are shown, 0 for all.
	maxDescription int
	// members keeps what the definitions were taken apart into, for who draws several views of them; nil for who does
	// not.
	members map[*downstream.Item][]jsonrpc.Member
}

// otherMembers stands for the members of a definition that are unknown to MCP.
const otherMembers = "*"

// knownMember reports whether MCP knows a member of a tool's definition.
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

// AppendOpened appends open_toolbox's complete answer, compact JSON to the letter of contract.md, section 5.
// registered gives a tool's dynamic name; it is nil in proxy mode.
func AppendOpened(dst []byte, opened *toolbox.Opened, registered func(toolbox.ToolID) string) []byte {
	return view{registered: registered}.append(dst, opened)
}

// append appends an answer. The tools come last, since a client that cuts the answer cuts its end.
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

// appendInstructions appends the servers' instructions, nothing when there are none.
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

// appendTool appends one tool: its name, where it comes from, and then everything else that
// the server said of it, in the server's order and spelling.
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

// openedText renders the answer for the mode in force and for what the client shows its model. whole says that the
// model has asked for a part of the toolbox, of which nothing is left out.
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
