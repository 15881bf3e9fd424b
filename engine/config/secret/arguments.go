package secret

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Argument describes one argument of a command.
type Argument struct {
	// Secrets are the parts that look secret, in order and without overlaps.
	Secrets []Span

	// Code is set if the argument is code that the program runs, as after "sh -c".
	Code bool

	// Program is the program that gets the argument: that of the command, or one that it starts, as in "npx
	// server".
	Program string
}

// InCommand finds the secrets in the arguments of a command. programs are the program of the command and
// those that it starts in turn, as npx and env do.
//
// People decide by these arguments whether a program may run. What runs is therefore never taken for a
// secret, whatever it looks like: the code after flags such as "-c" and "--eval", the name of the program
// that a launcher such as npx starts, and any value that a shell could run. Secrets are values after a
// telling name, tokens of a known form, and passwords in addresses.
func InCommand(command string, args []string) (arguments []Argument, programs []string) {
	arguments, programs = make([]Argument, len(args)), []string{command}
	for at := 0; at < len(args); {
		read, started := readCommand(command, args[at:], arguments[at:])
		at += read
		if !started {
			continue
		}
		inside := Container(command)
		command = args[at-1]
		programs = append(programs, command)
		if inside && at < len(args) && programOf(args[at]) != unknown { // docker run image sh -c …
			command = args[at]
			arguments[at].Program = args[at-1]
			programs = append(programs, command)
			at++
		}
	}
	return arguments, programs
}

// readCommand reads arguments up to and including the program that the command starts. It returns how many
// these are, and whether there is such a program.
func readCommand(command string, args []string, found []Argument) (read int, started bool) {
	p := programOf(command)
	before := ""       // the previous argument
	own := 0           // words that belong to the launcher itself
	maybe := false     // there was a word that may be the program, or the value of a flag
	evaluates := false // all that is no flag may be code
	switch Base(command) {
	case "awk", "gawk", "mawk", "nawk":
		evaluates = true
	}
	for i, arg := range args {
		a := &found[i]
		a.Program = command
		previous := before
		before = arg
		dashed := strings.HasPrefix(arg, "-") || p == windowsShell && strings.HasPrefix(arg, "/")
		switch {
		case p.code(previous):
			a.Code = true
			a.Secrets = inCode(arg)
			if p == windowsShell && !strings.ContainsAny(arg, " \t\"&|<>^") { // cmd /c npx …
				return i + 1, true
			}
		case inlineCode.MatchString(arg):
			a.Code = true
			a.Secrets = inCode(arg)
		case p.joined(command, arg):
			a.Code = withCode(command, arg)
			a.Secrets = inCode(arg)
		case evaluates && !dashed:
			a.Code = true
			a.Secrets = inCode(arg)
		case p == interpreter && arg == "eval" && Base(command) == "deno":
			evaluates = true
		case p == container && (previous == "-e" || previous == "--env"):
			a.Secrets = merge(append(assignment(arg, true), inArgument(arg)...))
		case p == container && strings.HasPrefix(arg, "--env="):
			spans := assignment(arg[len("--env="):], true)
			for j := range spans {
				spans[j] = Span{spans[j].Start + len("--env="), spans[j].End + len("--env=")}
			}
			a.Secrets = merge(append(spans, inArgument(arg)...))
		case !p.starts():
			a.Secrets = inPlace(previous, arg)
		case dashed && previous == "--":
			p = unknown
			a.Secrets = inPlace("", arg)
		case dashed || assignedName.MatchString(arg):
			// Before the program, a value without a name may be the program's name, so only named values can
			// be secret.
			a.Secrets = merge(append(assignment(arg, false), inAddress(arg)...))
		case own < maxOwn && p.own(command, arg):
			own++
			before = "" // the next argument is no value of a flag
			a.Secrets = plainly(arg, inAddress(arg))
		case maybe && strings.HasPrefix(previous, "-") && !switches(previous) && tells(previous):
			p = unknown // so the flag belongs to the program, which was already named
			a.Secrets = inPlace(previous, arg)
		default:
			a.Secrets = plainly(arg, inAddress(arg))
			maybe = true
			if names(previous) || !strings.HasPrefix(previous, "-") || previous == "--" || strings.Contains(previous, "=") || switches(previous) {
				return i + 1, true // the flag before it takes no value
			}
		}
	}
	return len(args), false
}

