package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var emptyCommand = Rule{Code: "empty-command",
	About: "\"command\" is empty, or contains only spaces, so there is no program to start.",
	Entry: `"command": ""`,
	program: func(d *diagnoser, r Rule, e *entry, m member) {
		if strings.TrimSpace(e.Command) == "" {
			d.sayAt(r, m.value.Span, m.at, words.New("config.empty_command"), words.New("config.empty_command.hint"))
		}
	}}

var spaceAroundCommand = Rule{Code: "space-around-command",
	About: "A program's name begins or ends with a space, so it will not be found.",
	Entry: `"command": " npx"`,
	program: func(d *diagnoser, r Rule, e *entry, m member) {
		if trimmed := strings.TrimSpace(e.Command); trimmed != "" && trimmed != e.Command {
			problem := d.sayAt(r, m.value.Span, m.at, words.New("config.space_around_command"), words.New("config.take_out"))
			d.offer(problem, words.New("config.fix.remove_space"), d.src.trim(m.value.Span)...)
		}
	}}

// Without looking at the disk, only a command that begins with a known program is certainly no path with
// spaces. [Document.CheckEnvironment] judges the others.
var commandLineInCommand = Rule{Code: "command-line-in-command", Severity: SeverityWarning,
	About: "\"command\" contains only the program, since no shell splits it. The arguments belong in \"args\", one by " +
		"one. A program that exists is none of this, whatever its path contains.",
	Entry: `"command": "npx -y @modelcontextprotocol/server-memory"`,
	program: func(d *diagnoser, r Rule, e *entry, m member) {
		variables, rest := splitVariables(e.Command)
		words := strings.Fields(rest)
		if strings.TrimSpace(e.Command) != e.Command || len(words) < 2 || strings.ContainsAny(words[0], `/\$`) ||
			!launcher.Known(words[0]) {
			return
		}
		problem := d.sayAt(r, m.value.Span, m.at, saysCommandLine(), splitHint(words[0]))
		if len(variables) == 0 && !d.noFixes() {
			args, hasArgs := e.member("args")
			d.offer(problem, fixSplit(), splitOff(m.value, args.value, m.value.Start, words[0])...)
			repeats(problem, hasArgs)
		}
	}}

