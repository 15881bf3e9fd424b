package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file knows where servers lie in a text.

// shape is a row of the table of shapes: a key under which a product has its servers, as an object whose keys
// are their names, or as a list.
type shape struct {
	key string
	app string // the product, for people; empty if several have the key

	// transport is that of servers whose entry does not state it.
	transport string

	// only says which elements of a list are servers, if others may be beside them.
	only func(*jsonc.Node) bool
}

var shapes = []shape{
	{key: "mcpServers"},
	{key: "servers", app: "VS Code"},
	{key: "mcp.servers", app: "VS Code"},
	{key: "context_servers", app: "Zed"},
	{key: "mcp_servers", app: "Codex"},
	{key: "extensions", app: "Goose"},
	{key: "amp.mcpServers", app: "Amp"},
	{key: "mcp", app: "opencode"},
	{key: "modelContextProtocolServers", app: "Continue"}, // its older list
	{key: "modelContextProtocolServer", app: "Continue"},
	{key: "tools", only: isTool},
	{key: "stdio_servers", app: "OpenHands"},
	{key: "shttp_servers", app: "OpenHands"},
	{key: "sse_servers", app: "OpenHands", transport: "sse"},
}

// Keys returns the keys under which products have servers.
func Keys() (keys [][]string) {
	for _, row := range shapes {
		keys = append(keys, []string{row.key})
	}
	return keys
}

// isTool reports whether an element of the tools of an API is a server.
func isTool(n *jsonc.Node) bool {
	return firstOf(n, "server_label", "server_url", "serverUrl") != nil || n.Member("type").Str() == "mcp"
}

// shapeOf returns the row of a key; nil if it holds no servers.
func shapeOf(key string) *shape {
	for _, row := range shapes {
		if row.key == key {
			return &row
		}
	}
	return nil
}

// kind describes a text with servers under this key.
func (s *shape) kind() words.Text {
	switch {
	case s.app != "":
		return words.New("foreign.kind_configuration", "App", s.app)
	case s.only != nil:
		return words.New("foreign.kind_list")
	}
	return mcpServersKind.Text()
}

// mcpServersKind describes the form that most products use.
const mcpServersKind = words.Code("foreign.kind_mcp_servers")

// isServer reports whether a value is the entry of a server: whether it says a command or an address, perhaps
// in a group.
func isServer(n *jsonc.Node) bool { return says(n, 0) || wraps(n) != nil }

// names reports whether the keys of an object are the names of servers. One of them may have the name of a group, such
// as "http", or "command".
func names(n *jsonc.Node, certain bool) bool {
	servers := 0
	for _, m := range members(n) {
		if m.Kind != jsonc.Object {
			return false
		}
		if isServer(m) {
			servers++
		}
	}
	return servers > 1 || certain && servers == len(members(n))
}

// wraps returns the member with the whole entry in an object that has only the server's name and what is known about
// it beside that member; nil if there is none.
func wraps(n *jsonc.Node) *jsonc.Node {
	transport, known := transportOf(n.Member("type").Str())
	if says(n, 0) || folded(n, "id", "name", "key", "identifier", "displayname").Str() == "" && !(known && transport != "") {
		return nil
	}
	for _, m := range members(n) {
		if slices.Contains([]string{"config", "serverconfig", "spec", "server", "definition"}, fold(m.Key)) && says(m, 1) {
			return m
		}
	}
	return nil
}

func says(n *jsonc.Node, depth int) bool {
	return slices.ContainsFunc(members(n), func(m *jsonc.Node) bool {
		switch fold(m.Key) {
		case "command", "cmd":
			return m.Kind == jsonc.String && strings.TrimSpace(m.Str()) != "" ||
				m.Kind == jsonc.Array && len(m.Children) > 0 && !strings.HasPrefix(m.Children[0].Str(), "-") ||
				folded(m, "path", "command") != nil
		case "url", "serverurl", "httpurl", "uri", "endpoint", "baseurl", "mcpurl", "remoteurl", "endpointurl", "serveruri",
			"serveraddress", "mcpserverurl", "mcpendpoint",
			"streamablehttpurl", "sseurl", "sseendpoint":
			return m.Kind == jsonc.String && strings.TrimSpace(m.Str()) != ""
		case "remote": // also a usual name of a server
			return depth < maxGroups && n.Member("type").Is(jsonc.String) && says(m, depth+1)
		case "transport", "connection", "serverparams", "stdioserverparams", "stdioparams", "connectionparams", "stdio",
			"stdiotransport",
			"http", "streamablehttp", "streamablehttptransport", "streamablehttpparams", "httptransport", "sse", "ssetransport",
			"sseparams":
			return depth < maxGroups && says(m, depth+1)
		}
		return false
	})
}

