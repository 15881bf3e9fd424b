package toolbox

import (
	"encoding/json"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// find returns the item with a name, or nil.
func find(items []downstream.Item, name string) *downstream.Item {
	for i := range items {
		if items[i].Name == name {
			return &items[i]
		}
	}
	return nil
}

func toolNames(tools []downstream.Item) []string {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	return names
}

// allowed returns the tools that the server's filters let clients see, in the same order.
func allowed(server *config.Server, tools []downstream.Item) []downstream.Item {
	if server.ToolFilters == nil {
		return tools
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t downstream.Item) bool { return !server.Allows(t.Name) })
}

func definitions(tools []downstream.Item) []pin.Definition {
	list := make([]pin.Definition, len(tools))
	for i, tool := range tools {
		list[i] = pin.Definition{Name: tool.Name, Raw: tool.Definition}
	}
	return list
}

// checkDefinition checks an item of a server's list (contract.md, section 6).
func checkDefinition(kind downstream.Kind, definition json.RawMessage) error {
	switch kind {
	case downstream.Tools:
		return contract.ValidateTool(definition)
	case downstream.Resources:
		return contract.ValidateResource(definition)
	}
	return nil
}
