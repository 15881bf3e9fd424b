package foreign

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// translation turns the entry of another client into one of ours.
type translation struct {
	Entry
	inputs  Inputs
	given   string   // the transport that the text states
	leftOut []string // keys that have no meaning here
}

// entry translates one server's object and adds it. The name may be empty.
func (p *parser) entry(name string, n *jsonc.Node, inputs Inputs) {
	t := &translation{inputs: inputs}
	name = strings.TrimSpace(name)
	for _, m := range members(n) {
		t.member(m.Key, m)
	}
	if s := &t.Server; s.Command != "" && s.URL != "" && t.given == "" {
		t.note(words.New("foreign.address_left_out"))
		s.URL = ""
	}
	t.transport()
	if len(t.leftOut) > 0 {
		t.note(words.New("foreign.left_out", "Names", t.leftOut))
	}
	for _, s := range members(n) {
		if s.Key == "name" && name == "" {
			name = s.Str()
		}
	}
	if p.change != nil {
		Each(&t.Server, func(_ Part, value *string) { *value = p.change(*value) })
	}
	t.tidyCommand()
	t.references()
	p.add(name, t)
}

// add suggests a name and adds the entry.
func (p *parser) add(name string, t *translation) {
	if strings.TrimSpace(t.Server.Command) == "" && t.Server.URL == "" {
		p.refuse(words.New("foreign.no_program"), words.New("foreign.hint_whole_entry"))
		return
	}
	if name == "" || !plausibleName(name) {
		name = suggest(&t.Server)
	}
	t.Server.Name = name
	t.Entry.inputs(t.inputs)
	p.entries = append(p.entries, t.Entry)
}

// inputs records, until blanks are searched, what is known about the values that are asked for.
func (e *Entry) inputs(known Inputs) {
	Each(&e.Server, func(place Part, value *string) {
		for _, m := range inputReference.FindAllStringSubmatch(*value, -1) {
			in, ok := known[m[1]]
			if !ok {
				in = input{}
			}
			e.ask(place, m[0], m[1], in)
		}
	})
}

// member translates one key of an entry.
func (t *translation) member(key string, n *jsonc.Node) {
	s := &t.Server
	if n.Kind == jsonc.Null {
		return
	}
	switch folded := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key)); folded {
	case "command", "cmd":
		t.command(n)
	case "args", "arguments", "argv":
		s.Args = append(s.Args, t.words(key, n)...)
	case "env", "environment", "envs":
		s.Env = t.variables(s.Env, n)
	case "envvars": // Codex: names of variables to pass on
		t.passedOn(n, func(name string) string { return "${" + name + "}" })
	case "envkeys": // Goose: names of secrets that it stores
		t.passedOn(n, func(string) string { return "" })
		if len(items(n)) > 0 {
			t.note(words.New("foreign.secrets_again"))
		}
	case "cwd", "workingdirectory", "workdir", "directory":
		if s.Cwd = n.Str(); n.Kind != jsonc.String {
			t.leave(key)
		}
	case "url", "serverurl", "uri", "endpoint":
		s.URL = strings.TrimSpace(n.Str())
	case "httpurl": // Gemini: streamable HTTP; its "url" is SSE
		s.URL, t.given = strings.TrimSpace(n.Str()), "http"
	case "type", "transport", "transporttype":
		if text := n.Str(); text != "" {
			t.given = text
		} else if inner := n.Member("type"); inner.Str() != "" { // Smithery and others: an object
			t.given = inner.Str()
			if address := n.Member("url").Str(); address != "" {
				s.URL = address
			}
		}
	case "headers", "httpheaders", "requestheaders":
		s.Headers = t.variables(s.Headers, n)
	case "requestinit":
		if headers := n.Member("headers"); headers != nil {
			s.Headers = t.variables(s.Headers, headers)
		}
	case "envhttpheaders":
		for _, m := range members(n) {
			s.Headers = append(s.Headers, config.Variable{Name: m.Key, Value: "${" + m.Str() + "}"})
		}
	case "bearertokenenvvar":
		s.Headers = append(s.Headers, config.Variable{Name: "Authorization", Value: "Bearer ${" + n.Str() + "}"})
		t.note(words.New("foreign.token_from", "Name", n.Str()))
	case "authorizationtoken", "bearertoken":
		s.Headers = append(s.Headers, config.Variable{Name: "Authorization", Value: "Bearer " + n.Str()})
	case "disabled":
		s.Disabled = t.isOn(key, n)
	case "askfirst":
		s.AskFirst = t.isOn(key, n)
	case "inheritenv":
		s.InheritEnv = t.isOn(key, n)
	case "trusttoolchanges":
		s.TrustToolChanges = t.isOn(key, n)
	case "enabled", "active", "isactive":
		s.Disabled = n.Kind == jsonc.False
	case "toolfilters", "enabledtools", "includetools", "allowedtools", "tools", "availabletools":
		t.filters(n)
	case "disabledtools", "excludetools", "excludedtools":
		if len(items(n)) > 0 {
			t.note(words.New("foreign.tools_off", "Tools", shown(strings.Join(t.words(key, n), ", "))))
		}
	case "startuptimeout", "startuptimeoutsec":
		s.StartupTimeout = t.seconds(key, n, 1)
	case "startuptimeoutms":
		s.StartupTimeout = t.seconds(key, n, 1000)
	case "calltimeout", "tooltimeoutsec", "tooltimeout":
		s.CallTimeout = t.seconds(key, n, 1)
	case "timeout", "timeoutms", "timeoutseconds", "requesttimeout", "inittimeout":
		t.note(words.New("foreign.time_limit"))
	case "autoapprove", "alwaysallow", "trust", "autoallow", "approvedtools":
		t.note(words.New("foreign.approvals"))
	case "envfile":
		t.note(words.New("foreign.env_file", "File", shown(n.Str())))
	case "oauth", "auth", "authentication", "authprovidertype":
		if t.oauth(n) {
			break
		}
		t.note(words.New("foreign.sign_in"))
	case "name", "source":
	default:
		t.leave(key)
	}
}

