package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// prompt matches the prompt that a terminal shows before a command.
var prompt = lazyregexp.New(`(?m)^[ \t]*(?:\$|❯|➜|λ|PS [^>\n]*>|[A-Za-z]:\\[^>\n]*>|[\w.-]+@[\w.-]+:[^$#\n]*[$#]|>)[ \t]+`)

// commands recognises command lines: one that starts a server, or one that adds it to a client.
func (p *parser) commands(text string) bool {
	if len(text) > 64<<10 {
		return false
	}
	if strings.HasPrefix(text, "`") && strings.Count(text, "`") == 2 {
		text = strings.Trim(text, "`")
	}
	text = prompt.ReplaceAllString(straightenCommand(text), "")
	before := len(p.entries)
	var variables []config.Variable
	folder, ignored := "", 0
	commands := commandsOf(text)
	for _, c := range commands {
		if len(p.entries) > MaxEntries {
			break
		}
		argv := c.words
		if slices.Contains([]string{"then", "else", "do", "!"}, argv[0]) && len(argv) > 1 { // of a script
			argv = argv[1:]
		}
		if set, ok := exported(argv); ok {
			variables = append(variables, set...)
			continue
		}
		if argv[0] == "cd" && len(argv) > 1 {
			folder = argv[1]
			continue
		}
		count := len(p.entries)
		if !p.command(argv, variables, folder) && len(commands) > 1 {
			ignored++
		}
		for i := count; i < len(p.entries) && len(c.dropped) > 0; i++ {
			p.entries[i].note(words.New("foreign.shell_output"))
		}
	}
	if len(p.entries) == before {
		return false
	}
	if ignored > 0 {
		p.say(words.New("foreign.other_lines", "Lines", ignored))
	}
	p.reason = nil
	return true
}

// straightenCommand turns typographic quotes, and dashes that replaced the two dashes of an option, back into
// plain ones.
func straightenCommand(text string) string {
	if !strings.ContainsAny(text, "“”„‘’‚—–«»") {
		return text
	}
	return straighten(text)
}

// exported reads variables from "export A=b", "set A=b", PowerShell's $env:A = "b", and A=b alone.
func exported(argv []string) ([]config.Variable, bool) {
	switch {
	case argv[0] == "export" || argv[0] == "set" || argv[0] == "setx":
		argv = argv[1:]
	case strings.HasPrefix(argv[0], "$env:"):
		joined := strings.TrimPrefix(strings.Join(argv, " "), "$env:")
		name, value, ok := strings.Cut(joined, "=")
		if !ok {
			return nil, false
		}
		return []config.Variable{{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}}, true
	}
	var set []config.Variable
	for _, word := range argv {
		name, value, ok := assignment(word)
		if !ok {
			return nil, false
		}
		set = append(set, config.Variable{Name: name, Value: value})
	}
	return set, len(set) > 0
}

var assigned = lazyregexp.New(`^([A-Za-z_][A-Za-z0-9_]*)=`)

func assignment(word string) (name, value string, ok bool) {
	m := assigned.FindStringSubmatch(word)
	if m == nil {
		return "", "", false
	}
	return m[1], word[len(m[0]):], true
}

// command reads one command, and reports whether it gave an entry.
func (p *parser) command(argv []string, variables []config.Variable, folder string) bool {
	t := &translation{}
	t.Server.Env = slices.Clone(variables)
	argv = t.prefixes(argv)
	if len(argv) == 0 {
		return false
	}
	if p.client(argv, t) {
		return true
	}
	if p.misguided(argv) {
		return false
	}
	argv = p.installed(argv, t)
	if !isProgram(argv[0]) && !plausible(argv) {
		return false
	}
	if launcher.Known(argv[0]) && len(argv) == 1 {
		p.refuse(words.New("foreign.starts_nothing", "Program", shown(argv[0])), words.New("foreign.hint_whole_command"))
		return false
	}
	p.recognised(words.New("foreign.kind_command"))
	t.Server.Command, t.Server.Args, t.Server.Transport = argv[0], slices.Clone(argv[1:]), config.TransportStdio
	t.Server.Cwd = folder
	if rest, ok := strings.CutPrefix(argv[0], "./"); ok && folder != "" {
		t.Server.Command = strings.TrimSuffix(folder, "/") + "/" + rest
	}
	t.tidyCommand()
	p.add("", t)
	return true
}

