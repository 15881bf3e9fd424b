package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// The names of the meta-tools, without the configured prefix.
const (
	openToolbox  = "open_toolbox"
	closeToolbox = "close_toolbox"
	useTool      = "use_tool"
	findTools    = "find_tools" // only if the configuration has search
)

const (
	openSchema = `{"type":"object","properties":{` +
		`"toolbox_name":{"type":"string","minLength":1,"description":"As listed"},` +
		`"server":{"type":"string","minLength":1,"description":"Only list this server's tools"},` +
		`"tool":{"type":"string","minLength":1,"description":"Only list this tool"}},` +
		`"required":["toolbox_name"],"additionalProperties":false}`

	closeSchema = `{"type":"object","properties":{"toolbox_name":{"type":"string","minLength":1,"description":"As listed"}},"required":["toolbox_name"],"additionalProperties":false}`

	useToolSchema = `{"type":"object","properties":{` +
		`"tool":{"type":"object","description":"As open_toolbox listed it","properties":{` +
		`"toolbox":{"type":"string","minLength":1,"description":"Its toolbox_name"},` +
		`"server":{"type":"string","minLength":1,"description":"Its source_server"},` +
		`"tool":{"type":"string","minLength":1,"description":"Its name"}},` +
		`"required":["toolbox","server","tool"],"additionalProperties":false},` +
		`"arguments":{"type":"object","description":"As its inputSchema says","additionalProperties":true}},` +
		`"required":["tool"],"additionalProperties":false}`
)

// metaToolNames returns the names of all meta-tools, in both modes.
func metaToolNames(cfg *config.Config) []string {
	p := cfg.MetaToolPrefix
	names := []string{p + openToolbox, p + closeToolbox, p + useTool}
	if cfg.Search {
		names = append(names, p+findTools)
	}
	return names
}

// metaTools returns the definitions of the meta-tools in a mode.
func metaTools(cfg *config.Config, mode config.ToolMode) []mcp.Tool {
	tools := []mcp.Tool{
		metaTool(cfg, openToolbox, "Open toolbox", openDescription(cfg, mode), openSchema,
			mcp.ToolAnnotation{ReadOnlyHint: new(false), DestructiveHint: new(false), IdempotentHint: new(true),
				OpenWorldHint: new(true)}),
		metaTool(cfg, closeToolbox, "Close toolbox", closeDescription(cfg, mode), closeSchema,
			mcp.ToolAnnotation{ReadOnlyHint: new(false), DestructiveHint: new(false), IdempotentHint: new(true),
				OpenWorldHint: new(false)}),
	}
	if cfg.Search {
		tools = append(tools, metaTool(cfg, findTools, "Find tools", findDescription(cfg), findSchema,
			mcp.ToolAnnotation{ReadOnlyHint: new(true), DestructiveHint: new(false), IdempotentHint: new(true),
				OpenWorldHint: new(false)}))
	}
	if mode != config.ModeDynamic {
		tools = append(tools, useToolDefinition(cfg))
	}
	return tools
}

func useToolDefinition(cfg *config.Config) mcp.Tool {
	// The hints depend on the called tool, so they have the protocol's defaults.
	return metaTool(cfg, useTool, "Use tool", useDescription(cfg), useToolSchema,
		mcp.ToolAnnotation{ReadOnlyHint: new(false), DestructiveHint: new(true), IdempotentHint: new(false),
			OpenWorldHint: new(true)})
}

func metaTool(cfg *config.Config, name, title, description, schema string, hints mcp.ToolAnnotation) mcp.Tool {
	tool := mcp.NewToolWithRawSchema(cfg.MetaToolPrefix+name, description, json.RawMessage(schema))
	tool.Title, tool.Annotations = title, hints
	return tool
}

// openDescription includes the list of toolboxes, since some clients do not show the model our instructions.
func openDescription(cfg *config.Config, mode config.ToolMode) string {
	text := "Open a toolbox: connect its MCP servers and get its tools with their input schemas. " +
		"Use it first when a task needs tools that you don't have. "
	if mode == config.ModeDynamic {
		text += "Then call its tools directly, by their registered_name. "
	} else {
		text += "Then call its tools with " + cfg.MetaToolPrefix + useTool + ". "
	}
	text += "Opening it again is harmless, and brings tools of servers that were still starting (_pending) or, with " +
		"server and tool, what _reduced says was left out.\n\n"
	example := "dev"
	if len(cfg.Toolboxes) == 0 {
		text += noToolboxes
	} else {
		example = cfg.Toolboxes[0].Name
		text += "Available Toolboxes:\n\n" + toolboxList(cfg)
	}
	return text + "\n\nExample: " + cfg.MetaToolPrefix + openToolbox + exampleName(example)
}

func closeDescription(cfg *config.Config, mode config.ToolMode) string {
	text := "Close a toolbox: end its servers. Use it when you no longer need its tools. "
	if mode == config.ModeDynamic {
		text += "They disappear from the tool list, and what "
	} else {
		text += "What "
	}
	return text + "its servers kept only in memory is lost; " + cfg.MetaToolPrefix + openToolbox +
		" brings it back.\n\nExample: " + cfg.MetaToolPrefix + closeToolbox + exampleName(firstToolbox(cfg))
}

func useDescription(cfg *config.Config) string {
	return "Call one tool of a toolbox; its result comes unchanged. Use it for every tool that " + cfg.MetaToolPrefix +
		openToolbox +
		" listed; a closed toolbox is opened first; the user may be asked to allow the call. Close the toolbox when you " +
		"are done with it.\n\nExample: " + cfg.MetaToolPrefix + useTool +
		` {"tool":{"toolbox":` + quote(firstToolbox(cfg)) +
		`,"server":"filesystem","tool":"read_file"},"arguments":{"path":"notes.txt"}}`
}

func exampleName(toolbox string) string {
	return ` {"toolbox_name":` + quote(toolbox) + `}`
}

func firstToolbox(cfg *config.Config) string {
	if len(cfg.Toolboxes) == 0 {
		return "dev"
	}
	return cfg.Toolboxes[0].Name
}

func quote(s string) string {
	return string(jsonrpc.AppendString(nil, s))
}
