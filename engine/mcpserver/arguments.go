package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// invalidParameters returns the error of contract.md, section 5, for invalid arguments.
func invalidParameters(format string, args ...any) *toolbox.Error {
	return &toolbox.Error{Code: contract.InvalidInput, Sentence: "Invalid parameters: " + fmt.Sprintf(format, args...)}
}

// parseOpen parses the arguments of open_toolbox. server and tool are "" if absent.
func parseOpen(arguments json.RawMessage) (name, server, tool string, err error) {
	members, err := argumentMembers(arguments)
	if err != nil {
		return "", "", "", err
	}
	if name, err = nameMember(members, "toolbox_name"); err != nil {
		return "", "", "", err
	}
	for _, part := range []struct {
		name string
		to   *string
	}{{"server", &server}, {"tool", &tool}} {
		if raw := jsonrpc.ValueOf(members, part.name); raw == nil || string(raw) == "null" {
			continue // models write null for absent members
		}
		if *part.to, err = nameMember(members, part.name); err != nil {
			return "", "", "", err
		}
	}
	return name, server, tool, onlyMembers(members, "", "toolbox_name", "server", "tool")
}

// parseToolboxName parses the arguments of close_toolbox.
func parseToolboxName(arguments json.RawMessage) (string, error) {
	members, err := argumentMembers(arguments)
	if err != nil {
		return "", err
	}
	name, err := nameMember(members, "toolbox_name")
	if err != nil {
		return "", err
	}
	return name, onlyMembers(members, "", "toolbox_name")
}

// nameMember returns a required string, which must not be blank.
func nameMember(members []jsonrpc.Member, name string) (string, error) {
	value, err := stringMember(members, "", name)
	if err == nil && strings.TrimSpace(value) == "" {
		err = invalidParameters("%s cannot be empty", name)
	}
	return value, err
}

// parseUseTool parses the arguments of use_tool. The tool's own arguments are returned as sent, nil if absent.
func parseUseTool(arguments json.RawMessage) (toolbox.ToolID, json.RawMessage, error) {
	var id toolbox.ToolID
	members, err := argumentMembers(arguments)
	if err != nil {
		return id, nil, err
	}
	tool := jsonrpc.ValueOf(members, "tool")
	if tool == nil {
		return id, nil, invalidParameters("tool is required")
	}
	if tool = unquoted(tool); !isObject(tool) {
		return id, nil, invalidParameters("tool must be an object")
	}
	parts := jsonrpc.Split(tool)
	for _, part := range []struct {
		name string
		to   *string
	}{{"toolbox", &id.Toolbox}, {"server", &id.Server}, {"tool", &id.Tool}} {
		value, err := stringMember(parts, "tool.", part.name)
		if err != nil {
			return id, nil, err
		}
		if strings.TrimSpace(value) == "" {
			e := invalidParameters("")
			e.Sentence = fmt.Sprintf("Invalid tool identifier: %s cannot be empty", part.name)
			return id, nil, e
		}
		*part.to = value
	}
	if err := onlyMembers(parts, "tool.", "toolbox", "server", "tool"); err != nil {
		return id, nil, err
	}
	own := unquoted(jsonrpc.ValueOf(members, "arguments"))
	if string(own) == "null" {
		own = nil // models write null for absent members
	}
	if own != nil && !isObject(own) {
		return id, nil, invalidParameters("arguments must be an object")
	}
	return id, own, onlyMembers(members, "", "tool", "arguments")
}

// argumentMembers returns the members of the arguments of a call. Absent arguments have no members.
func argumentMembers(arguments json.RawMessage) ([]jsonrpc.Member, error) {
	if len(arguments) == 0 {
		return nil, nil
	}
	if arguments[0] != '{' {
		return nil, invalidParameters("arguments must be an object")
	}
	return jsonrpc.Split(arguments), nil
}

// stringMember returns a required string. Errors show its name after within.
func stringMember(members []jsonrpc.Member, within, name string) (string, error) {
	raw := jsonrpc.ValueOf(members, name)
	if raw == nil {
		return "", invalidParameters("%s%s is required", within, name)
	}
	value, ok := jsonrpc.String(raw)
	if !ok {
		return "", invalidParameters("%s%s must be a string", within, name)
	}
	return value, nil
}

// onlyMembers returns an error for the first member that is not in known.
func onlyMembers(members []jsonrpc.Member, within string, known ...string) error {
next:
	for _, m := range members {
		for _, name := range known {
			if m.Name == name {
				continue next
			}
		}
		return invalidParameters("Unrecognized key: '%s%s'", within, m.Name)
	}
	return nil
}

// unquoted returns a value; if it is an object that a client or a model has written as a text, that object.
func unquoted(raw json.RawMessage) json.RawMessage {
	text, ok := jsonrpc.String(raw)
	if inner := json.RawMessage(strings.TrimSpace(text)); ok && isObject(inner) && json.Valid(inner) &&
		jsonrpc.Depth(inner) <= maxUnquoted {
		return inner
	}
	return raw
}

// maxUnquoted is how deeply an object in a text may be nested.
const maxUnquoted = 100

func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }
