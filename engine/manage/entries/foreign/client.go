package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// client recognises commands that add a server to a client, such as claude mcp add, codex mcp add, gemini mcp
// add, and code --add-mcp.
func (p *parser) client(argv []string, t *translation) bool {
	program := launcher.Base(argv[0])
	for i, word := range argv {
		if word == "--add-mcp" && i+1 < len(argv) {
			return p.jsonArgument(words.New("foreign.kind_command_for", "App", "VS Code"), "", argv[i+1])
		}
		if after, ok := strings.CutPrefix(word, "--add-mcp="); ok {
			return p.jsonArgument(words.New("foreign.kind_command_for", "App", "VS Code"), "", after)
		}
	}
	if program == "goose" {
		return p.goose(argv)
	}
	if len(argv) < 3 || argv[1] != "mcp" {
		return false
	}
	kind := words.New("foreign.kind_command_for", "App", clientName(program))
	switch argv[2] {
	case "add":
		a := addition{translation: t}
		if !a.read(argv[3:]) {
			p.refuse(words.New("foreign.add_without_command", "App", clientName(program)),
				words.New("foreign.hint_whole_command"))
			return false
		}
		p.recognised(kind)
		p.add(a.name, t)
		return true
	case "add-json":
		rest := slices.DeleteFunc(slices.Clone(argv[3:]), func(word string) bool {
			return word == "-s" || word == "--scope"
		})
		for i, word := range rest {
			if strings.HasPrefix(strings.TrimSpace(word), "{") {
				name := ""
				if i > 0 {
					name = rest[i-1]
				}
				if len(rest) > 1 && isScope(name) && i > 1 {
					name = rest[i-2]
				}
				// Without quotes around it, the shell would have split the JSON at its spaces.
				return p.jsonArgument(kind, name, strings.Join(rest[i:jsonEnd(rest, i)], " "))
			}
		}
		p.refuse(words.New("foreign.add_json_without"), words.New("foreign.hint_whole_command"))
	case "add-from-claude-desktop", "list", "get", "remove", "login", "serve":
		p.refuse(words.New("foreign.about_servers_of", "App", clientName(program)), words.New("foreign.hint_what_to_paste"))
	}
	return false
}

// goose reads the servers that a command gives Goose for one session.
func (p *parser) goose(argv []string) bool {
	before := len(p.entries)
	for i := 1; i < len(argv); i++ {
		option, _, _ := strings.Cut(argv[i], "=")
		given := ""
		switch option {
		case "--with-extension":
		case "--with-streamable-http-extension":
			given = "http"
		case "--with-remote-extension":
			given = "sse"
		default:
			continue
		}
		value, _ := optionValue(argv[i], argv[i+1:])
		t := &translation{given: given, from: map[string][]string{}}
		if isAddress(value) {
			t.Server.URL = value
		} else {
			t.Server.Command = value
		}
		t.tidyTransport()
		t.tidyCommand()
		p.recognised(words.New("foreign.kind_command_for", "App", "Goose"))
		p.add("", t)
	}
	return len(p.entries) > before
}

func jsonEnd(argv []string, from int) int {
	for i := from; i < len(argv); i++ {
		if strings.HasSuffix(strings.TrimSpace(argv[i]), "}") &&
			(i+1 == len(argv) || strings.HasPrefix(argv[i+1], "-") || isScope(argv[i+1])) {
			return i + 1
		}
	}
	return len(argv)
}

func isScope(word string) bool {
	return word == "user" || word == "local" || word == "project" || word == "global"
}

func clientName(program string) string {
	switch program {
	case "claude":
		return "Claude Code"
	case "codex":
		return "Codex"
	case "gemini":
		return "Gemini CLI"
	case "code", "code-insiders", "codium":
		return "VS Code"
	case "amp":
		return "Amp"
	case "cursor", "cursor-agent":
		return "Cursor"
	case "copilot":
		return "Copilot CLI"
	case "droid":
		return "Factory"
	case "qwen":
		return "Qwen Code"
	}
	return "“" + repeated(program) + "”"
}

// jsonArgument reads JSON from a command or an address.
func (p *parser) jsonArgument(kind words.Text, name, text string) bool {
	n, _, _, ok := p.readJSON(text, false)
	if plain := strings.ReplaceAll(text, `\"`, `"`); !ok && plain != text { // as PowerShell needs it
		n, _, _, ok = p.readJSON(plain, false)
	}
	if !ok || n.Kind != jsonc.Object {
		p.refuse(words.New("foreign.command_json_unreadable", "Why", whatIsWrong(text)),
			words.New("foreign.hint_command_again"))
		return false
	}
	before := len(p.entries)
	if isServer(n) && !names(n, false) {
		p.entry(Place{Name: name, Value: n}, inputsOf(n))
	} else {
		p.servers(n)
	}
	if len(p.entries) > before {
		p.kind = kind
	}
	return len(p.entries) > before
}

// addition reads the arguments of "mcp add".
type addition struct {
	*translation
	name string
}

