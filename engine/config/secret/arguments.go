package secret

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Argument describes one argument of a command.
type Argument struct {
	// Secrets are the parts that look secret, in order and without overlaps.
	Secrets []Span

	// Code is set if the argument is code that the program runs, as after "sh -c".
	Code bool

	// Program is the program that gets the argument: the command, or a program that it starts, as in "npx server".
	Program string
}

// InCommand finds the secrets in the arguments of a command. programs are the command and the programs that it starts
// in turn, as npx and env do.
//
// People decide by these arguments whether a program may run. So what is run is never treated as a secret: the code
// after flags such as "-c" and "--eval", the name of the program that a launcher such as npx starts, and any value
// that a shell could run. Secrets are values after a name that says so, tokens of a known form, and passwords in
// addresses.
func InCommand(command string, args []string) (arguments []Argument, programs []string) {
	read, programs := launcher.Read(command, args)
	arguments = make([]Argument, len(args))
	maybe := false // an earlier argument may be the program
	found := false // an earlier argument is the program
	for i, arg := range args {
		previous := ""
		if i > 0 {
			previous = args[i-1]
		}
		a := &arguments[i]
		a.Program, a.Code = read[i].Program, read[i].Role == launcher.Code
		switch role := read[i].Role; role {
		case launcher.Code, launcher.Joined: // no short flag is followed by a secret
			a.Secrets = inCode(arg)
		case launcher.Variable:
			a.Secrets = inVariable(arg)
		case launcher.Value:
			a.Secrets = inPlace(previous, arg)
		case launcher.Flag:
			// Before the program, a value may be the name of the program, so it is not treated as a secret.
			a.Secrets = merge(append(assignment(arg, false), inAddress(arg)...))
			if found {
				a.Secrets = inPlace(previous, arg)
			}
		case launcher.Unsure:
			// After what may be the program, a flag with a secret is one of the program.
			found = found || maybe && strings.HasPrefix(previous, "-") && tells(previous)
			maybe = true
			if found {
				a.Secrets = inPlace(previous, arg)
				break
			}
			a.Secrets = plainly(arg, inAddress(arg))
		default:
			maybe, found = false, false
			a.Secrets = plainly(arg, inAddress(arg))
		}
		// A reference that the program itself replaces is not a secret.
		if read[i].Expands&launcher.Dollar != 0 && read[i].Role != launcher.Code {
			a.Secrets = slices.DeleteFunc(a.Secrets, func(s Span) bool { return ofProgram.MatchString(arg[s.Start:s.End]) })
		}
	}
	return arguments, programs
}

// ofProgram matches a reference that a program replaces: $NAME, ${NAME}, or $${NAME}, which our configuration passes
// on as ${NAME}.
var ofProgram = lazyregexp.New(`^\$(?:[A-Za-z_][A-Za-z0-9_]*|\$?\{[^{}]*\})$`)

// inVariable returns the secrets of a flag that sets a variable in a container. The whole value may be a secret, since
// no shell interprets it.
func inVariable(arg string) []Span {
	start := 0
	for _, flag := range []string{"--env=", "-e"} {
		if strings.HasPrefix(arg, flag) && strings.Contains(arg[len(flag):], "=") {
			start = len(flag)
			break
		}
	}
	spans := assignment(arg[start:], true)
	for i := range spans {
		spans[i] = Span{spans[i].Start + start, spans[i].End + start}
	}
	return merge(append(spans, inArgument(arg)...))
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

// InVariable is like [InSetting] for a program that people decide about. A value is not a secret as a whole if a shell
// could run it, or if the name says that it is a command.
func InVariable(name, value string) []Span {
	if !tells(name) || runnable(value, false) {
		name = ""
	}
	return InSetting(name, value)
}

// inPlace returns the secrets of an argument that only the started program gets.
func inPlace(previous, arg string) []Span {
	found := inArgument(arg)
	if flag.MatchString(previous) && strings.HasPrefix(previous, "-") && !strings.HasPrefix(arg, "-") &&
		tells(previous) && !harmless(previous, arg) && !runnable(arg, false) {
		found = append(found, afterScheme(arg, Span{0, len(arg)}))
	}
	return merge(append(found, assignment(arg, false)...))
}

// tells reports whether the name of a flag says that its value is a secret. The value of --token-command, for example,
// is not: it is a program that returns the secret.
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

// header matches an HTTP header.
var header = lazyregexp.New(`^([A-Za-z][A-Za-z0-9_-]*)[ \t]*:[ \t]*([^/\s].*)$`)

// WithScheme returns a key with the scheme that an old value of the same header has, such as Bearer, if the key is one
// word: a person who is asked for a key gives the key alone.
func WithScheme(old, key string) string {
	if strings.ContainsAny(key, " \t") {
		return key
	}
	return scheme.FindString(old) + key
}

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

// Limits on names and headers, in bytes. Longer text is neither.
const (
	maxName   = 200
	maxHeader = 64 << 10
)

// runnable reports whether a shell could run a part of a value, because something in it ends one command and begins
// another. bare means that there is no flag before the value: it may then be a command unless it is one word.
func runnable(value string, bare bool) bool {
	value = value[len(scheme.FindString(value)):]
	if strings.ContainsAny(value, "\r\n`|;<>") || strings.Contains(value, "$(") || strings.Contains(value, "&&") ||
		strings.Contains(value, "$IFS") || strings.Contains(value, "${IFS") {
		return true
	}
	return bare && (strings.ContainsAny(value, " \t&") || strings.Contains(strings.ReplaceAll(value, "${", ""), "{"))
}

// inArgument returns the secrets inside an argument, whatever comes before it.
func inArgument(arg string) []Span {
	found := slices.Concat(ofForm(arg), inAddress(arg))
	if trimmed := strings.TrimSpace(arg); (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) &&
		len(arg) <= maxHeader && json.Valid([]byte(arg)) {
		found = append(found, InText(arg)...)
	}
	return plainly(arg, found)
}

// plainly returns spans without those that a shell could run.
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

// privateKey matches a private key: lines of base64, of which only the last is short.
var privateKey = lazyregexp.New(
	`^-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{24,})*(?:(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{1,23})?(?:\s|\\[nr])*-----END [A-Z ]*PRIVATE KEY-----)?`)

// inCode returns the secrets in code: tokens of a known form that are the value of something. Other words may be part
// of what the code does.
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