// prefixes removes what comes before a command: variables, env, sudo and the like.
func (t *translation) prefixes(argv []string) []string {
	for len(argv) > 0 {
		name, value, ok := assignment(argv[0])
		switch {
		case ok:
			t.Server.Env = slices.DeleteFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name })
			t.Server.Env = append(t.Server.Env, config.Variable{Name: name, Value: value})
		case argv[0] == "env" || argv[0] == "cross-env" || argv[0] == "/usr/bin/env" || argv[0] == "exec" ||
			argv[0] == "nohup" || argv[0] == "time":
			if len(argv) > 1 && argv[1] == "-S" {
				argv = argv[1:]
			}
		case argv[0] == "sudo":
			t.note(words.New("foreign.sudo"))
		default:
			return argv
		}
		argv = argv[1:]
	}
	return nil
}

var programWord = lazyregexp.New(`^[A-Za-z0-9_./\\~:$%{}()+@-]+$`)

// isProgram reports whether a word is certainly a command: a known program, or a path.
func isProgram(word string) bool {
	if launcher.Known(word) {
		return true
	}
	return len(word) > 1 && !strings.Contains(word, "://") && !strings.HasPrefix(word, "//") &&
		(strings.HasPrefix(word, "/") && strings.Count(word, "/") > 1 || strings.HasPrefix(word, "./") ||
			strings.HasPrefix(word, "~/") || strings.HasPrefix(word, `~\`) ||
			strings.HasPrefix(word, "${HOME}/") || strings.HasPrefix(word, `${HOME}\`) || len(word) > 3 && word[1] == ':' &&
			(word[2] == '\\' || word[2] == '/')) || strings.HasSuffix(strings.ToLower(word), ".exe")
}

// plausible reports whether words that begin with an unknown program are more likely a command than a
// sentence.
func plausible(argv []string) bool {
	first := argv[0]
	if !programWord.MatchString(first) || strings.HasSuffix(first, ".") || strings.HasSuffix(first, ":") ||
		strings.Contains(first, "://") || first[0] == '-' {
		return false
	}
	if first[0] >= 'A' && first[0] <= 'Z' && !strings.ContainsAny(first, "-_/.") {
		return false
	}
	last := argv[len(argv)-1]
	if len(argv) > 3 && (strings.HasSuffix(last, ".") && len(last) > 1 || strings.HasSuffix(last, ":") ||
		strings.HasSuffix(last, "!")) {
		return false
	}
	if strings.Contains(strings.ToLower(first), "mcp") && strings.ContainsAny(first, "-_") && len(argv) == 1 {
		return true
	}
	flags := 0
	for i, word := range argv[1:] {
		if strings.HasPrefix(word, "--") && len(word) > 3 || i == 0 &&
			slices.Contains([]string{"mcp", "stdio", "serve", "server", "start", "start-mcp-server"}, word) {
			flags++
		}
	}
	return flags > 0 && len(argv) <= 12+2*flags
}

// packageOf returns the first word of a command's arguments that names a package.
func packageOf(argv []string) string {
	for _, word := range argv {
		if !strings.HasPrefix(word, "-") && word != "install" && word != "i" && word != "add" && word != "tool" {
			return word
		}
	}
	return ""
}

// installed turns a command that only installs a package, or the bare name of a package, into a command that
// starts it.
func (p *parser) installed(argv []string, t *translation) []string {
	runner, pkg := "", ""
	switch program := launcher.Base(argv[0]); {
	case len(argv) > 2 && slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, program) &&
		slices.Contains([]string{"install", "i", "add"}, argv[1]):
		runner, pkg = "npx", packageOf(argv[2:])
	case len(argv) > 2 && (program == "pip" || program == "pip3" || program == "pipx") && argv[1] == "install":
		runner, pkg = "uvx", packageOf(argv[2:])
	case len(argv) > 3 && program == "uv" && (argv[1] == "pip" || argv[1] == "tool") && argv[2] == "install":
		runner, pkg = "uvx", packageOf(argv[3:])
	case len(argv) == 1 && scopedPackage.MatchString(argv[0]):
		runner, pkg = "npx", argv[0]
	default:
		return argv
	}
	if pkg == "" || strings.HasPrefix(pkg, ".") || !strings.Contains(strings.ToLower(pkg), "mcp") &&
		!strings.HasPrefix(pkg, "@modelcontextprotocol/") {
		return argv
	}
	t.guessed = true
	if runner == "npx" {
		t.note(words.New("foreign.npx", "Package", pkg))
		return []string{"npx", "-y", pkg}
	}
	t.note(words.New("foreign.uvx", "Package", pkg))
	return []string{"uvx", pkg}
}

var scopedPackage = lazyregexp.New(`^@[a-z0-9][a-z0-9._-]*/[a-z0-9][a-z0-9._-]*(?:@[a-z0-9.^~-]+)?$`)

// misguided handles commands that prepare something or write to another app. It records what to paste
// instead.
func (p *parser) misguided(argv []string) bool {
	joined := strings.Join(argv, " ")
	program := launcher.Base(argv[0])
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(" "+joined+" ", " "+part+" ") })
	}
	second := ""
	if len(argv) > 1 {
		second = argv[1]
	}
	switch {
	case len(argv) > 2 && second == "mcp" &&
		slices.Contains([]string{"add", "add-json", "list", "get", "remove", "login"}, argv[2]): // see client
	case (program == "npx" || program == "bunx") && has("add-mcp", "add-mcp@latest", "mcp-add"):
		p.refuse(words.New("foreign.writes_into_app"), words.New("foreign.hint_page_for_claude"))
	case (program == "npx" || program == "bunx") &&
		(has("install", "setup") && (strings.Contains(joined, "@smithery/cli") || strings.Contains(joined, "mcp-get") ||
			strings.Contains(joined, "install-mcp"))):
		p.refuse(words.New("foreign.writes_into_app"), words.New("foreign.hint_page_for_claude"))
	case (program == "python" || program == "python3") && second == "-m" && len(argv) > 2 &&
		(argv[2] == "venv" || argv[2] == "pip"), program == "source", program == ".":
		p.refuse(words.New("foreign.prepares"), words.New("foreign.hint_what_starts_it"))
	case program == "git" && second == "clone":
		p.refuse(words.New("foreign.downloads_source"), words.New("foreign.hint_instructions_first"))
	case program == "brew" || program == "apt" || program == "apt-get" || program == "winget" || program == "choco" ||
		program == "curl" || program == "wget":
		p.refuse(words.New("foreign.installs"), words.New("foreign.hint_what_starts_it"))
	case program == "docker" && (second == "pull" || second == "build" || second == "compose"):
		p.refuse(words.New("foreign.prepares_container"), words.New("foreign.hint_docker_run"))
	case slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, program) &&
		(second == "install" || second == "ci" || second == "i") && len(argv) == 2,
		slices.Contains([]string{"npm", "pnpm", "yarn"}, program) &&
			(second == "run" || second == "build" || second == "test"),
		program == "uv" && (second == "sync" || second == "venv"), program == "mkdir", program == "echo",
		program == "go" && (second == "install" || second == "build"), program == "cargo" && second == "install":
		p.refuse(words.New("foreign.prepares"), words.New("foreign.hint_what_starts_it"))
	default:
		return false
	}
	return true
}
