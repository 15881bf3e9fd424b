package workbench

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// The meta-tools, before the configured prefix.
const (
	openToolbox  = "open_toolbox"
	closeToolbox = "close_toolbox"
	useTool      = "use_tool"
)

const (
	openSchema = `{"type":"object","properties":{` +
		`"toolbox_name":{"type":"string","minLength":1,"description":"As listed"},` +
		`"server":{"type":"string","minLength":1,"description":"Only list this server's tools"},` +
		`"tool":{"type":"string","minLength":1,"description":"Only list this tool"}},` +
		`"required":["toolbox_name"],"additionalProperties":false}`

	closeSchema = `{"type":"object","properties":{"toolbox_name":{"type":"string","minLength":1,"description":"Name of the toolbox, exactly as listed"}},"required":["toolbox_name"],"additionalProperties":false}`

	useToolSchema = `{"type":"object","properties":{` +
		`"tool":{"type":"object","description":"Which tool to call, as open_toolbox listed it","properties":{` +
		`"toolbox":{"type":"string","minLength":1,"description":"toolbox_name of the tool"},` +
		`"server":{"type":"string","minLength":1,"description":"source_server of the tool"},` +
		`"tool":{"type":"string","minLength":1,"description":"name of the tool"}},` +
		`"required":["toolbox","server","tool"],"additionalProperties":false},` +
		`"arguments":{"type":"object","description":"Arguments of the tool, as its inputSchema describes them","additionalProperties":true}},` +
		`"required":["tool"],"additionalProperties":false}`
)

// metaToolNames returns the names of all meta-tools, those of the other mode included.
func metaToolNames(cfg *config.Config) []string {
	p := cfg.MetaToolPrefix
	return []string{p + openToolbox, p + closeToolbox, p + useTool}
}

// appendMetaTools appends the definitions that mode offers, as elements of a JSON array.
func appendMetaTools(dst []byte, cfg *config.Config, mode config.ToolMode) []byte {
	dst = appendTool(dst, cfg.MetaToolPrefix+openToolbox, "Open toolbox", openDescription(cfg, mode), openSchema,
		`{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":true}`)
	dst = append(dst, ',')
	dst = appendTool(dst, cfg.MetaToolPrefix+closeToolbox, "Close toolbox", closeDescription(cfg, mode), closeSchema,
		`{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`)
	if mode == config.ModeDynamic {
		return dst
	}
	dst = append(dst, ',')
	// What a tool does depends on the tool, so the hints stay at the protocol's careful defaults.
	return appendTool(dst, cfg.MetaToolPrefix+useTool, "Use tool", useDescription(cfg), useToolSchema,
		`{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}`)
}

func appendTool(dst []byte, name, title, description, schema, annotations string) []byte {
	dst = append(dst, `{"name":`...)
	dst = jsonrpc.AppendString(dst, name)
	dst = append(dst, `,"title":`...)
	dst = jsonrpc.AppendString(dst, title)
	dst = append(dst, `,"description":`...)
	dst = jsonrpc.AppendString(dst, description)
	dst = append(dst, `,"inputSchema":`...)
	dst = append(dst, schema...)
	dst = append(dst, `,"annotations":`...)
	dst = append(dst, annotations...)
	return append(dst, '}')
}

// openDescription carries the list of toolboxes, since not every client shows the model our
// instructions (Claude Desktop does not).
func openDescription(cfg *config.Config, mode config.ToolMode) string {
	text := "Open a toolbox: connect its MCP servers and get its tools with their input schemas. " +
		"Use it before anything else when a task needs tools that you don't have yet. "
	if mode == config.ModeDynamic {
		text += "Afterwards call its tools directly, by their registered_name. "
	} else {
		text += "Afterwards call its tools with " + cfg.MetaToolPrefix + useTool + ". "
	}
	text += "Opening an open toolbox again is harmless and gives the same answer; servers listed in _pending are still starting, so open it again a little later to get their tools.\n\n"
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
	text := "Close an open toolbox: end its servers and free what they hold. Use it when its tools are no longer needed; open toolboxes close by themselves at the end of the session. "
	if mode == config.ModeDynamic {
		text += "Its tools disappear from the tool list. "
	}
	return text + "What its servers kept only in memory is lost; " + cfg.MetaToolPrefix + openToolbox +
		" brings the toolbox back.\n\nExample: " + cfg.MetaToolPrefix + closeToolbox + exampleName(firstToolbox(cfg))
}

func useDescription(cfg *config.Config) string {
	return "Call one tool of a toolbox and get its result unchanged. Use it for every tool that " + cfg.MetaToolPrefix + openToolbox +
		" listed: toolbox, server and tool are that tool's toolbox_name, source_server and name; arguments must fit its inputSchema. " +
		"A toolbox that is not open yet is opened first.\n\nExample: " + cfg.MetaToolPrefix + useTool +
		` {"tool":{"toolbox":` + quote(firstToolbox(cfg)) + `,"server":"filesystem","tool":"read_file"},"arguments":{"path":"notes.txt"}}`
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
