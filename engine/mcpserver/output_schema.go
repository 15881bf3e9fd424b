package mcpserver

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// Until protocol version 2025-11-25, an outputSchema must describe an object. Clients made with the TypeScript SDK of
// that time refuse the whole list of tools if one does not. So clients of the initialize era get such a tool without
// its outputSchema (contract.md, section 6).

// badOutput returns why these clients refuse a tool's outputSchema, or nil.
func badOutput(definition json.RawMessage) error {
	schema := jsonrpc.Lookup(definition, "outputSchema")
	if schema == nil {
		return nil
	}
	if kind, _ := jsonrpc.String(jsonrpc.Lookup(schema, "type")); kind != "object" {
		return errors.New(`its outputSchema is not of type "object"`)
	}
	return nil
}

// withoutOutput returns a tool without its outputSchema.
func withoutOutput(tool toolbox.Listed) toolbox.Listed {
	members := slices.DeleteFunc(jsonrpc.Split(tool.Item.Definition), func(m jsonrpc.Member) bool {
		return m.Name == "outputSchema"
	})
	tool.Item.Definition = jsonrpc.AppendObject(nil, members)
	return tool
}