// leave records that a key was left out.
func (t *translation) leave(key string) {
	const most = 20
	switch name := leftOut(key); {
	case len(t.leftOut) < most && !slices.Contains(t.leftOut, name):
		t.leftOut = append(t.leftOut, name)
	case len(t.leftOut) == most:
		t.leftOut = append(t.leftOut, "…")
	}
}

// isOn reads true or false, which may be in quotes.
func (t *translation) isOn(key string, n *jsonc.Node) bool {
	text, _ := scalar(n)
	on := strings.EqualFold(text, "true")
	if !on && !strings.EqualFold(text, "false") {
		t.leave(key)
	}
	return on
}

// oauth translates how the other client is registered with a sign-in service. It reports whether there is a
// registration.
func (t *translation) oauth(n *jsonc.Node) bool {
	var o config.OAuth
	var unusable []string
	for _, m := range members(n) {
		usable := true
		switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(m.Key)) {
		case "clientid":
			o.ClientID = m.Str()
		case "clientsecret":
			o.ClientSecret = m.Str()
		case "scope", "scopes":
			o.Scope = strings.Join(t.words(m.Key, m), " ")
		case "callbackport":
			text, _ := scalar(m)
			port, err := strconv.Atoi(text)
			if usable = err == nil && port > 0 && port < 1<<16; usable {
				o.CallbackPort = port
			}
		default:
			usable = false
		}
		if !usable {
			unusable = append(unusable, "oauth."+m.Key)
		}
	}
	if o.ClientID == "" {
		return false
	}
	for _, name := range unusable {
		t.leave(name)
	}
	t.Server.OAuth = &o
	return true
}

// command translates the three forms of a command: its name, an array with the arguments, or an object.
func (t *translation) command(n *jsonc.Node) {
	s := &t.Server
	switch n.Kind {
	case jsonc.String:
		s.Command = strings.TrimSpace(n.Str())
	case jsonc.Array:
		if argv := t.words("command", n); len(argv) > 0 {
			s.Command, s.Args = argv[0], append(argv[1:], s.Args...)
		}
	case jsonc.Object:
		s.Command = n.Member("path").Str()
		s.Args = append(s.Args, t.words("args", n.Member("args"))...)
		if env := n.Member("env"); env != nil {
			s.Env = t.variables(s.Env, env)
		}
	}
}

// maxValues is the largest number of arguments, variables or headers in an entry.
const maxValues = 1000

