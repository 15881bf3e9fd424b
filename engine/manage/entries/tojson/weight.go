package tojson

import (
	"bytes"
	"errors"
	"strings"
)

// Limits for YAML. The time to read many brackets grows with the square of their number, and a small text with aliases
// can expand to a huge one.
const (
	maxBrackets = 2000
	maxAliases  = 16
)

// ErrHeavy means that YAML has so many brackets or aliases that reading it could take very long.
var ErrHeavy = errors.New("too many brackets or aliases")

// heavy reports whether YAML has more brackets or aliases than are read. Those in its texts and comments do not count:
// a text may be a whole page of Markdown.
func heavy(source []byte) bool {
	var w weigher
	for line := range bytes.Lines(source) {
		w.line(strings.TrimRight(string(line), "\r\n"))
	}
	return w.brackets > maxBrackets || w.aliases > maxAliases
}

// weigher counts brackets and aliases, line by line. It need not understand all of YAML: where it is wrong, it counts
// too much or too little of what the reader checks anyway.
type weigher struct {
	brackets, aliases int

	depth int  // of brackets that are open
	quote byte // of the quoted text that is open, else 0
	block int  // the column up to which a line ends the open block of text, plus one; 0 if there is none
}

func (w *weigher) line(line string) {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if w.block > 0 {
		if indent >= w.block || strings.TrimSpace(line) == "" {
			return
		}
		w.block = 0
	}
	column, starts := indent, true // where the innermost node on this line begins, and whether one can begin here
	for i := indent; i < len(line); i++ {
		c := line[i]
		switch {
		case w.quote != 0:
			switch {
			case c == '\\' && w.quote == '"':
				i++
			case c == w.quote:
				w.quote, starts = 0, false
			}
		case c == ' ' || c == '\t':
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return
		case (c == '"' || c == '\'') && (starts || w.depth > 0):
			w.quote = c
		case (c == '[' || c == '{') && (starts || w.depth > 0):
			w.brackets++
			w.depth++
			starts = true
		case (c == ']' || c == '}') && w.depth > 0:
			w.depth--
			starts = false
		case c == ',' && w.depth > 0:
			starts = true
		case c == '*' && starts:
			w.aliases++
			starts = false
		case c == '-' && starts && w.depth == 0 && ends(line, i+1):
			column = i
		case c == ':' && ends(line, i+1):
			starts = true
		case (c == '|' || c == '>') && starts && w.depth == 0 &&
			strings.Trim(before(line[i+1:], " #"), "+-0123456789 \t") == "":
			w.block = column + 1
			return
		case (c == '&' || c == '!') && starts: // a name before the node
			for i+1 < len(line) && line[i+1] != ' ' {
				i++
			}
		case starts:
			if starts = false; w.depth == 0 {
				column = i
			}
		}
	}
}

// ends reports whether a word of a line ends before an offset.
func ends(line string, at int) bool { return at >= len(line) || line[at] == ' ' || line[at] == '\t' }

func before(text, mark string) string {
	text, _, _ = strings.Cut(text, mark)
	return text
}
