package workbench

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// Up to protocol version 2025-11-25, an outputSchema describes an object. Clients of that time that are made with the
// SDK for TypeScript refuse the whole list of tools for one that does not, and one server's tool must not cost the
// others (contract.md, section 6). So they get that tool without its outputSchema.

// badOutput tells what a client of that time does not take about a tool's outputSchema, nil for nothing.
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

// withoutOutput is a tool without its outputSchema.
func withoutOutput(tool toolbox.Listed) toolbox.Listed {
	members := slices.DeleteFunc(jsonrpc.Split(tool.Item.Definition), func(m jsonrpc.Member) bool {
		return m.Name == "outputSchema"
	})
	tool.Item.Definition = jsonrpc.AppendObject(nil, members)
	return tool
}
