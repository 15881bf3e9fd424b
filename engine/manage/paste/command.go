package paste

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// prompt matches what a terminal shows before a command.
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
		words := c.words
		if set, ok := exported(words); ok {
			variables = append(variables, set...)
			continue
		}
		if words[0] == "cd" && len(words) > 1 {
			folder = words[1]
			continue
		}
		count := len(p.entries)
		if !p.command(words, variables, folder) && len(commands) > 1 {
			ignored++
		}
		for i := count; i < len(p.entries) && len(c.dropped) > 0; i++ {
			p.entries[i].note("What the shell does with the output of the command was left out.")
		}
	}
	if len(p.entries) == before {
		return false
	}
	if ignored > 0 {
		p.say("Other lines of the text start no server and were left out: %d.", ignored)
	}
	p.reason = nil
	return true
}

// straightenCommand turns back what word processors make of quotes and of the two dashes of an option.
func straightenCommand(text string) string {
	if !strings.ContainsAny(text, "“”„‘’‚—–«»") {
		return text
	}
	return straighten(text)
}

// exported reads the variables of "export A=b", "set A=b" and PowerShell's $env:A = "b", or of A=b alone.
func exported(words []string) ([]config.Variable, bool) {
	switch {
	case words[0] == "export" || words[0] == "set" || words[0] == "setx":
		words = words[1:]
	case strings.HasPrefix(words[0], "$env:"):
		joined := strings.TrimPrefix(strings.Join(words, " "), "$env:")
		name, value, ok := strings.Cut(joined, "=")
		if !ok {
			return nil, false
		}
		return []config.Variable{{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}}, true
	}
	var set []config.Variable
	for _, word := range words {
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

// command takes one command, and tells whether it gave an entry.
func (p *parser) command(words []string, variables []config.Variable, folder string) bool {
	t := &translation{}
	t.Server.Env = slices.Clone(variables)
	words = t.prefixes(words)
	if len(words) == 0 {
		return false
	}
	if p.client(words, t) {
		return true
	}
	if p.misguided(words) {
		return false
	}
	words = p.installed(words, t)
	if !isProgram(words[0]) && !plausible(words) {
		return false
	}
	if isRunner(words[0]) && len(words) == 1 {
		p.refuse(fmt.Sprintf("This starts %s, but does not say with what.", shown(words[0])), "Copy the whole command, to the end of its last line.")
		return false
	}
	p.recognised("a command line")
	t.Server.Command, t.Server.Args, t.Server.Transport = words[0], slices.Clone(words[1:]), config.TransportStdio
	t.Server.Cwd = folder
	if rest, ok := strings.CutPrefix(words[0], "./"); ok && folder != "" {
		t.Server.Command = strings.TrimSuffix(folder, "/") + "/" + rest
	}
	t.tidyCommand()
	t.references()
	p.add("", t)
	return true
}

// prefixes takes off what stands before a command: variables, env, sudo and the like.
func (t *translation) prefixes(words []string) []string {
	for len(words) > 0 {
		name, value, ok := assignment(words[0])
		switch {
		case ok:
			t.Server.Env = slices.DeleteFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name })
			t.Server.Env = append(t.Server.Env, config.Variable{Name: name, Value: value})
		case words[0] == "env" || words[0] == "cross-env" || words[0] == "/usr/bin/env" || words[0] == "exec" || words[0] == "nohup" || words[0] == "time":
			if len(words) > 1 && words[1] == "-S" {
				words = words[1:]
			}
		case words[0] == "sudo":
			t.note("“sudo” was left out: servers run as you.")
		default:
			return words
		}
		words = words[1:]
	}
	return nil
}

// isRunner tells whether a program starts others: package runners, containers, interpreters.
func isRunner(command string) bool {
	switch programName(command) {
	case "npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "uvx", "uv", "pipx", "docker", "podman", "nerdctl", "node", "python", "python3", "py", "deno", "tsx",
		"ts-node", "java", "dotnet", "dnx", "go", "ruby", "php", "poetry", "nix", "cargo", "wsl", "mise", "volta", "fnm", "conda", "hatch", "rye", "pixi":
		return true
	}
	return false
}

func isWindowsShell(command string) bool { return programName(command) == "cmd" }

var programWord = lazyregexp.New(`^[A-Za-z0-9_./\\~:$%{}()+@-]+$`)

// isProgram tells whether a word is surely a command: a known one, or the path of one.
func isProgram(word string) bool {
	if isRunner(word) || isWindowsShell(word) {
		return true
	}
	return len(word) > 1 && !strings.Contains(word, "://") && (strings.HasPrefix(word, "/") && strings.Count(word, "/") > 1 || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "~/") ||
		strings.HasPrefix(word, "${HOME}/") || len(word) > 3 && word[1] == ':' && (word[2] == '\\' || word[2] == '/')) || strings.HasSuffix(strings.ToLower(word), ".exe")
}