// scope is what holds for all servers of an object or a list.
type scope struct {
	kind    words.Text // describes the text
	inputs  Inputs
	keys    []string // the keys that lead there
	certain bool     // the key says that servers are there
	only    func(*jsonc.Node) bool
	toolbox string
	router  bool   // the text is an export of MCP Router
	given   string // the transport of servers that state none
	deep    bool   // the text has none of the keys of the table; see evident
}

// in returns the scope for a member.
func (s scope) in(key string, n *jsonc.Node) scope {
	s.keys = append(slices.Clone(s.keys), key)
	s.inputs = s.inputs.with(inputsOf(n))
	return s
}

// servers adds the servers of a value, and reports whether there are any.
func (p *parser) servers(n *jsonc.Node) bool {
	before := len(p.entries)
	all := scope{inputs: inputsOf(n), router: routerExport(n)}
	switch {
	case n.Kind == jsonc.Array:
		all.kind = words.New("foreign.kind_list")
		p.list(n, all)
	case n.Kind != jsonc.Object:
	case n.Member("toolboxes") != nil:
		p.toolboxes(n)
	case isServer(n) && !names(n, false):
		p.recognised(words.New("foreign.kind_one"))
		p.entry(Place{Value: n}, all.inputs)
	case firstOf(n, "openapi", "swagger") != nil: // its "servers" are no MCP servers
	default:
		rest := len(p.rest)
		found := p.search(n, all)
		all.kind = words.New("foreign.kind_some")
		if !found {
			p.named(n, all)
		}
		if len(p.entries) == before && !otherFile(n) {
			why := slices.Clone(p.rest[rest:])
			p.rest, all.deep = p.rest[:rest], true
			if p.search(n, all); len(p.entries) == before {
				p.rest = append(p.rest[:rest], why...)
			}
		}
	}
	if len(p.entries) > before {
		return true
	}
	p.explain(n)
	return false
}

// search looks for the keys under which products have servers. They may be nested: in "mcp" in the settings
// of VS Code, in "projects" in Claude Code's file. It reports whether the value has some, and then names what
// is beside them.
func (p *parser) search(n *jsonc.Node, s scope) (found bool) {
	if len(s.keys) > maxNesting {
		return false
	}
	var beside []Place
	for i, m := range n.Children {
		key := m.Key
		if n.Kind == jsonc.Array {
			key = fmt.Sprintf("[%d]", i)
		}
		inner := s.in(key, m)
		held := false
		if row := shapeOf(m.Key); row != nil && (m.Kind == jsonc.Object || m.Kind == jsonc.Array) {
			inner.kind, inner.certain, inner.only, inner.given = row.kind(), true, row.only, row.transport
			before, rest := len(p.entries), len(p.rest)
			p.holder(m, inner)
			if s.deep && len(p.entries) == before {
				p.rest = p.rest[:rest] // the servers may be further below
			}
			held = len(p.entries)+len(p.rest) > before+rest
		} else if s.deep && slices.ContainsFunc(m.Children, func(item *jsonc.Node) bool { return evident(item, inner.keys) }) {
			p.holder(m, inner)
			held = true
		}
		if held || p.search(m, s.in(key, m)) {
			found = true
		} else if key != "$schema" && key != "inputs" {
			beside = append(beside, Place{Name: key, Keys: s.keys, Value: m})
		}
	}
	for _, at := range beside {
		if found && partOfEntry(at.Name) {
			p.leave(at, words.New("foreign.misplaced"))
		} else if found {
			p.beside = append(p.beside, strings.Join(append(slices.Clone(at.Keys), at.Name), "."))
		}
	}
	return found
}