// words reads a list of strings. It may also contain numbers, or be a single string.
func (t *translation) words(key string, n *jsonc.Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind == jsonc.String {
		return split(n.Str())
	}
	var argv []string
	for _, item := range items(n) {
		if len(argv) == maxValues {
			t.note(words.New("foreign.many_arguments", "Most", maxValues))
			break
		}
		if word, ok := scalar(item); ok {
			argv = append(argv, word)
		} else {
			t.note(words.New("foreign.no_text", "Name", shown(key)))
		}
	}
	return argv
}

// variables reads names with values from an object, a list of NAME=value, or a list of objects.
func (t *translation) variables(list []config.Variable, n *jsonc.Node) []config.Variable {
	set := func(name, value string) {
		list = slices.DeleteFunc(list, func(v config.Variable) bool { return v.Name == name })
		list = append(list, config.Variable{Name: name, Value: value})
	}
	for _, m := range members(n) {
		if len(list) == maxValues {
			t.note(words.New("foreign.many_variables", "Most", maxValues))
			break
		}
		value, ok := scalar(m)
		if !ok {
			t.note(words.New("foreign.no_value", "Name", shown(m.Key)))
		}
		set(m.Key, value)
	}
	for _, item := range items(n)[:min(len(items(n)), maxValues)] {
		if name, value, ok := strings.Cut(item.Str(), "="); ok {
			set(name, value)
		} else if name := firstOf(item, "name", "key").Str(); name != "" {
			value, _ := scalar(firstOf(item, "value", "default"))
			set(name, value)
		}
	}
	return list
}

func (t *translation) passedOn(n *jsonc.Node, value func(name string) string) {
	for _, item := range items(n) {
		name := item.Str()
		if name == "" {
			name = item.Member("name").Str()
		}
		if name != "" && !slices.ContainsFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name }) {
			t.Server.Env = append(t.Server.Env, config.Variable{Name: name, Value: value(name)})
		}
	}
}

func (t *translation) filters(n *jsonc.Node) {
	if n.Kind == jsonc.Object { // other apps have the settings of single tools there
		t.leave("tools")
		return
	}
	names := t.words("tools", n)
	if slices.Contains(names, "*") {
		return // all tools, which is the default
	}
	t.Server.ToolFilters = append([]string{}, names...)
}

// seconds reads a number, which may be in quotes.
func (t *translation) seconds(key string, n *jsonc.Node, parts float64) *time.Duration {
	text, _ := scalar(n)
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || !(number >= 0 && number <= 1e9) {
		t.leave(key)
		return nil
	}
	limit := time.Duration(number / parts * float64(time.Second))
	return &limit
}

// transport determines the transport from what the text states and from the fields that the entry has.
func (t *translation) transport() {
	s := &t.Server
	given := strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(t.given))
	if s.URL == "" {
		s.Transport = config.TransportStdio
		switch given {
		case "", "stdio", "local", "command", "process", "custom":
		default:
			t.note(words.New("foreign.transport_of_command", "Transport", shown(t.given)))
		}
		return
	}
	if s.Command != "" {
		if given == "stdio" || given == "local" {
			s.URL, s.Transport = "", config.TransportStdio
			t.note(words.New("foreign.address_left_out_stdio"))
			return
		}
		t.note(words.New("foreign.command_left_out", "Transport", shown(t.given)))
		s.Command, s.Args, s.Env = "", nil, nil
	}
	s.Transport = config.TransportHTTP
	switch given {
	case "sse":
		s.Transport = config.TransportSSE
	case "", "remote", "url":
		if looksSSE(s.URL) {
			s.Transport = config.TransportSSE
			t.note(words.New("foreign.sse"))
		}
	case "http", "https", "streamable", "streamablehttp", "httpstream":
	default:
		t.note(words.New("foreign.transport_unknown", "Transport", shown(t.given)))
	}
	if len(s.Env) > 0 {
		t.note(words.New("foreign.no_variables", "Names", variableNames(s.Env)))
		s.Env = nil
	}
	for _, f := range config.ServerFields() {
		if _, set := f.Value(s); set && f.For == config.TransportStdio {
			t.leave(f.Name)
		}
	}
	s.Args, s.Cwd, s.InheritEnv = nil, "", false
}

func variableNames(list []config.Variable) words.Text {
	names := make([]string, 0, len(list))
	for _, v := range list {
		names = append(names, v.Name)
	}
	return shown(strings.Join(names, ", "))
}

// looksSSE reports whether an address has the form that is usual for the older transport, SSE.
func looksSSE(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	return path.Base(strings.TrimRight(address, "/")) == "sse"
}

