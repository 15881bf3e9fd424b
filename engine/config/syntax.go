package config

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file holds the words for syntax errors. They are for people who may not know JSON: each
// problem is placed where the change has to be made, which often is before the place where a parser
// would notice.

// explainEnd: the text ends where something must come.
func (s *scanner) explainEnd() *syntaxProblem {
	p := &syntaxProblem{start: s.last, end: s.last}
	if len(s.stack) == 0 {
		p.message, p.hint = "the file has only comments", "the smallest configuration is "+smallest
		return p
	}
	top := s.top()
	opener := "{"
	if !top.object {
		opener = "["
	}
	where := position{line: 1, column: 1}
	where.advance(s.text, top.open)
	p.message = fmt.Sprintf("the file ends, but the %q of line %d, column %d is not closed", opener, where.line, where.column)
	p.hint = fmt.Sprintf("add the missing %s where it belongs; every { needs a }, every [ a ]", quote(s.closers()))
	switch s.state {
	case wantValue:
		p.message = "the file ends after a \":\", where a value must come; " + strings.TrimPrefix(p.message, "the file ends, but ")
	case wantColon:
		p.message = "the file ends after the name " + quote(decode(top.key)) + ", which has no value; " + strings.TrimPrefix(p.message, "the file ends, but ")
	}
	return p
}

// closers returns the brackets that would close everything that is open.
func (s *scanner) closers() string {
	var b strings.Builder
	for i := len(s.stack) - 1; i >= 0; i-- {
		b.WriteByte(s.stack[i].closer())
	}
	return b.String()
}

// explainRest: something follows the whole configuration.
func (s *scanner) explainRest() *syntaxProblem {
	p := &syntaxProblem{start: s.at, end: s.at + len(s.word(s.at))}
	switch c := s.text[s.at]; {
	case c == '}' || c == ']':
		p.end = s.at + 1
		p.message = fmt.Sprintf("this %q is one too many", string(c))
		p.hint = "take it out, or look above for a bracket that closes too early"
	case c == ',':
		p.message, p.hint = `there is a "," after the end of the configuration`, "take it out"
		rest := scanner{text: s.text, at: s.at + 1}
		if problem := rest.skipExtra(); problem == nil && rest.at == len(s.text) {
			p.repair = []patch{{s.at, " "}}
		} else {
			p.hint = `what follows must be inside the first { … }: look above for a "}" that closes too early`
		}
	case c == ':':
		first := scanner{text: s.text}
		_ = first.skipExtra() // it has been passed already
		p.start, p.end = first.at, first.at+1
		p.message, p.hint = "the file does not begin with a {", "put { before the first name and } at the end of the file"
	case c == '{':
		p.message, p.hint = "a second configuration begins here", "a file holds one { … }; move what is needed into the first and delete the rest"
	default:
		p.message, p.hint = "there is more text after the end of the configuration", `delete it, or look above for a "}" that closes too early`
		if c == '#' {
			p = s.hashComment()
		}
	}
	return p
}

// explainColon: after the name of a member.
func (s *scanner) explainColon() *syntaxProblem {
	key := quote(decode(s.top().key))
	switch c := s.text[s.at]; c {
	case '=':
		n := 1
		if bytes.HasPrefix(s.text[s.at:], []byte("=>")) {
			n = 2
		}
		return &syntaxProblem{start: s.at, end: s.at + n, message: `there must be a ":" between the name ` + key + " and its value", hint: `write ":" instead of "="`,
			repair: []patch{{s.at, ":" + strings.Repeat(" ", n-1)}}}
	case ',', '}', ']':
		return &syntaxProblem{start: s.last, end: s.last, message: "the name " + key + " has no value", hint: "write " + key + ": and its value; in an object { … } everything is a name with a value"}
	default:
		p := &syntaxProblem{start: s.last, end: s.last, message: `a ":" is missing after the name ` + key, hint: "write " + key + ": before the value"}
		if s.gap() {
			p.repair = []patch{{s.last, ":"}}
		}
		return p
	}
}

// gap tells whether there is white space after the last token, where something can be put in.
func (s *scanner) gap() bool {
	return s.last < s.at && bytes.IndexByte([]byte(" \t\r\n"), s.text[s.last]) >= 0
}

