package foreign

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// split splits a command line as a shell would. It accepts what people paste for any shell: both kinds of
// quotes, backslashes as escapes except in Windows paths, and variables as $NAME. An unclosed quote ends at
// the end of the text. split returns the words of the first command; see commandsOf for the others.
func split(line string) []string {
	commands := commandsOf(line)
	if len(commands) == 0 {
		return nil
	}
	return commands[0].words
}

// alone returns the words of a text that is one command and needs no shell; nil for any other.
func alone(line string) []string {
	commands := commandsOf(line)
	if len(commands) != 1 || len(commands[0].dropped) > 0 {
		return nil
	}
	return commands[0].words
}

// wordsOf splits a text that is no command line into its words: signs such as ";" and "|", with which a shell ends a
// command, are a part of them.
func wordsOf(text string) []string {
	w := &wordReader{text: text, plain: true}
	for w.at < len(w.text) {
		w.step()
	}
	w.endWord()
	return w.current.words
}

// shellCommand is one command of a text.
type shellCommand struct {
	words   []string
	dropped []string // what only a shell can do: redirections, pipes to other programs
}

// maxCommands is the largest number of commands that are read from one text.
const maxCommands = 500

// commandsOf splits a text into its commands, at line ends, ";" and "&&".
func commandsOf(text string) []shellCommand {
	w := &wordReader{text: text}
	for w.at < len(w.text) && len(w.commands) < maxCommands {
		w.step()
	}
	w.endCommand()
	return w.commands
}

// wordReader splits a text of commands into words.
type wordReader struct {
	text  string
	at    int
	plain bool // see wordsOf

	word    strings.Builder
	inWord  bool
	current shellCommand
	skip    bool     // ignore the rest of the command, after a pipe or in a comment
	groups  int      // how many "(" around commands are open
	here    []string // the words that end the texts which begin on the next line
	target  bool     // the next word is the target of a redirection

	commands []shellCommand
}

