package toolbox

import (
	"encoding/json"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// find returns the item of that name, nil when there is none.
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

// allowed returns the tools that the server's filter lets through, in their order.
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

// checkDefinition judges what servers list (contract.md, section 6).
func checkDefinition(kind downstream.Kind, definition json.RawMessage) error {
	switch kind {
	case downstream.Tools:
		return contract.ValidateTool(definition)
	case downstream.Resources:
		return contract.ValidateResource(definition)
	}
	return nil
}