// evident reports whether a value under keys that no product in the table has is the entry of a server of MCP, and not
// something else with a command or an address.
func evident(n *jsonc.Node, keys []string) bool {
	if !isServer(n) {
		return false
	}
	address := firstOf(n, "url", "uri", "endpoint").Str()
	if inner := n.Member("remote"); address == "" && inner != nil {
		address = firstOf(inner, "url", "uri", "endpoint").Str()
	}
	return ofMCP(n.Key) || fold(n.Member("type").Str()) == "mcp" || slices.ContainsFunc(keys, ofMCP) ||
		looksMCP(address) || has(n, "command", "cmd") && slices.ContainsFunc(items(n.Member("args")),
		func(arg *jsonc.Node) bool { return ofMCP(arg.Str()) })
}

func ofMCP(text string) bool { return strings.Contains(fold(text), "mcp") }

// otherFile reports whether a value is a file of another kind, which explain describes.
func otherFile(n *jsonc.Node) bool {
	return has(n, "manifest_version", "dxt_version", "mcpb_version", "packages", "remotes", "dependencies",
		"devDependencies", "scripts") || has(n.Member("server"), "packages", "remotes")
}

// partOfEntry reports whether a name is that of a member that belongs into an entry, and not beside it.
func partOfEntry(name string) bool {
	return slices.Contains([]string{"env", "environment", "envs", "args", "arguments", "headers", "httpheaders", "cwd",
		"requestinit", "requestoptions"}, fold(name))
}

// leave records something among servers that is none, and why.
func (p *parser) leave(at Place, why words.Text) {
	if len(p.rest) < maxRest {
		p.rest = append(p.rest, Rest{at, why})
	}
}

// maxRest limits how much is recorded that does not come over: what is no server, and members of each entry.
const maxRest = 1000

// holder adds the servers of an object or a list.
func (p *parser) holder(n *jsonc.Node, s scope) {
	if n.Kind == jsonc.Array {
		p.list(n, s)
	} else {
		p.named(n, s)
	}
}

// named adds the servers of an object whose keys are their names.
func (p *parser) named(n *jsonc.Node, s scope) {
	if s.only != nil {
		return
	}
	if s.certain && isServer(n) && !names(n, true) { // the only one, without a name
		p.recognised(s.kind)
		p.entry(Place{Keys: s.keys[:len(s.keys)-1], Value: n}, s.inputs)
		return
	}
	before, rest := len(p.entries), len(p.rest)
	list := last(n)
	for _, m := range list {
		if len(p.entries) > MaxEntries {
			break
		}
		p.member(Place{Name: m.Key, Keys: s.keys, Value: m, Twice: len(list) < len(n.Children) && n.Member(m.Key) != m}, s)
	}
	if len(p.entries) == before && !s.certain {
		p.rest = p.rest[:rest]
	}
}

// member adds a server that has a name, or says why it is none.
func (p *parser) member(at Place, s scope) {
	n := at.Value
	row := shapeOf(at.Name)
	switch {
	case isServer(n):
		p.recognised(s.kind)
		before := len(p.entries)
		p.entry(at, s.inputs)
		for i := before; i < len(p.entries); i++ {
			p.entries[i].Toolbox = s.toolbox
		}
	case s.certain && s.keys[len(s.keys)-1] != "mcp" &&
		(n.Kind == jsonc.String && isAddress(n.Str()) || argvOf(n) != nil): // "mcp" has settings, too
		p.recognised(s.kind)
		p.bare(at, s)
	case s.certain && (at.Name == "inputs" || at.Name == "$schema"):
	case s.certain && row != nil && row.only == nil &&
		(n.Kind == jsonc.Array || n.Kind == jsonc.Object && !has(n, "args", "env", "command", "url", "type")):
		inner := s.in(at.Name, n) // opencode 2 and VS Code have "servers" in "mcp"
		inner.given = row.transport
		if n.Kind == jsonc.Array || !slices.ContainsFunc(n.Children, func(m *jsonc.Node) bool { return ofOpencode(m) }) {
			inner.kind = row.kind()
		}
		p.holder(n, inner)
	case n.Kind == jsonc.Object && len(members(n)) == 1 && isServer(n.Children[0]) && s.kind.Code == mcpServersKind:
		p.recognised(s.kind) // another name around the servers, by mistake
		p.entry(Place{Name: n.Children[0].Key, Keys: append(slices.Clone(s.keys), at.Name), Value: n.Children[0]}, s.inputs)
	default:
		p.leave(at, p.whyNone(at, s))
	}
}