var (
	driveWord   = lazyregexp.New(`^(?:[A-Za-z]:|\\\\|%[A-Za-z]|\.\\|\.\.\\|\$\{[A-Za-z]+\}\\)`)
	shellName   = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*`)
	redirection = lazyregexp.New(`^(?:[0-9]?|&)(?:>>?|<)(?:&[0-9])?`)

	// hereDocument matches what begins a text for a command, up to a line with a word.
	hereDocument = lazyregexp.New(`^<<-?[ \t]*["']?([A-Za-z_][A-Za-z0-9_]*)["']?`)
)

func (w *wordReader) step() {
	rest := w.text[w.at:]
	c := rest[0]
	switch {
	case continued(rest) > 0:
		w.endWord()
		w.at += continued(rest)
	case c == '\'' || c == '"':
		w.quoted(c)
	case c == ' ' || c == '\t' || c == '\n' && w.plain:
		w.at++
		w.endWord()
	case w.plain && strings.IndexByte(";&|<>(){}#", c) >= 0:
		w.put(rest[:1])
		w.at++
	case c == '\n' || c == ';':
		w.at++
		w.endCommand()
		if c == '\n' {
			w.passTexts()
		}
	case hereDocument.MatchString(rest):
		found := hereDocument.FindStringSubmatch(rest)
		w.at += len(found[0])
		w.here = append(w.here, found[1])
		w.current.dropped = append(w.current.dropped, "<<")
	case !w.inWord && len(w.current.words) == 0 && (c == '(' || strings.HasPrefix(rest, "{ ")):
		w.at++
		w.groups++
	case c == ')' && w.groups > 0, c == '}' && w.groups > 0 && !w.inWord:
		w.at++
		w.groups--
		w.endCommand()
	case strings.HasPrefix(rest, "&&") || strings.HasPrefix(rest, "||"):
		w.at += 2
		w.endCommand()
	case c == '#' && !w.inWord && (len(rest) == 1 || rest[1] == ' ' || len(w.current.words) == 0):
		w.at += lineLength(rest)
	case (c == '|' || c == '&') && !w.inWord:
		w.at++
		w.skip = true
		w.current.dropped = append(w.current.dropped, string(c))
	case !w.inWord && redirection.MatchString(rest) && !strings.HasPrefix(rest, "<") || c == '>' && w.inWord &&
		w.word.Len() == 1 && strings.ContainsAny(w.word.String(), "12"):
		found := redirection.FindString(rest)
		w.at += max(1, len(found))
		w.word.Reset()
		w.inWord = false
		w.target = !strings.Contains(found, "&")
		w.current.dropped = append(w.current.dropped, ">")
	case c == '\\' && len(rest) > 1 && !driveWord.MatchString(w.word.String()) &&
		(strings.IndexByte(" \"'\\$`&|;<>()*?#!~={}[]", rest[1]) >= 0):
		if rest[1] == '\\' && !w.inWord { // \\server\share
			w.put(rest[:2])
			w.at += 2
			break
		}
		w.put(rest[1:2])
		w.at += 2
	case strings.HasPrefix(rest, "$'"):
		w.at++
		w.quoted('\'')
	case substitution(rest) > 0:
		w.put(rest[:substitution(rest)])
		w.at += substitution(rest)
	case c == '$':
		w.variable()
	default:
		w.put(rest[:1])
		w.at++
	}
}

// passTexts passes over the texts that begin on this line.
func (w *wordReader) passTexts() {
	for _, end := range w.here {
		for w.at < len(w.text) {
			line := w.text[w.at : w.at+lineLength(w.text[w.at:])]
			w.at = min(w.at+len(line)+1, len(w.text))
			if strings.TrimLeft(line, "\t") == end {
				break
			}
		}
	}
	w.here = nil
}

// substitution returns the length of a command at the beginning of a text that a shell would run for its output:
// $(command) or `command`. It is 0 if there is none, or if it is the folder in which the shell is.
func substitution(text string) int {
	switch {
	case strings.HasPrefix(text, "`"):
		if end := strings.IndexAny(text[1:], "`\n"); end > 0 && text[1+end] == '`' {
			return end + len("``")
		}
	case strings.HasPrefix(text, "$(") && !strings.HasPrefix(text, "$(pwd)"):
		depth, quote := 0, byte(0)
		for i := 1; i < len(text) && i < maxSubstitution; i++ {
			switch c := text[i]; {
			case c == '\n':
				return 0
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '(':
				depth++
			case c == ')':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	return 0
}

// maxSubstitution is how long a command in a word may be.
const maxSubstitution = 1000

// continued returns the length of a line continuation: a backslash in shells, "^" in cmd, "`" in PowerShell,
// with the line end.
func continued(rest string) int {
	if c := rest[0]; c != '\\' && c != '^' && c != '`' {
		return 0
	}
	trimmed := strings.TrimLeft(rest[1:], " \t")
	if !strings.HasPrefix(trimmed, "\n") {
		return 0
	}
	return len(rest) - len(trimmed) + 1
}

func lineLength(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

func (w *wordReader) put(text string) {
	w.inWord = true
	w.word.WriteString(text)
}

// quoted reads up to the closing quote.
func (w *wordReader) quoted(quote byte) {
	w.inWord = true
	w.at++
	windows := driveWord.MatchString(w.text[w.at:])
	for w.at < len(w.text) {
		rest := w.text[w.at:]
		c := rest[0]
		switch {
		case c == quote:
			w.at++
			return
		case quote == '"' && c == '\\' && len(rest) > 1 &&
			(rest[1] == '"' || !windows && strings.IndexByte("\\$`", rest[1]) >= 0):
			w.put(rest[1:2])
			w.at += 2
		case windows && strings.HasPrefix(rest, `\\`) && w.word.Len() > 1: // a doubled backslash, as in JSON
			w.put(`\`)
			w.at += 2
		case quote == '"' && continued(rest) > 0:
			w.at += continued(rest)
		case quote == '"' && c == '$' && substitution(rest) > 0:
			w.put(rest[:substitution(rest)])
			w.at += substitution(rest)
		case quote == '"' && c == '$':
			w.variable()
		default:
			w.put(rest[:1])
			w.at++
		}
	}
}

// variable turns $NAME into our ${NAME}, and $(pwd) into ${PWD}. Anything else that begins with a dollar sign is kept.
func (w *wordReader) variable() {
	rest := w.text[w.at:]
	if strings.HasPrefix(rest, "$(pwd)") {
		w.put("${PWD}")
		w.at += len("$(pwd)")
		return
	}
	if name := shellName.FindString(rest[1:]); name != "" && !strings.HasPrefix(rest, "$env:") {
		w.put("${" + name + "}")
		w.at += 1 + len(name)
		return
	}
	if strings.HasPrefix(rest, "${") {
		if end := strings.IndexByte(rest, '}'); end > 0 && !strings.Contains(rest[:end], "\n") {
			w.put(rest[:end+1])
			w.at += end + 1
			return
		}
	}
	w.put("$")
	w.at++
}

func (w *wordReader) endWord() {
	if w.inWord && !w.skip {
		if w.target {
			w.target = false
		} else {
			w.current.words = append(w.current.words, w.word.String())
		}
	}
	w.word.Reset()
	w.inWord = false
}

func (w *wordReader) endCommand() {
	w.endWord()
	if len(w.current.words) > 0 {
		w.commands = append(w.commands, w.current)
	}
	w.current, w.skip, w.target = shellCommand{}, false, false
}