// explainComma: after a value in an object or array, where "," or the closing bracket must come.
func (s *scanner) explainComma() *syntaxProblem {
	top := s.top()
	switch c := s.text[s.at]; {
	case c == ';':
		return &syntaxProblem{start: s.at, end: s.at + 1, message: `there is a ";" where a "," must be`, hint: `write "," instead`, repair: []patch{{s.at, ","}}}
	case c == '}' || c == ']':
		return s.wrongCloser()
	case c == ':' && !top.object:
		return &syntaxProblem{start: s.begin, end: s.at + 1, message: `a name with ":" cannot be in an array [ … ]`, hint: `close the array with "]" before it, or write { … } instead of [ … ] around names with values`}
	case c == ':':
		return &syntaxProblem{start: s.at, end: s.at + 1, message: `this ":" is one too many`, hint: `after a value comes "," or "}"`}
	case c == '#':
		return s.hashComment()
	case s.text[s.last-1] == '"' && s.last == s.at && wordByte(c):
		return &syntaxProblem{start: s.last - 1, end: s.last, message: `the text ends at this quote, but more follows`, hint: `to have a quote within text, write \"; otherwise take it out`}
	case s.stray():
		return s.strayMark()
	case c == '=' || c == '+' || c == '\\':
		return s.badCharacter(`after a value comes "," or ` + fmt.Sprintf("%q", string(top.closer())))
	}
	p := &syntaxProblem{start: s.last, end: s.last, message: `a "," is missing here`, hint: `write "," between two entries`}
	if s.gap() {
		p.repair = []patch{{s.last, ","}}
	}
	return p
}

// wrongCloser: a closing bracket that isn't that of what is open.
func (s *scanner) wrongCloser() *syntaxProblem {
	c := s.text[s.at]
	p := &syntaxProblem{start: s.at, end: s.at + 1}
	if len(s.stack) == 0 {
		p.message, p.hint = fmt.Sprintf("%q closes nothing", string(c)), "the configuration begins with {; the smallest one is "+smallest
		return p
	}
	top := s.top()
	opener := "["
	if top.object {
		opener = "{"
	}
	where := position{line: 1, column: 1}
	where.advance(s.text, top.open)
	p.message = fmt.Sprintf("%q cannot close the %q of line %d, column %d", string(c), opener, where.line, where.column)
	p.hint = fmt.Sprintf("write %q before it, or in its place", string(top.closer()))
	return p
}

// explainKey: where the name of a member must come.
func (s *scanner) explainKey() *syntaxProblem {
	switch c := s.text[s.at]; {
	case c == ',':
		return s.extraComma()
	case c == ']':
		return s.wrongCloser()
	case c == '{' || c == '[':
		return &syntaxProblem{start: s.at, end: s.at + 1, message: fmt.Sprintf("in an object { … }, a name must come before this %q", string(c)), hint: fmt.Sprintf(`write "name": %s …`, string(c))}
	case c == ':':
		return &syntaxProblem{start: s.at, end: s.at + 1, message: `there is no name before this ":"`, hint: `write "name": and the value`}
	case c == '#':
		return s.hashComment()
	}
	if p := s.otherQuotes(); p != nil {
		return p
	}
	if s.stray() {
		return s.strayMark()
	}
	word := s.word(s.at)
	if s.bareWord(word) {
		return &syntaxProblem{start: s.at, end: s.at + len(word), message: "the name " + quote(string(word)) + " must be in double quotes", hint: "write " + quote(string(word))}
	}
	return s.badCharacter(`here comes a name in double quotes or "}"`)
}

// extraComma: a comma where a name or value must come.
func (s *scanner) extraComma() *syntaxProblem {
	p := &syntaxProblem{start: s.at, end: s.at + 1, message: `there is a "," with nothing before it`, hint: "take it out", repair: []patch{{s.at, " "}}}
	if s.last > 0 && s.text[s.last-1] == ',' {
		p.message = `there are two "," in a row`
		p.hint = "take one out"
	}
	return p
}

