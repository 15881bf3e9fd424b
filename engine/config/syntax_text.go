package config

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// This file holds the words for syntax errors in and around texts and values. None of them repeats a
// value, since it might be secret.

// sayName returns a name that comes next as a message may repeat it. What stands after a secret may be
// a part of it, when quotes, commas or colons are wrong.
func (s *scanner) sayName(name []byte) string {
	if len(s.stack) > 0 && isSecretKey(s.top().key) {
		return hiddenName
	}
	return s.sayIn(name)
}

// sayKey returns the name of the current member as a message may repeat it.
func (s *scanner) sayKey() string {
	if isSecretKey(s.top().before) {
		return hiddenName
	}
	return s.sayIn([]byte(decode(s.top().key)))
}

func (s *scanner) sayIn(name []byte) string {
	for _, f := range s.stack[:max(0, len(s.stack)-1)] {
		if isSecretKey(f.key) {
			return hiddenName
		}
	}
	return quote(string(name))
}

const hiddenName = `"…"`

func isSecretKey(literal []byte) bool { return len(literal) > 1 && secret.Key(decode(literal)) }

// unquoted: text without quotes, or with one at its end only.
func (s *scanner) unquoted() *syntaxProblem {
	end := s.at + len(s.bareText())
	p := &syntaxProblem{start: s.at, end: end, message: "text must be in double quotes", hint: `write " before and after it`,
		title: "Put it into double quotes", repair: []Change{{s.at, s.at, `"`}}}
	if end == len(s.text) || s.text[end] != '"' {
		p.repair = append(p.repair, Change{end, end, `"`})
	}
	p.repair = append(p.repair, doubleBackslashes(s.text[s.at:end], s.at)...)
	return p
}

// otherSpelling: true, false, null and numbers as other languages write them.
func (s *scanner) otherSpelling(word []byte) *syntaxProblem {
	p := &syntaxProblem{start: s.at, end: s.at + len(word), message: "this is not a value that JSON knows"}
	value := ""
	switch strings.ToLower(string(word)) {
	case "true", "yes", "on":
		value = "true"
	case "false", "no", "off":
		value = "false"
	case "null", "none", "nil", "undefined":
		value = "null"
	}
	if value != "" {
		p.message = quote(string(word)) + " is not a value that JSON knows"
		p.hint = fmt.Sprintf("write %s, or %s if it is text", value, quote(string(word)))
		p.title, p.repair = "Write "+value, []Change{{s.at, s.at + len(word), value}}
		return p
	}
	first := bytes.TrimLeft(word, "+-.")
	if len(first) == 0 || first[0] < '0' || first[0] > '9' || len(s.word(s.at)) != len(word) {
		return nil
	}
	p.message = "this is not a number as JSON writes it"
	p.hint = "write for example 10 or 0.5, without leading zeros or +; or put it into double quotes if it is text"
	// A leading zero, more than one point and the like are rather those of a text.
	switch plain := bytes.TrimPrefix(word, []byte("+")); {
	case validNumber(plain):
		p.title, p.repair = "Remove the +", []Change{{Start: s.at, End: s.at + 1}}
	case word[0] == '.' && validNumber(append([]byte("0"), word...)):
		p.title, p.repair = "Write a 0 before the point", []Change{{s.at, s.at, "0"}}
	case bytes.HasSuffix(word, []byte(".")) && validNumber(word[:len(word)-1]):
		p.title, p.repair = "Remove the point", []Change{{Start: s.at + len(word) - 1, End: s.at + len(word)}}
	default:
		p.title, p.repair = "Put it into double quotes", []Change{{s.at, s.at, `"`}, {s.at + len(word), s.at + len(word), `"`}}
	}
	return p
}

// otherQuoteMarks open a text in other languages and in what word processors make of JSON.
const otherQuoteMarks = "'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u2032\u2033\uff02\uff07"