// maxOwn is how many words of its own a launcher has at most, as in "uv tool run".
const maxOwn = 3

// kind is the kind of a program.
type kind int

const (
	unknown      kind = iota
	shell             // runs the code after -c
	windowsShell      // runs what follows /c
	interpreter       // runs a file, or the code after -e and similar flags
	launcher          // starts another program
	container         // starts another program in a container
)

func (k kind) starts() bool { return k != unknown }

// Shell reports whether a program is a shell.
func Shell(program string) bool {
	k := programOf(program)
	return k == shell || k == windowsShell
}

// Interpreter reports whether a program runs code, in files or in its arguments.
func Interpreter(program string) bool { return programOf(program) == interpreter }

// Known reports whether it is known how a program uses its arguments.
func Known(program string) bool { return programOf(program) != unknown }

// Container reports whether a program starts others in containers.
func Container(program string) bool { return programOf(program) == container }

// Base returns the [process.Name] of a command without a version at its end: "python" for
// /usr/bin/python3.12.
func Base(command string) string {
	name := process.Name(command)
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	if short := strings.TrimRight(name, "0123456789."); short != "" {
		name = strings.TrimSuffix(short, "-")
	}
	return name
}

func programOf(command string) kind {
	switch Base(command) {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh", "rbash", "mksh", "pwsh", "powershell", "nu", "xonsh", "elvish":
		return shell
	case "cmd":
		return windowsShell
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node", "python", "pythonw", "py", "pypy", "perl", "ruby", "php", "lua", "luajit", "rscript", "r", "julia",
		"osascript", "groovy", "elixir", "awk", "gawk", "mawk", "nawk", "java", "wscript", "cscript":
		return interpreter
	case "docker", "podman", "nerdctl", "finch":
		return container
	case "npx", "npm", "pnpm", "pnpx", "yarn", "bunx", "uvx", "uv", "pipx", "pip", "go", "cargo", "dotnet", "dnx", "mise", "volta", "fnm", "conda", "mamba", "micromamba",
		"hatch", "rye", "pixi", "poetry", "nix", "nix-shell", "wsl", "flatpak", "snap", "env", "sudo", "doas", "su", "nohup", "nice", "ionice", "timeout", "time",
		"xargs", "setsid", "stdbuf", "chrt", "taskset", "script", "busybox", "command", "exec", "unshare", "chroot", "caffeinate", "arch", "start", "winpty",
		"dotenv", "direnv", "op", "doppler", "infisical", "aws-vault", "systemd-run", "firejail", "bwrap", "strace", "gdb", "ssh", "flock", "watch":
		return launcher
	}
	return unknown
}

// code reports whether a flag is followed by code. For an unknown program the short flags are, since it may
// be a shell.
func (k kind) code(flag string) bool {
	switch flag {
	case "":
		return false
	case "--eval", "--print", "--command", "--call", "-Command", "-EncodedCommand":
		return true
	case "-c", "-e", "-p":
		return k != container
	case "-S", "--split-string", "-yc": // env, npx
		return k == launcher
	}
	switch k {
	case shell:
		return cluster.MatchString(flag) || strings.HasPrefix("-encodedcommand", strings.ToLower(flag)) || strings.HasPrefix("-command", strings.ToLower(flag))
	case interpreter:
		return cluster.MatchString(flag) || flag == "-B" || flag == "-R" // of PHP
	case windowsShell:
		return strings.EqualFold(flag, "/c") || strings.EqualFold(flag, "/k") || strings.EqualFold(flag, "/r")
	}
	return false
}

var (
	// cluster matches short flags written together, the last of which is followed by code: -lc, -pe, -ne, -E,
	// -r.
	cluster = lazyregexp.New(`^[-+][A-Za-z0-9]{0,6}[cCeEpr]$`)

	// inlineCode matches a flag that contains its code.
	inlineCode = lazyregexp.New(`^--(?:eval|print|command|call|split-string)=`)
)