// explainValue: what stands where a value must be isn't one. The word ends at end.
func (s *scanner) explainValue(end int) *syntaxProblem {
	c := s.text[s.at]
	switch {
	case (c == '}' || c == ']' || c == ',') && s.state == wantValue && len(s.stack) > 0:
		key := quote(decode(s.top().key))
		return &syntaxProblem{start: s.last, end: s.last, message: "the value of " + key + " is missing", hint: `write it after the ":", text in double quotes; or take ` + key + " out"}
	case c == '}' || c == ']':
		return s.wrongCloser()
	case c == ',' && len(s.stack) > 0:
		return s.extraComma()
	case c == ':' && s.state == wantValue && len(s.stack) > 0:
		return &syntaxProblem{start: s.at, end: s.at + 1, message: `this ":" is one too many`, hint: "take it out", repair: []patch{{s.at, " "}}}
	case c == '#':
		return s.hashComment()
	}
	if p := s.otherQuotes(); p != nil {
		return p
	}
	if s.stray() {
		return s.strayMark()
	}
	if p := s.otherSpelling(s.text[s.at:end]); p != nil {
		return p
	}
	if word := s.word(s.at); s.bareWord(word) {
		if len(s.stack) == 0 {
			return &syntaxProblem{start: s.at, end: s.at + len(word), message: "the file does not begin with a {", hint: "a configuration is an object in curly brackets; the smallest one is " + smallest}
		}
		return &syntaxProblem{start: s.at, end: s.at + len(s.bareText()), message: "text must be in double quotes", hint: `write " before and after it`}
	}
	return s.badCharacter("here comes a value: text in double quotes, a number, true, false, { … } or [ … ]")
}

// bareWord tells whether a word looks like text that somebody forgot to quote.
func (s *scanner) bareWord(word []byte) bool {
	r, _ := utf8.DecodeRune(word)
	return wordByte(word[0]) || strings.ContainsRune("_$@/.~*%<\\", r) || r >= utf8.RuneSelf && r != utf8.RuneError && !strings.ContainsRune(spaces, r)
}

// bareText returns all that somebody forgot to quote on this line.
func (s *scanner) bareText() []byte {
	rest := s.text[s.at:]
	if n := bytes.IndexAny(rest, "\r\n,{}[]\""); n > 0 {
		rest = rest[:n]
	}
	return bytes.TrimRight(rest, " \t")
}

// stray tells whether here is a mark that people write for something else.
func (s *scanner) stray() bool {
	switch string(s.word(s.at)) {
	case "...", "…", "/", "*/", "--":
		return true
	}
	return false
}

func (s *scanner) strayMark() *syntaxProblem {
	word := s.word(s.at)
	p := &syntaxProblem{start: s.at, end: s.at + len(word), message: quote(string(word)) + " cannot be here", hint: `a comment begins with "//", or is between "/*" and "*/"`}
	if word[0] != '/' && word[0] != '*' && word[0] != '-' {
		p.hint = "delete it, or write what has been left out"
	}
	return p
}

// spaces look like white space but are none in JSON.
const spaces = "\u00a0\u2002\u2003\u2007\u2009\u200b\u202f\u2060\u3000\ufeff"

// otherSpelling: true, false, null and numbers as other languages write them.
func (s *scanner) otherSpelling(word []byte) *syntaxProblem {
	p := &syntaxProblem{start: s.at, end: s.at + len(word), message: quote(string(word)) + " is not a value that JSON knows"}
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
		p.hint = fmt.Sprintf("write %s, or %s if it is text", value, quote(string(word)))
		if len(value) <= len(word) {
			p.repair = []patch{{s.at, value + strings.Repeat(" ", len(word)-len(value))}}
		}
		return p
	}
	first := bytes.TrimLeft(word, "+-.")
	if len(first) == 0 || first[0] < '0' || first[0] > '9' || len(s.word(s.at)) != len(word) {
		return nil
	}
	p.message = quote(string(word)) + " is not a number as JSON writes it"
	p.hint = "write for example 10 or 0.5, without leading zeros or +; or put it into double quotes if it is text"
	p.repair = []patch{{s.at, strings.Repeat(" ", len(word)-1) + "0"}}
	return p
}

