package paste

import (
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file knows under which keys the clients have their servers.

// mcpServersKind is what most clients have.
const mcpServersKind = words.Code("paste.kind_mcp_servers")

// holders are the keys that have servers in them, and what client has them so.
func holder(key string) (kind words.Text, ok bool) {
	switch key {
	case "mcpServers":
		return mcpServersKind.Text(), true
	case "servers", "mcp.servers":
		return words.New("paste.kind_configuration", "App", "VS Code"), true
	case "context_servers":
		return words.New("paste.kind_configuration", "App", "Zed"), true
	case "mcp_servers":
		return words.New("paste.kind_configuration", "App", "Codex"), true
	case "extensions":
		return words.New("paste.kind_configuration", "App", "Goose"), true
	case "amp.mcpServers":
		return words.New("paste.kind_configuration", "App", "Amp"), true
	case "mcp":
		return words.New("paste.kind_configuration", "App", "opencode"), true
	}
	return words.Text{}, false
}

// isServer reports whether a value is a server's entry.
func isServer(n *jsonc.Node) bool {
	return slices.ContainsFunc(members(n), func(m *jsonc.Node) bool {
		switch m.Key {
		case "command", "cmd":
			return m.Kind == jsonc.String || m.Kind == jsonc.Array || m.Member("path") != nil
		case "url", "serverUrl", "httpUrl", "uri", "endpoint":
			return m.Kind == jsonc.String
		}
		return false
	})
}

// servers finds the servers of a value, and tells whether there are any.
func (p *parser) servers(n *jsonc.Node) bool {
	before := len(p.entries)
	inputs := inputsOf(n)
	switch {
	case n.Kind == jsonc.Array:
		p.list(n, inputs)
	case n.Kind != jsonc.Object:
	case n.Member("toolboxes") != nil:
		p.toolboxes(n)
	case isServer(n):
		p.recognised(words.New("paste.kind_one"))
		p.entry(n.Member("name").Str(), n, inputs)
	default:
		p.holders(n, inputs, 0)
		if len(p.entries) == before {
			p.members(n, inputs, words.New("paste.kind_some"))
		}
	}
	if len(p.entries) > before {
		return true
	}
	p.explain(n)
	return false
}

// holders looks for the keys under which clients have servers, also further down: in VS Code's settings they are in
// "mcp", in Claude Code's file in "projects".
func (p *parser) holders(n *jsonc.Node, inputs inputs, depth int) {
	if n.Kind != jsonc.Object || depth > maxNesting {
		return
	}
	inputs = inputs.with(inputsOf(n))
	for _, m := range members(n) {
		kind, ok := holder(m.Key)
		before := len(p.entries)
		switch {
		case ok && m.Kind == jsonc.Object:
			p.members(m, inputs.with(inputsOf(m)), kind)
		case ok && m.Kind == jsonc.Array:
			p.list(m, inputs)
		}
		if len(p.entries) == before {
			p.holders(m, inputs, depth+1)
		} else if m.Key != "mcpServers" && ok {
			p.kind = kind
		}
	}
}

// members takes the servers of an object whose keys are their names.
func (p *parser) members(n *jsonc.Node, inputs inputs, kind words.Text) {
	for _, m := range members(n) {
		if len(p.entries) > MaxEntries {
			break
		}
		switch {
		case isServer(m):
			p.recognised(kind)
			p.entry(m.Key, m, inputs)
		case m.Kind == jsonc.Object && len(members(m)) == 1 && isServer(m.Children[0]) && kind.Code == mcpServersKind:
			p.recognised(kind) // a second name around it, by mistake
			p.entry(m.Children[0].Key, m.Children[0], inputs)
		case m.Kind == jsonc.Object && (m.Member("settings") != nil || m.Member("args") != nil || m.Member("env") != nil || m.Member("type").Str() == "builtin" || m.Member("type").Str() == "platform"):
			p.say(words.New("paste.only_app_starts", "Name", shown(m.Key)))
		}
	}
}

// list takes servers that are in an array: each with its name, or a command in words.
func (p *parser) list(n *jsonc.Node, inputs inputs) {
	argv := make([]string, 0, len(items(n)))
	for _, item := range items(n) {
		switch {
		case isServer(item):
			p.recognised(words.New("paste.kind_list"))
			p.entry(item.Member("name").Str(), item, inputs)
		case item.Kind == jsonc.Object:
			p.members(item, inputs, words.New("paste.kind_list"))
		case item.Kind == jsonc.String:
			argv = append(argv, item.Str())
		}
	}
	if len(argv) > 1 && len(argv) == len(items(n)) && isProgram(argv[0]) {
		p.command(argv, nil, "")
	}
}

// toolboxes takes the servers of a configuration of ours, each with its toolbox.
func (p *parser) toolboxes(n *jsonc.Node) {
	for _, box := range members(n.Member("toolboxes")) {
		servers := box.Member("mcpServers")
		if servers == nil {
			continue
		}
		before := len(p.entries)
		p.members(servers, nil, words.New("paste.kind_toolboxes"))
		for i := before; i < len(p.entries); i++ {
			p.entries[i].Toolbox = strings.TrimSpace(box.Key)
		}
		if box.Member("description").Str() != "" && len(p.entries) > before {
			p.say(words.New("paste.description", "Toolbox", shown(box.Key)))
		}
	}
	for _, key := range []string{"toolMode", "metaToolPrefix"} {
		if n.Member(key) != nil {
			p.say(words.New("paste.setting", "Name", strconv.Quote(key)))
		}
	}
}

// explain says why a value has no servers.
func (p *parser) explain(n *jsonc.Node) {
	switch {
	case firstOf(n, "manifest_version", "dxt_version", "mcpb_version") != nil:
		p.refuse(words.New("paste.manifest"), words.New("paste.hint_extension"))
	case firstOf(n, "packages", "remotes") != nil && n.Member("name") != nil:
		p.refuse(words.New("paste.registry"), words.New("paste.hint_command_or_address"))
	case firstOf(n, "dependencies", "devDependencies", "scripts") != nil:
		p.refuse(words.New("paste.package_json"), words.New("paste.hint_npx", "Package", orPackage(n.Member("name").Str())))
	case holds(n, "mcpServers", "servers", "context_servers", "mcp_servers", "mcp"):
		p.refuse(words.New("paste.no_servers"), words.New("paste.hint_server_has"))
	case n.Kind == jsonc.Object && (n.Member("args") != nil || n.Member("env") != nil):
		p.refuse(words.New("paste.no_command"), words.New("paste.hint_whole_entry"))
	default:
		p.refuse(words.New("paste.json_without_server"), words.New("paste.hint_server_example"))
	}
}

func holds(n *jsonc.Node, keys ...string) bool { return firstOf(n, keys...) != nil }

func orPackage(name string) string {
	if name == "" || len(name) > 60 || strings.ContainsAny(name, " \n") {
		return "package"
	}
	return name
}