// joined reports whether an argument is a short flag of a shell or an interpreter, perhaps with its value, as in
// "python -ctoken=f()". None of their own flags is followed by a secret, but that of Java, which sets properties.
func (k kind) joined(command, arg string) bool {
	return (k == shell || k == interpreter && Base(command) != "java") && len(arg) > 2 && arg[0] == '-' && arg[1] != '-' && !k.code(arg)
}

// withCode reports whether short flags end with code: flags without a value, the flag for code, and the code.
func withCode(command, arg string) bool {
	switch Base(command) {
	case "python", "pythonw", "py", "pypy":
		return joinedPython.MatchString(arg)
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node", "elixir": // the code stands in the next argument
		return false
	}
	return joinedCode.MatchString(arg)
}

var (
	joinedPython = lazyregexp.New(`^-[bBdEhiIOPqRsSuvVx]*c.`)

	// joinedCode asks for a character that values of other flags do not have.
	joinedCode = lazyregexp.New(`^-[A-Za-z0-9]{0,6}[eEr](?s:.*)[^A-Za-z0-9_/.:,=@+-]`)
)

// own reports whether a word is a command of the launcher itself, or a number that it needs, as in "timeout
// 5".
func (k kind) own(command, word string) bool {
	switch Base(command) {
	case "npx", "uvx", "bunx", "pnpx", "dnx":
		return false
	}
	if k != launcher && k != container && word != "run" {
		return false
	}
	switch word {
	case "run", "exec", "dlx", "x", "tool", "container", "create", "start", "compose", "shell", "develop":
		return true
	}
	return period.MatchString(word)
}

var period = lazyregexp.New(`^[0-9]+[smhd]?$`)

// switches reports whether a flag is known to take no value.
func switches(flag string) bool {
	return slices.Contains([]string{"-y", "--yes", "-i", "--rm", "-t", "-it", "-ti", "-d", "-q", "--quiet", "--silent", "-g", "--global", "--init", "--interactive", "--tty",
		"-A", "--allow-all", "--privileged", "--isolated", "--prefer-offline", "--always-auth", "--sig-proxy", "--no-install", "--offline", "--read-only", "--detach", "-E", "-n"}, flag)
}

// names reports whether the argument after a flag is the program.
func names(flag string) bool {
	return slices.Contains([]string{"-m", "-jar", "--jar", "--module"}, flag)
}

// InSetting returns the parts of the value of a variable or header that look secret, in order and without
// overlaps.
func InSetting(name, value string) []Span {
	if Key(name) && Pair(name, value) {
		if span := afterScheme(value, Span{0, len(value)}); span.End > span.Start {
			return []Span{span}
		}
	}
	return merge(inArgument(value))
}

// InVariable is like [InSetting] for a variable of a program that people judge. A value that a shell could
// run, or that is a command according to the variable's name, is not secret as a whole.
func InVariable(name, value string) []Span {
	if !tells(name) || runnable(value, false) {
		name = ""
	}
	return InSetting(name, value)
}

// inPlace returns the secrets of an argument that only the started program uses.
func inPlace(previous, arg string) []Span {
	found := inArgument(arg)
	if flag.MatchString(previous) && strings.HasPrefix(previous, "-") && !strings.HasPrefix(arg, "-") && tells(previous) && !harmless(previous, arg) && !runnable(arg, false) {
		found = append(found, afterScheme(arg, Span{0, len(arg)}))
	}
	return merge(append(found, assignment(arg, false)...))
}

// tells reports whether the name of a flag says that its value is a secret. The value of --token-command and
// the like is a program, or an address, that returns the secret, and not the secret itself.
func tells(name string) bool {
	if !Key(name) {
		return false
	}
	words := split(name)
	switch words[len(words)-1] {
	case "command", "cmd", "helper", "program", "exec", "script", "hook", "url", "uri":
		return false
	}
	return true
}