// otherQuotes: text in single or typographic quotes.
func (s *scanner) otherQuotes() *syntaxProblem {
	open, size := utf8.DecodeRune(s.text[s.at:])
	if !strings.ContainsRune("'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u2032\u2033\uff02\uff07", open) {
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
	closers := map[rune]string{'\'': "'", '`': "`", '\u2018': "\u2019", '\u201a': "\u2018\u2019", '\u201c': "\u201d", '\u201e': "\u201c\u201d", '\u00ab': "\u00bb", '\u2039': "\u203a"}[open]
	if closers == "" {
		closers = string(open)
	}
	line := s.text[s.at+size:]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	// A straight quote at the end is what editors make of it when they correct only one of two.
	n := bytes.IndexAny(line, closers+`"`)
	if n < 0 || bytes.IndexByte(line[:n], '\\') >= 0 {
		return p
	}
	_, width := utf8.DecodeRune(line[n:])
	p.end = s.at + size + n + width
	if isName { // a value might be secret
		p.hint = "write " + quote(string(line[:n]))
	}
	p.repair = []patch{{s.at, strings.Repeat(" ", size-1) + `"`}, {s.at + size + n, `"` + strings.Repeat(" ", width-1)}}
	return p
}

// hashComment: a comment as in shell scripts.
func (s *scanner) hashComment() *syntaxProblem {
	n := bytes.IndexAny(s.text[s.at:], "\r\n")
	if n < 0 {
		n = len(s.text) - s.at
	}
	return &syntaxProblem{start: s.at, end: s.at + 1, message: `a comment cannot begin with "#"`, hint: `write "//" instead`, repair: []patch{{s.at, strings.Repeat(" ", n)}}}
}

// badCharacter: something that means nothing here.
func (s *scanner) badCharacter(expected string) *syntaxProblem {
	r, size := utf8.DecodeRune(s.text[s.at:])
	p := &syntaxProblem{start: s.at, end: s.at + size, message: quote(string(r)) + " cannot be here", hint: expected}
	if strings.ContainsRune(spaces, r) {
		p.message = fmt.Sprintf("there is a special kind of space here (U+%04X)", r)
		p.hint = "replace it by an ordinary space; such characters come from copying text out of web pages and documents"
		p.repair = []patch{{s.at, strings.Repeat(" ", size)}}
	}
	return p
}

// explainControl: a line break, a tab or the like in a string that began at s.at.
func (s *scanner) explainControl(at int) *syntaxProblem {
	switch c := s.text[at]; c {
	case '\n', '\r':
		p := &syntaxProblem{start: s.at, end: at, message: "this text has no closing quote on its line", hint: `write " where the text ends; a line break within text is written \n`}
		line := s.text[s.at:at]
		if bytes.HasSuffix(line, []byte(",")) {
			p.repair = []patch{{at - 1, `",`}}
		} else {
			p.repair = []patch{{at, `"`}}
		}
		return p
	case '\t':
		return &syntaxProblem{start: at, end: at + 1, message: "there is a tab within the text", hint: `write \t for a tab, or put a space there`, repair: []patch{{at, " "}}}
	default:
		return &syntaxProblem{start: at, end: at + 1, message: fmt.Sprintf("there is an invisible control character (U+%04X) within the text", c), hint: "delete it", repair: []patch{{at, " "}}}
	}
}

// explainEscape: a backslash that begins nothing known, in a string that began at s.at.
func (s *scanner) explainEscape(at int) *syntaxProblem {
	_, size := utf8.DecodeRune(s.text[at+1:])
	p := &syntaxProblem{start: at, end: at + 1 + size, message: `a single "\" cannot be here`, hint: `write "\\" for each "\", for example "C:\\Users\\me", or write paths with "/"`, repair: []patch{{at, "/"}}}
	if unit, ok := codeUnit(s.text[at:]); ok {
		p.end = at + 6
		p.message, p.hint = fmt.Sprintf(`"\u%04x" is only half of a character`, unit), "write the character itself"
		p.repair = []patch{{at, `\u0020`}}
	} else if size == 1 && s.text[at+1] == 'u' {
		p.message = `after "\u" come four hexadecimal digits`
		p.hint = `write for example \u00e9; if the backslash itself is meant, write "\\"`
	}
	return p
}