// otherQuotes: text in single or typographic quotes.
func (s *scanner) otherQuotes() *syntaxProblem {
	open, size := utf8.DecodeRune(s.text[s.at:])
	if !strings.ContainsRune(otherQuoteMarks, open) {
		return nil
	}
	kind := "typographic quotes"
	switch open {
	case '\'':
		kind = "single quotes"
	case '`':
		kind = "backticks"
	}
	isName := s.state == wantKey
	what := "text"
	if isName {
		what = "a name"
	}
	p := &syntaxProblem{start: s.at, end: s.at + size, message: what + " is in " + kind + ", but must be in double quotes",
		hint: fmt.Sprintf(`write " instead of %c, on both sides`, open)}
	from := s.at + size
	line := s.text[from:]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	n, width := closingQuote(line, open)
	if n < 0 {
		end := from + len(bytes.TrimRight(line, " \t\r,}]"))
		p.repair = append([]Change{{s.at, from, `"`}}, escapeForeign(s.text[from:end], from, open)...)
		p.repair = append(p.repair, Change{end, end, `"`})
		return p
	}
	p.end = from + n + width
	if isName { // a value might be secret
		p.hint = "write " + s.sayName(line[:n])
	}
	p.title = "Use double quotes"
	p.repair = []Change{{s.at, from, `"`}, {from + n, from + n + width, `"`}}
	p.repair = append(p.repair, escapeForeign(line[:n], from, open)...)
	return p
}

// closingQuote finds the end of a text that began with another quote mark: where it is in the line and
// how long it is, or -1.
func closingQuote(line []byte, open rune) (at, width int) {
	closers := map[rune]string{'\'': "'", '`': "`", '\u2018': "\u2019", '\u201a': "\u2018\u2019", '\u201c': "\u201d", '\u201e': "\u201c\u201d", '\u00ab': "\u00bb", '\u2039': "\u203a"}[open]
	if closers == "" {
		closers = string(open)
	}
	at = -1
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case r == '\\' && i+1 < len(line):
			_, next := utf8.DecodeRune(line[i+1:])
			i += 1 + next
			continue
		case strings.ContainsRune(closers, r) && r != utf8.RuneError:
			if endsToken(line[i+size:]) {
				return i, size
			}
			if at < 0 {
				at, width = i, size
			}
		// A straight quote at the end is what editors make of it when they correct only one of two.
		case r == '"' && at < 0 && endsToken(line[i+1:]) && !bytes.ContainsAny(line[i+1:], closers):
			return i, size
		}
		i += size
	}
	return at, width
}

// endsToken tells whether a token may end before the rest of a line.
func endsToken(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r")
	return len(rest) == 0 || bytes.IndexByte([]byte(",:]}/#"), rest[0]) >= 0
}

