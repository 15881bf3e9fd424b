package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file knows the keys under which clients have their servers.

// mcpServersKind describes the form that most clients use.
const mcpServersKind = words.Code("foreign.kind_mcp_servers")

// holder reports whether a key holds servers. kind describes the client that uses it.
func holder(key string) (kind words.Text, ok bool) {
	switch key {
	case "mcpServers":
		return mcpServersKind.Text(), true
	case "servers", "mcp.servers":
		return words.New("foreign.kind_configuration", "App", "VS Code"), true
	case "context_servers":
		return words.New("foreign.kind_configuration", "App", "Zed"), true
	case "mcp_servers":
		return words.New("foreign.kind_configuration", "App", "Codex"), true
	case "extensions":
		return words.New("foreign.kind_configuration", "App", "Goose"), true
	case "amp.mcpServers":
		return words.New("foreign.kind_configuration", "App", "Amp"), true
	case "mcp":
		return words.New("foreign.kind_configuration", "App", "opencode"), true
	}
	return words.Text{}, false
}

// isServer reports whether a value is the entry of a server.
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

// servers adds the servers of a value, and reports whether there are any.
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
		p.recognised(words.New("foreign.kind_one"))
		p.entry(n.Member("name").Str(), n, inputs)
	default:
		p.holders(n, inputs, 0)
		if len(p.entries) == before {
			p.members(n, inputs, words.New("foreign.kind_some"))
		}
	}
	if len(p.entries) > before {
		return true
	}
	p.explain(n)
	return false
}

// holders searches for the keys under which clients have servers. They may be nested: in "mcp" in the
// settings of VS Code, in "projects" in Claude Code's file.
func (p *parser) holders(n *jsonc.Node, inputs Inputs, depth int) {
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

// members adds the servers of an object whose keys are the names of servers.
func (p *parser) members(n *jsonc.Node, inputs Inputs, kind words.Text) {
	for _, m := range members(n) {
		if len(p.entries) > MaxEntries {
			break
		}
		p.member(m.Key, m, inputs, kind)
	}
}

// member adds a server that has a name.
func (p *parser) member(name string, n *jsonc.Node, inputs Inputs, kind words.Text) {
	switch {
	case isServer(n):
		p.recognised(kind)
		p.entry(name, n, inputs)
	case n.Kind == jsonc.Object && len(members(n)) == 1 && isServer(n.Children[0]) && kind.Code == mcpServersKind:
		p.recognised(kind) // another name around the servers, by mistake
		p.entry(n.Children[0].Key, n.Children[0], inputs)
	case n.Kind == jsonc.Object && (n.Member("settings") != nil || n.Member("args") != nil || n.Member("env") != nil || n.Member("type").Str() == "builtin" || n.Member("type").Str() == "platform"):
		p.say(words.New("foreign.only_app_starts", "Name", shown(name)))
	}
}

// list adds the servers of an array. Each element is an entry with a name, or the array is a command.
func (p *parser) list(n *jsonc.Node, inputs Inputs) {
	argv := make([]string, 0, len(items(n)))
	for _, item := range items(n) {
		p.item(item, inputs)
		if item.Kind == jsonc.String {
			argv = append(argv, item.Str())
		}
	}
	if len(argv) > 1 && len(argv) == len(items(n)) && isProgram(argv[0]) {
		p.command(argv, nil, "")
	}
}

// item adds a server that is in an array.
func (p *parser) item(n *jsonc.Node, inputs Inputs) {
	if kind := words.New("foreign.kind_list"); isServer(n) {
		p.recognised(kind)
		p.entry(n.Member("name").Str(), n, inputs)
	} else {
		p.members(n, inputs, kind)
	}
}

// toolboxes adds the servers of one of our own configurations, each with its toolbox.
func (p *parser) toolboxes(n *jsonc.Node) {
	for _, box := range members(n.Member("toolboxes")) {
		servers := box.Member("mcpServers")
		if servers == nil {
			continue
		}
		before := len(p.entries)
		p.members(servers, nil, words.New("foreign.kind_toolboxes"))
		for i := before; i < len(p.entries); i++ {
			p.entries[i].Toolbox = strings.TrimSpace(box.Key)
			p.entries[i].Server.AskFirst = p.entries[i].Server.AskFirst || box.Member("askFirst").Is(jsonc.True)
		}
		for _, m := range members(box) {
			if m.Key != "mcpServers" && m.Key != "askFirst" && len(p.entries) > before {
				p.say(words.New("foreign.of_toolbox", "Name", shown(m.Key), "Toolbox", shown(box.Key)))
			}
		}
	}
	for _, m := range members(n) {
		if m.Key != "$schema" && m.Key != "toolboxes" {
			p.say(words.New("foreign.setting", "Name", shown(m.Key)))
		}
	}
}

// explain records why a value has no servers.
func (p *parser) explain(n *jsonc.Node) {
	switch {
	case firstOf(n, "manifest_version", "dxt_version", "mcpb_version") != nil:
		p.refuse(words.New("foreign.manifest"), words.New("foreign.hint_extension"))
	case firstOf(n, "packages", "remotes") != nil && n.Member("name") != nil:
		p.refuse(words.New("foreign.registry"), words.New("foreign.hint_command_or_address"))
	case firstOf(n, "dependencies", "devDependencies", "scripts") != nil:
		p.refuse(words.New("foreign.package_json"), words.New("foreign.hint_npx", "Package", orPackage(n.Member("name").Str())))
	case holds(n, "mcpServers", "servers", "context_servers", "mcp_servers", "mcp"):
		p.refuse(words.New("foreign.no_servers"), words.New("foreign.hint_server_has"))
	case n.Kind == jsonc.Object && (n.Member("args") != nil || n.Member("env") != nil):
		p.refuse(words.New("foreign.no_command"), words.New("foreign.hint_whole_entry"))
	default:
		p.refuse(words.New("foreign.json_without_server"), words.New("foreign.hint_server_example"))
	}
}

func holds(n *jsonc.Node, keys ...string) bool { return firstOf(n, keys...) != nil }

func orPackage(name string) string {
	if name == "" || len(name) > 60 || strings.ContainsAny(name, " \n") {
		return "package"
	}
	return name
}