// argvOf returns the command that an array is, as its words; nil if it is none.
func argvOf(n *jsonc.Node) (argv []string) {
	for _, item := range items(n) {
		if item.Kind != jsonc.String {
			return nil
		}
		argv = append(argv, item.Str())
	}
	if len(argv) == 0 || !isProgram(argv[0]) {
		return nil
	}
	return argv
}

// bare adds a server whose entry is only its address, or only its command.
func (p *parser) bare(at Place, s scope) {
	t := &translation{given: s.given, from: map[string][]string{}}
	t.At = at
	if argv := argvOf(at.Value); argv != nil {
		t.Server.Command, t.Server.Args = argv[0], argv[1:]
	} else {
		t.Server.URL = strings.TrimSpace(at.Value.Str())
	}
	t.tidyTransport()
	t.tidyCommand()
	p.add(strings.TrimSpace(inLine(at.Name)), t)
}

// ofOpencode reports whether an entry is one of opencode.
func ofOpencode(n *jsonc.Node) bool {
	kind := n.Member("type").Str()
	return kind == "local" || kind == "remote"
}

// holdsServers reports whether a value is a list or an object of servers.
func holdsServers(n *jsonc.Node) bool {
	return slices.ContainsFunc(n.Children, isServer)
}

// whyNone returns why a value among servers is none.
func (p *parser) whyNone(at Place, s scope) words.Text {
	n := at.Value
	switch {
	case partOfEntry(at.Name) && !has(n, "args", "env", "command", "url"):
		return words.New("foreign.misplaced")
	case n.Kind != jsonc.Object:
		return words.New("foreign.no_entry")
	case has(n, "image"):
		return words.New("foreign.no_command_app", "App", "Docker")
	case p.app != "":
		return words.New("foreign.no_command_app", "App", p.app)
	case s.router && fromRouter(n):
		return words.New("foreign.no_command_router")
	case s.kind.Code == "foreign.kind_configuration" &&
		(has(n, "settings", "source") ||
			n.Member("type").Is(jsonc.String)): // a part of the product itself, or an extension of it
		return words.New("foreign.no_command_app", "App", s.kind.Args["App"])
	}
	return words.New("foreign.no_command")
}

// routerExport reports whether a text has the form of MCP Router's export: nothing but servers, and each has arguments
// and variables, also empty ones, and a command unless it is a remote one.
func routerExport(n *jsonc.Node) bool {
	servers := members(n.Member("mcpServers"))
	local := false
	for _, m := range servers {
		known := m.Member("args").Is(jsonc.Array) && m.Member("env").Is(jsonc.Object)
		if command := m.Member("command").Is(jsonc.String); !known || len(m.Children) > 3 ||
			command != (len(m.Children) == 3) {
			return false
		}
		local = local || len(m.Children) == 3
	}
	return local && len(members(n)) == 1
}

// fromRouter reports whether an entry has the form of those that MCP Router exports for remote servers: without
// their addresses, with empty arguments and variables.
func fromRouter(n *jsonc.Node) bool {
	return len(members(n)) == 2 && n.Member("args").Is(jsonc.Array) && len(n.Member("args").Children) == 0 &&
		n.Member("env").Is(jsonc.Object) && len(n.Member("env").Children) == 0
}

// has reports whether an object has one of the members.
func has(n *jsonc.Node, names ...string) bool { return firstOf(n, names...) != nil }