// escapeForeign makes what is within other quotes right for double quotes.
func escapeForeign(text []byte, base int, open rune) []Change {
	changes := doubleBackslashes(text, base)
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			if rune(text[i+1]) == open && open < utf8.RuneSelf { // \' needs no backslash
				changes = slicesDelete(changes, base+i)
				changes = append(changes, Change{Start: base + i, End: base + i + 1})
			}
			i++
		case text[i] == '"':
			changes = append(changes, Change{base + i, base + i, `\`})
		case text[i] == '\t':
			changes = append(changes, Change{base + i, base + i + 1, `\t`})
		}
	}
	return changes
}

// slicesDelete takes the change at a place out of a list.
func slicesDelete(changes []Change, at int) []Change {
	kept := changes[:0]
	for _, c := range changes {
		if c.Start != at {
			kept = append(kept, c)
		}
	}
	return kept
}

// doubleBackslashes returns what has to be put into the inside of a text so that each backslash that
// begins no escape sequence is one itself. In a Windows path that is every single one: \t is no tab
// there.
func doubleBackslashes(text []byte, base int) []Change {
	path := windowsPath(text)
	var changes []Change
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		n := escapeLength(text[i:])
		if n == 2 && path && bytes.IndexByte([]byte("bfnrt"), text[i+1]) >= 0 || n == 0 {
			changes = append(changes, Change{base + i, base + i, `\`})
			continue
		}
		i += n - 1
	}
	return changes
}

// windowsPath tells whether a text begins like C:\Users with single backslashes.
func windowsPath(text []byte) bool {
	return len(text) > 3 && (text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z') && text[1] == ':' && text[2] == '\\' && text[3] != '\\'
}

const (
	singleBackslash = `a single "\" cannot be here`
	doubleHint      = `write "\\" for each "\", for example "C:\\Users\\me", or write paths with "/"`
)

// explainEscape: a backslash that begins nothing known, in a string that began at s.at. All of them in
// the string are one problem.
func (s *scanner) explainEscape(at int) *syntaxProblem {
	_, size := utf8.DecodeRune(s.text[at+1:])
	p := &syntaxProblem{start: at, end: at + 1 + size, message: singleBackslash, hint: doubleHint}
	if unit, ok := codeUnit(s.text[at:]); ok {
		p.end = at + 6
		p.message, p.hint = fmt.Sprintf(`"\u%04x" is only half of a character`, unit), "write the character itself"
		p.repair = []Change{{at, at + 6, " "}}
		return p
	}
	inside := s.text[s.at+1:]
	inside = inside[:textLength(inside)]
	p.repair = doubleBackslashes(inside, s.at+1)
	if len(p.repair) > 0 {
		p.title = "Double the backslashes"
	}
	if size == 1 && s.text[at+1] == 'u' && !windowsPath(inside) {
		p.message = `after "\u" come four hexadecimal digits`
		p.hint = `write for example \u00e9; if the backslash itself is meant, write "\\"`
	}
	return p
}

// textLength returns how long the inside of a string is, up to its closing quote or the end of the line.
func textLength(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n', '\r':
			return i
		case '"':
			return i
		case '\\':
			// Before a quote that ends a value, it is the end of a folder's path.
			if i+1 < len(text) && text[i+1] == '"' && windowsPath(text) && endsToken(lineOf(text[i+2:])) {
				return i + 1
			}
			i++
		}
	}
	return len(text)
}

func lineOf(text []byte) []byte {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return text[:n]
	}
	return text
}

// unclosedAtEnd: a text that goes on to the end of the file, which has no line break after it.
func (s *scanner) unclosedAtEnd() *syntaxProblem {
	p := &syntaxProblem{start: s.at, end: s.at + 1, message: "this text has no closing quote", hint: `write " where the text ends`}
	inside := s.text[s.at+1:]
	// What closes brackets at the very end is rather that than part of the text.
	if end := s.at + 1 + len(bytes.TrimRight(inside, " \t}],")); end < len(s.text) && s.leadsToEnd(Change{end, end, `"`}) {
		p.title, p.repair = "Add the closing quote", []Change{{end, end, `"`}}
		return p
	}
	end, rest := len(s.text), s.closers()
	if s.state == wantKey {
		rest = ": null" + rest
	}
	escaped := 0
	for escaped < len(inside) && inside[len(inside)-1-escaped] == '\\' {
		escaped++
	}
	if escaped%2 == 1 {
		end--
	}
	p.repair = []Change{{end, len(s.text), `"` + rest}}
	return p
}

// endlessComment: a comment that goes on to the end of the file. It is taken for one of a single line.
func (s *scanner) endlessComment() *syntaxProblem {
	end := s.at + len(bytes.TrimRight(lineOf(s.text[s.at:]), "\r"))
	return &syntaxProblem{start: s.at, end: s.at + 2, message: `this comment never ends`, hint: `write "*/" where it should end`,
		repair: []Change{{end, end, "*/"}}}
}

// quotesWithin repairs a text that seems to end at a quote within it: the quotes up to the one that can be the last get
// backslashes.
func (s *scanner) quotesWithin() []Change {
	line := lineOf(s.text[s.last:])
	changes := []Change{{s.last - 1, s.last - 1, `\`}}
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			if endsToken(line[i+1:]) {
				return changes
			}
			changes = append(changes, Change{s.last + i, s.last + i, `\`})
		}
	}
	return []Change{{Start: s.at, End: s.at + len(s.bareText())}}
}