// seemsCommandLine reports whether a command that is no program here probably contains arguments.
func seemsCommandLine(command string) bool {
	words := strings.Fields(command)
	if len(words) < 2 || strings.Contains(command, "${") {
		return false
	}
	isArgument := func(word string) bool { return len(word) > 1 && (word[0] == '-' || word[0] == '@') }
	return slices.ContainsFunc(words[1:], isArgument) || !strings.ContainsAny(command, `/\`)
}

// ProgramOf returns the beginning of a command that certainly names a program, before words that are its arguments:
// "C:\my tools\a.exe" of "C:\my tools\a.exe --stdio". It is the whole command if nothing in it says where a program
// ends.
func ProgramOf(command string) string {
	if m := programEnd.FindStringSubmatch(command); m != nil {
		return m[1]
	}
	return command
}

var programEnd = lazyregexp.New(`(?i)^([^"']*[/\\][^"']*?\.(?:exe|cmd|bat|com|ps1|sh|py|jar|[cm]?js))\s+[-/]`)

var variablesInCommand = Rule{Code: "variables-in-command", Severity: SeverityWarning,
	About: "\"command\" begins with variables for the program, as a shell accepts it: `TOKEN=abc npx …`. Variables " +
		"belong in \"env\".",
	Entry: `"command": "LEVEL=debug my-server"`,
	program: func(d *diagnoser, r Rule, e *entry, m member) {
		variables, rest := splitVariables(e.Command)
		args, hasArgs := e.member("args")
		if len(variables) == 0 || rest == "" && len(e.Args) == 0 {
			return
		}
		problem := d.sayAt(r, m.value.Span, m.at, words.New("config.variables_in_command"),
			words.New("config.variables_in_command.hint"))
		env, hasEnv := e.member("env")
		if !d.noFixes() && (!hasEnv || env.value.Kind == '{') && (!hasArgs || args.value.Kind == '[') {
			d.offer(problem, words.New("config.fix.into_env"), intoEnv(e, m, args, env, variables, rest)...)
			repeats(problem, true)
		}
	}}

// repeats says of the fix of a problem, if it has one, whether it repeats values.
func repeats(problem *Diagnostic, does bool) {
	if problem != nil && problem.Fix != nil {
		problem.Fix.Repeats = does
	}
}

// splitVariables splits the variables NAME=value, which may be quoted, from the beginning of a command. rest
// is the command without them.
func splitVariables(command string) (variables []Variable, rest string) {
	rest = command
	for {
		m := leadingVariable.FindStringSubmatch(rest)
		if m == nil {
			return variables, rest
		}
		value := m[2]
		if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') {
			value = value[1 : n-1]
		}
		variables = append(variables, Variable{m[1], value})
		rest = rest[len(m[0]):]
	}
}

var leadingVariable = lazyregexp.New(`^([A-Za-z_][A-Za-z0-9_]*)=("[^"]*"|'[^']*'|[^\s"']*)(?:\s+|$)`)

// intoEnv returns the changes that put the variables at the beginning of a command into "env".
func intoEnv(e *entry, command, args, env member, variables []Variable, rest string) []Change {
	var list strings.Builder
	for i, v := range variables {
		if slices.ContainsFunc(variables[i+1:], func(o Variable) bool {
			return o.Name == v.Name
		}) || slices.ContainsFunc(e.Env, func(o Variable) bool { return o.Name == v.Name }) {
			return nil // which value counts is for the user to say
		}
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString(jsonc.Quote(v.Name) + ": " + jsonc.Quote(v.Value))
	}
	var changes []Change
	switch {
	case env.value == nil:
		changes = append(changes, put(command.name.Start, command.name.Start, `"env": {`+list.String()+`}, `))
	case len(env.value.Children) == 0:
		changes = append(changes, put(env.value.Start+1, env.value.Start+1, list.String()))
	default:
		first := env.value.Children[0].First()
		changes = append(changes, put(first, first, list.String()+", "))
	}
	if rest != "" {
		return append(changes, put(command.value.Start, command.value.End, jsonc.Quote(rest)))
	}
	// The program is the first argument.
	program := args.value.Children[0]
	end := args.value.End - 1
	if len(args.value.Children) > 1 {
		end = args.value.Children[1].First()
	}
	return append(changes, put(command.value.Start, command.value.End, program.Raw()),
		Change{Start: program.First(), End: end})
}

func saysCommandLine() words.Text { return words.New("config.command_line") }

// splitHint does not repeat the arguments, since they may contain secrets.
func splitHint(program string) words.Text {
	return words.New("config.command_line.hint", "Program", quote(program))
}

func fixSplit() words.Text { return words.New("config.fix.split") }

// splitOff leaves a program, with which a command begins, in "command", and puts the words after it into
// "args", before those that are there. args may be nil. start is where the command begins in the source. It
// returns nil if there is no clear way.
func splitOff(command, args *node, start int, program string) []Change {
	switch count := len(strings.Fields(program)); {
	case args != nil && count == 1:
		return splitBefore(command, args)
	case args != nil:
		return nil
	default:
		changes := splitWords(command.Raw(), start, count, `", "args": ["`)
		if len(changes) == 0 {
			return nil
		}
		end := start + len(command.Raw())
		return append(changes, put(end, end, "]"))
	}
}

// splitBefore reduces a command to its first word and puts the other words before the existing arguments. If
// the arguments already begin with these words, they stay as they are. It returns nil for a command with
// quotes or escapes, since its words are not separated by spaces alone.
func splitBefore(command, args *node) []Change {
	literal := command.Raw()
	words := strings.Fields(command.Str())
	if args.Kind != jsonc.Array || len(literal) < 2 || literal[0] != '"' ||
		strings.ContainsAny(literal[1:len(literal)-1], `\'"`) {
		return nil
	}
	changes := []Change{put(command.Start+1+len(words[0]), command.End-1, "")}
	there := 0 // how many arguments are the same as words of the command
	for there < len(args.Children) && there+1 < len(words) && args.Children[there].Str() == words[there+1] {
		there++
	}
	if there+1 == len(words) {
		return changes
	}
	text := `"` + strings.Join(words[1:], `", "`) + `"`
	if len(args.Children) == 0 {
		return append(changes, put(args.Start+1, args.Start+1, text))
	}
	first := args.Children[0].First()
	return append(changes, put(first, first, text+", "))
}

// splitText turns a string into an array of its words, between two brackets. A path with spaces stays one
// word.
func splitText(d *diagnoser, v *node, open, closing string) []Change {
	changes := enclose(v, open, closing)
	if value := v.Str(); strings.HasPrefix(value, "-") || !strings.ContainsAny(value, `/\`) {
		if strings.TrimSpace(value) != value {
			return nil
		}
		changes = append(changes, splitWords(v.Raw(), v.Start, 1, `", "`)...)
	}
	return changes
}

// splitWords returns the changes that turn a string of the file, which begins at base, into one string for
// each of its words, as a shell would split them. The first words, as many as program says, stay together. The
// space after them is replaced by first, the others by `", "`. It returns nil if there is nothing to split or a
// quote is not closed.
func splitWords(literal string, base, program int, first string) []Change {
	text := literal[1 : len(literal)-1]
	base++
	var changes []Change
	quoted := byte(0)
	words := 1
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && text[i+1] == '"' && quoted != '\'':
			quoted ^= '"'
			changes = append(changes, Change{Start: base + i, End: base + i + 2})
			i += 2
		case c == '\\':
			i += max(1, escapeLength(text[i:]))
		case c == '\'' && quoted != '"':
			quoted ^= '\''
			changes = append(changes, Change{Start: base + i, End: base + i + 1})
			i++
		case c == ' ' && quoted == 0:
			n := len(text[i:]) - len(strings.TrimLeft(text[i:], " "))
			switch {
			case words == program:
				changes = append(changes, put(base+i, base+i+n, first))
			case words > program:
				changes = append(changes, put(base+i, base+i+n, `", "`))
			}
			words++
			i += n
		default:
			i++
		}
	}
	if quoted != 0 || words <= program {
		return nil
	}
	return changes
}