// plausible tells whether words that begin with an unknown program are a command rather than a sentence.
func plausible(words []string) bool {
	first := words[0]
	if !programWord.MatchString(first) || strings.HasSuffix(first, ".") || strings.HasSuffix(first, ":") || strings.Contains(first, "://") || first[0] == '-' {
		return false
	}
	if first[0] >= 'A' && first[0] <= 'Z' && !strings.ContainsAny(first, "-_/.") {
		return false
	}
	last := words[len(words)-1]
	if len(words) > 3 && (strings.HasSuffix(last, ".") && len(last) > 1 || strings.HasSuffix(last, ":") || strings.HasSuffix(last, "!")) {
		return false
	}
	if strings.Contains(strings.ToLower(first), "mcp") && strings.ContainsAny(first, "-_") && len(words) == 1 {
		return true
	}
	flags := 0
	for i, word := range words[1:] {
		if strings.HasPrefix(word, "--") && len(word) > 3 || i == 0 && slices.Contains([]string{"mcp", "stdio", "serve", "server", "start", "start-mcp-server"}, word) {
			flags++
		}
	}
	return flags > 0 && len(words) <= 12+2*flags
}

// packageOf is the first word of a command's arguments that names a package.
func packageOf(words []string) string {
	for _, word := range words {
		if !strings.HasPrefix(word, "-") && word != "install" && word != "i" && word != "add" && word != "tool" {
			return word
		}
	}
	return ""
}

// installed makes of a command that only installs a package, or of a package's name alone, one that starts it.
func (p *parser) installed(words []string, t *translation) []string {
	runner, pkg := "", ""
	switch program := programName(words[0]); {
	case len(words) > 2 && slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, program) && slices.Contains([]string{"install", "i", "add"}, words[1]):
		runner, pkg = "npx", packageOf(words[2:])
	case len(words) > 2 && (program == "pip" || program == "pip3" || program == "pipx") && words[1] == "install":
		runner, pkg = "uvx", packageOf(words[2:])
	case len(words) > 3 && program == "uv" && (words[1] == "pip" || words[1] == "tool") && words[2] == "install":
		runner, pkg = "uvx", packageOf(words[3:])
	case len(words) == 1 && scopedPackage.MatchString(words[0]):
		runner, pkg = "npx", words[0]
	default:
		return words
	}
	if pkg == "" || strings.HasPrefix(pkg, ".") || !strings.Contains(strings.ToLower(pkg), "mcp") && !strings.HasPrefix(pkg, "@modelcontextprotocol/") {
		return words
	}
	t.guessed = true
	if runner == "npx" {
		t.note("The text only names the package; “npx -y %s” downloads and starts it.", pkg)
		return []string{"npx", "-y", pkg}
	}
	t.note("The text only installs the package; “uvx %s” downloads and starts it.", pkg)
	return []string{"uvx", pkg}
}

var scopedPackage = lazyregexp.New(`^@[a-z0-9][a-z0-9._-]*/[a-z0-9][a-z0-9._-]*(?:@[a-z0-9.^~-]+)?$`)

// misguided says of commands that prepare something, or write into another app, what to paste instead.
func (p *parser) misguided(words []string) bool {
	joined := strings.Join(words, " ")
	program := programName(words[0])
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(" "+joined+" ", " "+part+" ") })
	}
	second := ""
	if len(words) > 1 {
		second = words[1]
	}
	switch {
	case (program == "npx" || program == "bunx") && (has("install", "setup") && (strings.Contains(joined, "@smithery/cli") || strings.Contains(joined, "mcp-get") || strings.Contains(joined, "install-mcp"))):
		p.refuse("This command writes a server into the settings of another app; it does not start one.", "Paste the command or the configuration that the server's page shows for Claude Desktop.")
	case (program == "python" || program == "python3") && second == "-m" && len(words) > 2 && (words[2] == "venv" || words[2] == "pip"), program == "source", program == ".":
		p.refuse("This command prepares something; it does not start a server.", "Paste the command or configuration that starts the server.")
	case program == "git" && second == "clone":
		p.refuse("This downloads the source of a server; it does not start it.", "Follow its instructions first, then paste the command or configuration that they show for Claude Desktop.")
	case program == "brew" || program == "apt" || program == "apt-get" || program == "winget" || program == "choco" || program == "curl" || program == "wget":
		p.refuse("This command installs or downloads something; it does not start a server.", "Paste the command or configuration that starts the server.")
	case program == "docker" && (second == "pull" || second == "build" || second == "compose"):
		p.refuse("This command prepares a container; it does not start a server.", "Paste the command that begins with “docker run”.")
	case slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, program) && (second == "install" || second == "ci" || second == "i") && len(words) == 2,
		slices.Contains([]string{"npm", "pnpm", "yarn"}, program) && (second == "run" || second == "build" || second == "test"),
		program == "uv" && (second == "sync" || second == "venv"), program == "mkdir", program == "echo", program == "go" && (second == "install" || second == "build"), program == "cargo" && second == "install":
		p.refuse("This command prepares something; it does not start a server.", "Paste the command or configuration that starts the server.")
	default:
		return false
	}
	return true
}
