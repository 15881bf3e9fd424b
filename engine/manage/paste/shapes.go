package paste

import (
	"strings"
)

// This file knows under which keys the clients have their servers.

// mcpServersKind is what most clients have.
const mcpServersKind = "a configuration with “mcpServers”"

// holders are the keys that have servers in them, and what client has them so.
func holder(key string) (kind string, ok bool) {
	switch key {
	case "mcpServers":
		return mcpServersKind, true
	case "servers", "mcp.servers":
		return "the configuration of VS Code", true
	case "context_servers":
		return "the configuration of Zed", true
	case "mcp_servers":
		return "the configuration of Codex", true
	case "extensions":
		return "the configuration of Goose", true
	case "amp.mcpServers":
		return "the configuration of Amp", true
	case "mcp":
		return "the configuration of opencode", true
	}
	return "", false
}

// isServer tells whether a value is a server's entry.
func isServer(n *node) bool {
	if n == nil || n.kind != '{' {
		return false
	}
	for _, key := range []string{"command", "cmd"} {
		if c := n.member(key); c != nil && (c.kind == '"' || c.kind == '[' || c.kind == '{' && c.member("path") != nil) {
			return true
		}
	}
	for _, key := range []string{"url", "serverUrl", "httpUrl", "uri", "endpoint"} {
		if c := n.member(key); c != nil && c.kind == '"' {
			return true
		}
	}
	return false
}

// servers finds the servers of a value, and tells whether there are any.
func (p *parser) servers(n *node) bool {
	before := len(p.entries)
	inputs := n.inputs()
	switch {
	case n.kind == '[':
		p.list(n, inputs)
	case n.kind != '{':
	case n.member("toolboxes") != nil:
		p.toolboxes(n)
	case isServer(n):
		p.recognised("one server")
		p.entry(n.string2("name"), n, inputs)
	default:
		p.holders(n, inputs, 0)
		if len(p.entries) == before {
			p.members(n, inputs, "one or more servers")
		}
	}
	if len(p.entries) > before {
		return true
	}
	p.explain(n)
	return false
}

// string2 is the text of a member.
func (n *node) string2(name string) string { return n.member(name).string() }

// holders looks for the keys under which clients have servers, also further down: in VS Code's settings they are in
// "mcp", in Claude Code's file in "projects".
func (p *parser) holders(n *node, inputs inputs, depth int) {
	if n.kind != '{' || depth > maxNesting {
		return
	}
	inputs = inputs.with(n.inputs())
	for _, m := range n.members {
		kind, ok := holder(m.name)
		before := len(p.entries)
		switch {
		case ok && m.kind == '{':
			p.members(m.node, inputs.with(m.inputs()), kind)
		case ok && m.kind == '[':
			p.list(m.node, inputs)
		}
		if len(p.entries) == before {
			p.holders(m.node, inputs, depth+1)
		} else if m.name != "mcpServers" && ok {
			p.kind = kind
		}
	}
}

// members takes the servers of an object whose keys are their names.
func (p *parser) members(n *node, inputs inputs, kind string) {
	for _, m := range n.members {
		if len(p.entries) > MaxEntries {
			break
		}
		switch {
		case isServer(m.node):
			p.recognised(kind)
			p.entry(m.name, m.node, inputs)
		case m.kind == '{' && len(m.members) == 1 && isServer(m.members[0].node) && kind == mcpServersKind:
			p.recognised(kind) // a second name around it, by mistake
			p.entry(m.members[0].name, m.members[0].node, inputs)
		case m.kind == '{' && (m.member("settings") != nil || m.member("args") != nil || m.member("env") != nil || m.string2("type") == "builtin" || m.string2("type") == "platform"):
			p.say("%s was left out: it says no command and no address, so only the app that it is from can start it.", shown(m.name))
		}
	}
}

// list takes servers that are in an array: each with its name, or a command in words.
func (p *parser) list(n *node, inputs inputs) {
	words := make([]string, 0, len(n.items))
	for _, item := range n.items {
		switch {
		case isServer(item):
			p.recognised("a list of servers")
			p.entry(item.string2("name"), item, inputs)
		case item.kind == '{':
			p.members(item, inputs, "a list of servers")
		case item.kind == '"':
			words = append(words, item.text)
		}
	}
	if len(words) > 1 && len(words) == len(n.items) && isProgram(words[0]) {
		p.command(words, nil, "")
	}
}

// toolboxes takes the servers of a configuration of ours, each with its toolbox.
func (p *parser) toolboxes(n *node) {
	for _, box := range n.member("toolboxes").members {
		servers := box.member("mcpServers")
		if servers == nil {
			continue
		}
		before := len(p.entries)
		p.members(servers, nil, "toolboxes with their servers")
		for i := before; i < len(p.entries); i++ {
			p.entries[i].Toolbox = strings.TrimSpace(box.name)
		}
		if box.string2("description") != "" && len(p.entries) > before {
			p.say("The description of the toolbox %s was left out.", shown(box.name))
		}
	}
	for _, key := range []string{"toolMode", "metaToolPrefix"} {
		if n.member(key) != nil {
			p.say("The setting %q was left out: it is about the whole file.", key)
		}
	}
}

// explain says why a value has no servers.
func (p *parser) explain(n *node) {
	switch {
	case n.member("manifest_version", "dxt_version", "mcpb_version") != nil:
		p.refuse("This is the manifest of an extension (.mcpb), which works only together with its files.", "Use “From a file” with the .mcpb file, or paste the command that starts the server.")
	case n.member("packages", "remotes") != nil && n.member("name") != nil:
		p.refuse("This describes a server for a registry, and does not say how it is started.", "Paste the command or the address from the server's instructions.")
	case n.member("dependencies", "devDependencies", "scripts") != nil:
		p.refuse("This is the package.json of a project, and does not say how its server is started.", "Paste the command from its instructions, such as “npx -y "+orPackage(n.string2("name"))+"”.")
	case holds(n, "mcpServers", "servers", "context_servers", "mcp_servers", "mcp"):
		p.refuse("This configuration has no servers in it.", `A server has a "command" or a "url".`)
	case n.kind == '{' && (n.member("args") != nil || n.member("env") != nil):
		p.refuse(`This entry has no "command" and no "url", so nothing says what is to be started.`, "Copy the whole entry.")
	default:
		p.refuse("This is valid JSON, but there is no server in it.", `A server has a "command" or a "url": {"command": "npx", "args": ["-y", "…"]}.`)
	}
}

func holds(n *node, keys ...string) bool { return n.member(keys...) != nil }

func orPackage(name string) string {
	if name == "" || len(name) > 60 || strings.ContainsAny(name, " \n") {
		return "package"
	}
	return name
}
