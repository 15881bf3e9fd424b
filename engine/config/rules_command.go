package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
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
			d.offer(problem, words.New("config.fix.remove_space"), d.trim(m.value.Span)...)
		}
	}}

var commandLineInCommand = Rule{Code: "command-line-in-command", Severity: SeverityWarning,
	About: "\"command\" contains only the program, since no shell splits it. The arguments belong in \"args\", one by one.",
	Entry: `"command": "npx -y @modelcontextprotocol/server-memory"`,
	program: func(d *diagnoser, r Rule, e *entry, m member) {
		if strings.TrimSpace(e.Command) == e.Command && isCommandLine(e.Command) {
			problem := d.sayAt(r, m.value.Span, m.at, saysCommandLine(), splitHint(e.Command))
			switch args, hasArgs := e.member("args"); {
			case d.noFixes():
			case hasArgs:
				d.offer(problem, fixSplit(), splitBefore(m.value, args.value)...)
			default:
				d.offer(problem, fixSplit(), splitCommand(m.value.Raw(), m.value.Start)...)
			}
		}
	}}

// isCommandLine reports whether a command contains arguments. A path may contain spaces.
func isCommandLine(command string) bool {
	words := strings.Fields(command)
	if len(words) < 2 || strings.Contains(command, "${") {
		return false
	}
	isArgument := func(word string) bool { return strings.HasPrefix(word, "-") || strings.HasPrefix(word, "@") }
	return slices.ContainsFunc(words[1:], isArgument) || !strings.ContainsAny(command, `/\`)
}

func saysCommandLine() words.Text { return words.New("config.command_line") }

// splitHint does not repeat the arguments, since they may contain secrets.
func splitHint(command string) words.Text {
	return words.New("config.command_line.hint", "Program", quote(strings.Fields(command)[0]))
}

func fixSplit() words.Text { return words.New("config.fix.split") }

// splitCommand turns a command line, in a string that begins at start, into "command" and "args".
func splitCommand(literal string, start int) []Change {
	changes := splitWords(literal, start, `", "args": ["`)
	if len(changes) == 0 {
		return nil
	}
	end := start + len(literal)
	return append(changes, put(end, end, "]"))
}

// splitBefore reduces a command to its first word and puts the other words before the existing arguments. If
// the arguments already begin with these words, they stay as they are. It returns nil for a command with
// quotes or escapes, since its words are not separated by spaces alone.
func splitBefore(command, args *node) []Change {
	literal := command.Raw()
	words := strings.Fields(command.Str())
	if args.Kind != jsonc.Array || len(literal) < 2 || literal[0] != '"' || strings.ContainsAny(literal[1:len(literal)-1], `\'"`) {
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
func (d *diagnoser) splitText(v *node, open, closing string) []Change {
	changes := d.enclose(v, open, closing)
	if value := v.Str(); strings.HasPrefix(value, "-") || !strings.ContainsAny(value, `/\`) {
		if strings.TrimSpace(value) != value {
			return nil
		}
		changes = append(changes, splitWords(v.Raw(), v.Start, `", "`)...)
	}
	return changes
}

// splitWords returns the changes that turn a string of the file, which begins at base, into one string for
// each of its words, as a shell would split them. The first space is replaced by first, the others by `", "`.
// It returns nil if there is only one word or a quote is not closed.
func splitWords(literal string, base int, first string) []Change {
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
			between := `", "`
			if words == 1 {
				between = first
			}
			words++
			changes = append(changes, put(base+i, base+i+n, between))
			i += n
		default:
			i++
		}
	}
	if quoted != 0 || words == 1 {
		return nil
	}
	return changes
}