// read reads the options of all clients, which agree more than they differ. Words after the server's command
// belong to the server.
func (a *addition) read(argv []string) bool {
	rest := a.options(argv)
	if len(rest) == 0 && a.Server.Command != "" {
		rest = append([]string{a.Server.Command}, a.Server.Args...)
	}
	if len(rest) == 0 {
		// codex and claude may get only one word, which is an address or a command instead of a name.
		if a.name == "" || !isAddress(a.name) && !isProgram(a.name) {
			return false
		}
		rest, a.name = []string{a.name}, ""
	}
	if n := len(rest); n > 2 && (rest[n-2] == "-s" || rest[n-2] == "--scope") && isScope(rest[n-1]) {
		rest = rest[:n-2] // this option of the client may also follow the server's command
	}
	if len(rest) == 1 && !isAddress(rest[0]) && strings.Contains(rest[0], " ") {
		rest = split(rest[0])
	}
	s := &a.Server
	if isAddress(rest[0]) {
		s.URL = rest[0]
		if len(rest) > 1 {
			a.leave(strings.Join(rest[1:], " "), words.Text{})
		}
	} else {
		rest = a.prefixes(rest)
		if len(rest) == 0 {
			return false
		}
		s.Command, s.Args = rest[0], slices.Clone(rest[1:])
	}
	a.tidyTransport()
	a.tidyCommand()
	a.noteLeft()
	return true
}

// options reads the options and the name, and returns the rest: the command with its arguments, or the
// address.
func (a *addition) options(argv []string) []string {
	var rest []string
	for len(argv) > 0 {
		word := argv[0]
		argv = argv[1:]
		switch {
		case word == "--":
			if a.name == "" && len(rest) > 0 {
				a.name, rest = rest[0], rest[1:]
			}
			return append(rest, argv...)
		case a.name != "" && len(rest) > 0 && !isAddress(rest[0]) && !isLine(rest[0]):
			rest = append(rest, word) // an argument of the server itself
		case strings.HasPrefix(word, "--url=") || word == "--url":
			var url string
			url, argv = optionValue(word, argv)
			rest = append([]string{url}, rest...)
		case strings.HasPrefix(word, "-"):
			argv = a.option(word, argv)
		case a.name == "":
			a.name = word
		default:
			rest = append(rest, word)
		}
	}
	return rest
}

// isLine reports whether a word is a whole command line, as some clients want it.
func isLine(word string) bool {
	argv := split(word)
	return len(argv) > 1 && launcher.Known(argv[0])
}

// option reads an option. It returns the words after the option and its values.
func (a *addition) option(word string, argv []string) []string {
	option, _, _ := strings.Cut(word, "=")
	var value string
	switch option {
	case "-t", "--transport", "--type":
		a.given, argv = optionValue(word, argv)
	case "-e", "--env":
		value, argv = optionValue(word, argv)
		a.variable(value)
		for len(argv) > 0 { // it takes all following values
			if _, _, ok := assignment(argv[0]); !ok {
				break
			}
			a.variable(argv[0])
			argv = argv[1:]
		}
	case "-H", "--header":
		value, argv = optionValue(word, argv)
		a.header(value)
		for len(argv) > 0 && strings.Contains(argv[0], ": ") && !strings.HasPrefix(argv[0], "-") {
			a.header(argv[0])
			argv = argv[1:]
		}
	case "--name":
		a.name, argv = optionValue(word, argv)
	case "--command":
		a.Server.Command, argv = optionValue(word, argv)
	case "--args": // of Amazon Q and Kiro: again and again, with commas, or as JSON
		value, argv = optionValue(word, argv)
		if n, ok := parseJSON(value); ok && n.Kind == jsonc.Array {
			a.Server.Args = append(a.Server.Args, textsOf(a.translation, member{n, option})...)
		} else {
			a.Server.Args = append(a.Server.Args, strings.Split(value, ",")...)
		}
	case "--cwd":
		a.Server.Cwd, argv = optionValue(word, argv)
	case "--bearer-token-env-var":
		value, argv = optionValue(word, argv)
		a.header("Authorization: Bearer ${" + value + "}")
	case "--include-tools":
		value, argv = optionValue(word, argv)
		a.Server.ToolFilters = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
	case "-s", "--scope":
		_, argv = optionValue(word, argv)
	case "--disabled":
		a.Server.Disabled = true
	case "--timeout", "--description", "--exclude-tools", "--callback-port", "--client-id", "--workspace", "--agent":
		_, argv = optionValue(word, argv)
		a.leave(option, words.Text{})
	default:
		a.leave(option, words.Text{})
	}
	return argv
}

// optionValue returns the value of an option and the words after it. The value follows "=" or is the next
// word.
func optionValue(option string, argv []string) (value string, rest []string) {
	if _, value, joined := strings.Cut(option, "="); joined {
		return value, argv
	}
	if len(argv) == 0 {
		return "", nil
	}
	return argv[0], argv[1:]
}

func isAddress(word string) bool {
	return strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://")
}

func (a *addition) variable(word string) {
	name, value, ok := strings.Cut(word, "=")
	if !ok {
		name, value = word, "${"+word+"}"
	}
	if name != "" {
		a.Server.Env = append(a.Server.Env, config.Variable{Name: name, Value: value})
	}
}

func (a *addition) header(word string) {
	name, value, ok := strings.Cut(word, ":")
	if !ok {
		name, value, ok = strings.Cut(word, "=")
	}
	if ok {
		a.Server.Headers = append(a.Server.Headers,
			config.Variable{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	} else if word != "" {
		a.leave(word, words.New("foreign.no_assignment"))
	}
}