// tidyCommand splits a command that contains its arguments, and removes what only shells and terminals need.
func (t *translation) tidyCommand() {
	s := &t.Server
	if s.Transport != config.TransportStdio {
		return
	}
	if argv := split(s.Command); len(argv) > 1 && (len(s.Args) == 0 || isRunner(argv[0])) && (isRunner(argv[0]) || !strings.ContainsAny(s.Command, `/\`)) {
		s.Command, s.Args = argv[0], append(argv[1:], s.Args...)
		t.note(words.New("foreign.split"))
	}
	for len(s.Args) > 1 && isWindowsShell(s.Command) && strings.EqualFold(s.Args[0], "/c") {
		rest := s.Args[1:]
		if len(rest) == 1 {
			rest = split(rest[0])
		}
		if len(rest) == 0 || !isRunner(rest[0]) {
			break
		}
		s.Command, s.Args = rest[0], rest[1:]
		t.note(words.New("foreign.cmd_c"))
	}
	if runner := programName(s.Command); runner == "npx" || runner == "bunx" {
		for i, arg := range s.Args {
			if strings.HasPrefix(arg, "@modelcontextprotocol/inspector") && i+1 < len(s.Args) && isRunner(s.Args[i+1]) {
				s.Command, s.Args = s.Args[i+1], s.Args[i+2:]
				t.note(words.New("foreign.inspector"))
				break
			}
		}
	}
	t.tidyDocker()
}

// tidyDocker changes a container that is started for a terminal so that it can talk to a client, and adds
// blanks for variables that are given only by name.
func (t *translation) tidyDocker() {
	s := &t.Server
	program := programName(s.Command)
	if program != "docker" && program != "podman" || len(s.Args) == 0 || s.Args[0] != "run" && s.Args[0] != "container" || !slices.Contains(s.Args, "run") {
		return
	}
	interactive := false
	image := false
	start := slices.Index(s.Args, "run") + 1
	for i := start; i < len(s.Args) && !image; i++ {
		arg := s.Args[i]
		switch {
		case arg == "-it" || arg == "-ti":
			s.Args[i] = "-i"
			interactive = true
			t.note(words.New("foreign.no_terminal", "Flag", arg))
		case arg == "-i" || arg == "--interactive":
			interactive = true
		case arg == "-d" || arg == "--detach":
			t.note(words.New("foreign.background"))
		case (arg == "-e" || arg == "--env") && i+1 < len(s.Args):
			i++
			if !strings.Contains(s.Args[i], "=") {
				t.wants(s.Args[i])
			}
		case strings.HasPrefix(arg, "-e") && !strings.Contains(arg, "="), strings.HasPrefix(arg, "--env="):
			if name := strings.TrimPrefix(strings.TrimPrefix(arg, "--env="), "-e"); !strings.Contains(name, "=") {
				t.wants(name)
			}
		case strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") && dockerValue(arg):
			i++
		case strings.HasPrefix(arg, "-"):
			if !strings.HasPrefix(arg, "--") && strings.Contains(arg, "i") && len(arg) <= 4 && !strings.Contains(arg, "=") {
				interactive = true
			}
		default:
			image = true
		}
	}
	if !interactive {
		s.Args = slices.Insert(s.Args, start, "-i")
		t.note(words.New("foreign.interactive"))
	}
}

// wants adds a variable that a container takes from its environment.
func (t *translation) wants(name string) {
	if name != "" && !slices.ContainsFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name }) {
		t.Server.Env = append(t.Server.Env, config.Variable{Name: name})
	}
}

// dockerValue reports whether an option of docker run has its value in the next word.
func dockerValue(option string) bool {
	return slices.Contains([]string{"-v", "--volume", "--mount", "--name", "-p", "--publish", "--network", "--net", "-w", "--workdir", "-u", "--user",
		"--env-file", "--platform", "--entrypoint", "-l", "--label", "--add-host", "-m", "--memory", "--cpus", "--pull", "--gpus", "-h", "--hostname",
		"--security-opt", "--cap-drop", "--cap-add", "--tmpfs", "--restart"}, option)
}

// label returns the subject of a note with its value.
func label(what, value string) string { return what + " " + leftOut(value) }

// leftOut quotes a name for the list of what was left out.
func leftOut(name string) string { return "“" + repeated(name) + "”" }
