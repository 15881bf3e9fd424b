package edit

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// form describes how a configuration is written: which of its parts look alike, and the usual order of
// fields.
func form() *jsonc.Form {
	server := &jsonc.Form{Members: map[string]*jsonc.Form{}}
	var before *jsonc.Form // the previous form of variables: "env" and "headers" are written alike
	for _, f := range config.ServerFields() {
		server.Order = append(server.Order, f.Name)
		switch f.Kind {
		case config.KindTexts, config.KindNames:
			server.Members[f.Name] = &jsonc.Form{Inline: true, Field: true}
		case config.KindVariables:
			variables := &jsonc.Form{Field: true, Like: before}
			if server.Members[f.Name] = variables; before != nil {
				before.Like = variables
			}
			before = variables
		}
	}
	names := &jsonc.Form{Inline: true, Field: true}
	toolbox := &jsonc.Form{
		Members: map[string]*jsonc.Form{"apps": names, "folders": names, "mcpServers": {Each: server}},
		Order:   config.Names(config.ToolboxFields()),
	}
	return &jsonc.Form{
		Members:  map[string]*jsonc.Form{"toolboxes": {Each: toolbox}},
		Order:    config.Names(config.TopFields()),
		Skeleton: config.Empty,
	}
}

// Paths in the file.
func toolboxesPath() jsonc.Path { return jsonc.Keys("toolboxes") }

func toolboxPath(toolbox string) jsonc.Path { return jsonc.Keys("toolboxes", toolbox) }

func serversPath(toolbox string) jsonc.Path { return jsonc.Keys("toolboxes", toolbox, "mcpServers") }

func serverPath(toolbox, server string) jsonc.Path { return serversPath(toolbox).Member(server) }

// isServer reports whether a path leads to a server.
func isServer(path jsonc.Path) bool {
	return len(path) == 4 && path[0].Key == "toolboxes" && path[2].Key == "mcpServers"
}