// list adds the servers of a list. Each element is an entry with a name, or the list is a command.
func (p *parser) list(n *jsonc.Node, s scope) {
	before, rest := len(p.entries), len(p.rest)
	argv := make([]string, 0, len(items(n)))
	for i, item := range items(n) {
		if len(p.entries) > MaxEntries {
			break
		}
		at := Place{Keys: s.keys, Value: item, Name: firstOf(item, "name", "server_label", "id", "type").Str()}
		called := item.Member("name").Str()
		if called == "" && wraps(item) != nil {
			called = firstOf(item, "id", "key").Str()
		}
		switch {
		case item.Kind == jsonc.String && s.certain && s.only == nil && isAddress(item.Str()):
			p.recognised(s.kind)
			p.bare(at, s)
			continue
		case item.Kind == jsonc.String:
			argv = append(argv, item.Str())
		case isServer(item) && (s.only == nil || s.only(item)):
			p.recognised(s.kind)
			p.entryOf(Place{Name: called, Keys: s.keys, Value: item}, s)
			continue
		case s.only == nil && item.Kind == jsonc.Object && holdsServers(item):
			p.named(item, s)
			continue
		}
		if at.Name == "" {
			at.Name = fmt.Sprintf("[%d]", i)
		}
		why := words.New("foreign.no_entry")
		if s.only == nil && item.Kind == jsonc.Object || s.only != nil && s.only(item) {
			why = p.whyNone(Place{Value: item}, s)
		}
		p.leave(at, why)
	}
	if len(argv) > 1 && len(argv) == len(items(n)) && isProgram(argv[0]) {
		p.rest = p.rest[:rest]
		p.command(argv, nil, "")
	}
	if len(p.entries) == before && (!s.certain || s.only != nil) {
		p.rest = p.rest[:rest]
	}
}

// toolboxes adds the servers of one of our own configurations, each with its toolbox.
func (p *parser) toolboxes(n *jsonc.Node) {
	p.own = true
	for _, box := range last(n.Member("toolboxes")) {
		before := len(p.entries)
		for _, m := range last(box) {
			switch m.Key {
			case "mcpServers":
				p.holder(m, scope{kind: words.New("foreign.kind_toolboxes"), certain: true, toolbox: strings.TrimSpace(box.Key),
					keys: []string{"toolboxes", box.Key, m.Key}})
			case "askFirst":
			default:
				p.say(words.New("foreign.of_toolbox", "Name", shown(m.Key), "Toolbox", shown(box.Key)))
			}
		}
		for i := before; i < len(p.entries); i++ {
			p.entries[i].Server.AskFirst = p.entries[i].Server.AskFirst || box.Member("askFirst").Is(jsonc.True)
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
	case has(n, "manifest_version", "dxt_version", "mcpb_version"):
		p.refuse(words.New("foreign.manifest"), words.New("foreign.hint_extension"))
	case has(n, "packages", "remotes") && n.Member("name") != nil, has(n.Member("server"), "packages", "remotes"):
		p.refuse(words.New("foreign.registry"), words.New("foreign.hint_command_or_address"))
	case has(n, "dependencies", "devDependencies", "scripts"):
		p.refuse(words.New("foreign.package_json"),
			words.New("foreign.hint_npx", "Package", orPackage(n.Member("name").Str())))
	case len(p.rest) > 0:
		all := (&Found{Rest: p.rest}).Says()
		message := all[len(all)-1]
		for _, note := range slices.Backward(all[:len(all)-1]) {
			message = words.New("foreign.diagnosed", "Message", note, "Hint", message)
		}
		p.refuse(message, words.New("foreign.hint_server_has"))
	case has(n, "mcpServers", "servers", "context_servers", "mcp_servers", "mcp"):
		p.refuse(words.New("foreign.no_servers"), words.New("foreign.hint_server_has"))
	case n.Kind == jsonc.Object && has(n, "args", "env"):
		p.refuse(words.New("foreign.no_command"), words.New("foreign.hint_whole_entry"))
	default:
		p.refuse(words.New("foreign.json_without_server"), words.New("foreign.hint_server_example"))
	}
}

func orPackage(name string) string {
	if name == "" || len(name) > 60 || strings.ContainsAny(name, " \n") {
		return "package"
	}
	return name
}