// assignedName matches NAME= at the beginning of an argument.
var assignedName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.-]*=`)

// header matches an HTTP header.
var header = lazyregexp.New(`^([A-Za-z][A-Za-z0-9_-]*)[ \t]*:[ \t]*([^/\s].*)$`)

// scheme matches what comes before a token in a header.
var scheme = lazyregexp.New(`^(?i:bearer|basic|token|digest|apikey|api-key)[ \t]+`)

func afterScheme(text string, span Span) Span {
	span.Start += len(scheme.FindString(text[span.Start:span.End]))
	return span
}

// assignment returns the value of NAME=value, --name=value or "Name: value" if the name says that it is
// secret. For a container's variable that is the whole value, since no shell interprets it.
func assignment(arg string, variable bool) []Span {
	if name, value, ok := strings.Cut(arg, "="); ok && len(name) < maxName && flag.MatchString(name) {
		bare := !strings.HasPrefix(name, "-")
		if tells(name) && !harmless(name, value) && (variable || !runnable(value, bare)) {
			return []Span{{len(name) + 1, len(arg)}}
		}
		return nil
	}
	if len(arg) > maxHeader {
		return nil
	}
	if m := header.FindStringSubmatchIndex(arg); m != nil && tells(arg[m[2]:m[3]]) {
		value := arg[m[4]:m[5]]
		if !harmless(arg[m[2]:m[3]], value) && !runnable(value[len(scheme.FindString(value)):], true) {
			return []Span{afterScheme(arg, Span{m[4], m[5]})}
		}
	}
	return nil
}

// Limits for names and headers. Longer text is not taken for a name or a header.
const (
	maxName   = 200
	maxHeader = 64 << 10
)

// runnable reports whether a shell could run a part of a value, because something in it ends one command and
// begins another. A bare value, without a flag before it, is trusted less: unless it is one word, it may be a
// command.
func runnable(value string, bare bool) bool {
	value = value[len(scheme.FindString(value)):]
	if strings.ContainsAny(value, "\r\n`|;<>") || strings.Contains(value, "$(") || strings.Contains(value, "&&") || strings.Contains(value, "$IFS") || strings.Contains(value, "${IFS") {
		return true
	}
	return bare && (strings.ContainsAny(value, " \t&") || strings.Contains(strings.ReplaceAll(value, "${", ""), "{"))
}

// inArgument returns the secrets inside an argument, whatever comes before it.
func inArgument(arg string) []Span {
	found := slices.Concat(ofForm(arg), inAddress(arg))
	if trimmed := strings.TrimSpace(arg); (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) && len(arg) <= maxHeader && json.Valid([]byte(arg)) {
		found = append(found, InText(arg)...)
	}
	return plainly(arg, found)
}

// plainly leaves out spans that could run.
func plainly(arg string, spans []Span) []Span {
	var kept []Span
	for _, span := range spans {
		text := arg[span.Start:span.End]
		switch {
		case strings.HasPrefix(text, "-----BEGIN"):
			span.End = span.Start + len(privateKey.FindString(text))
		case runnable(text, true):
			continue
		}
		if span = afterScheme(arg, span); span.End > span.Start {
			kept = append(kept, span)
		}
	}
	return merge(kept)
}

// privateKey matches a private key and nothing more: long words of base64, and a shorter one only before its
// end.
var privateKey = lazyregexp.New(`^-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{24,})*(?:(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{1,23})?(?:\s|\\[nr])*-----END [A-Z ]*PRIVATE KEY-----)?`)

// inCode returns the secrets in code: only tokens of a known form, and only if they are the value of
// something. All other words of code may be what it does.
func inCode(code string) []Span {
	var found []Span
	for _, span := range plainly(code, slices.Concat(ofForm(code), inAddress(code))) {
		start := code[max(0, span.Start-maxName):span.Start]
		switch m := valueOf.FindStringSubmatch(start); {
		case strings.Contains(code[span.Start:span.End], "://"), strings.HasPrefix(code[span.Start:span.End], "-----BEGIN"):
		case m != nil && (m[1] == "" || tells(m[1])):
			found = append(found, span)
		}
	}
	if single.MatchString(code) {
		found = append(found, assignment(code, false)...)
	}
	return merge(found)
}

var (
	// valueOf matches what comes before a value: an equals sign or colon after a name, the scheme of a
	// header, or a flag.
	valueOf = lazyregexp.New(`(?:[=:][ \t]?["']?(?:(?i:bearer|basic|token)[ \t]+)?|(--?[A-Za-z][A-Za-z0-9_-]*)[ \t]+["']?)$`)

	// single matches code that sets one variable to a word and does nothing else.
	single = lazyregexp.New(`^[A-Z_][A-Z0-9_]*=[A-Za-z0-9_./+=~%:@,-]*$`)
)
