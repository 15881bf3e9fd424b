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
	where := s.whereOpened()
	p.message = fmt.Sprintf("the file ends, but the %q of line %d, column %d is not closed", opener, where.line, where.column)
	p.hint = fmt.Sprintf("add the missing %s where it belongs; every { needs a }, every [ a ]", quote(s.closers()))
	switch s.state {
	case wantValue:
		p.message = "the file ends after a \":\", where a value must come; " + strings.TrimPrefix(p.message, "the file ends, but ")
	case wantColon:
		p.message = "the file ends after the name " + s.sayKey() + ", which has no value; " + strings.TrimPrefix(p.message, "the file ends, but ")
	}
	switch s.state {
	case wantCommaOrEnd, wantKey, wantElement:
		p.title, p.repair = "Add the missing "+quote(s.closers()), []Change{{s.last, s.last, s.closingLines()}}
	case wantValue:
		p.repair = []Change{{s.last, s.last, " null" + s.closingLines()}}
	case wantColon:
		p.repair = []Change{{s.last, s.last, ": null" + s.closingLines()}}
	}
	return p
}

// closingLines returns the brackets that would close everything that is open, each on a line of its
// own if the one that it closes is.
func (s *scanner) closingLines() string {
	newline := "\n"
	if bytes.Contains(s.text, []byte("\r\n")) {
		newline = "\r\n"
	}
	var b strings.Builder
	for i := len(s.stack) - 1; i >= 0; i-- {
		open := s.stack[i].open
		if bytes.IndexByte(s.text[open:s.last], '\n') >= 0 {
			line := s.text[bytes.LastIndexByte(s.text[:open], '\n')+1 : open]
			b.WriteString(newline)
			b.Write(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
		}
		b.WriteByte(s.stack[i].closer())
	}
	return b.String()
}

// whereOpened says where in the source the innermost open bracket is.
func (s *scanner) whereOpened() position {
	where := position{line: 1, column: 1}
	where.advance(s.source, s.original(s.top().open))
	return where
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
		if remove := (Change{Start: s.at, End: s.at + 1}); s.onlyClosersFollow() {
			p.title, p.repair = "Remove the "+quote(string(c)), []Change{remove}
		} else {
			s.reopen(p)
		}
	case c == ',':
		p.message, p.hint = `there is a "," after the end of the configuration`, "take it out"
		rest := scanner{text: s.text, at: s.at + 1}
		if problem := rest.skipExtra(); problem == nil && rest.at == len(s.text) {
			p.title, p.repair = "Remove the comma", []Change{{Start: s.at, End: s.at + 1}}
		} else {
			p.hint = `what follows must be inside the first { … }: look above for a "}" that closes too early`
			s.reopen(p)
		}
	case c == ':':
		first := scanner{text: s.text}
		_ = first.skipExtra() // it has been passed already
		p.start, p.end = first.at, first.at+1
		p.message, p.hint = "the file does not begin with a {", "put { before the first name and } at the end of the file"
		p.title, p.repair, p.again = "Put { and } around it", s.braces(first.at), true
	case c == '{':
		p.message, p.hint = "a second configuration begins here", "a file holds one { … }; move what is needed into the first and delete the rest"
		p.repair = s.withoutRest()
	default:
		p.message, p.hint = "there is more text after the end of the configuration", `delete it, or look above for a "}" that closes too early`
		if c == '#' {
			return s.hashComment()
		}
		s.reopen(p)
	}
	return p
}

// reopen makes good that a bracket closed the configuration too early: what follows belongs into it.
func (s *scanner) reopen(p *syntaxProblem) {
	rest := scanner{text: s.text, at: s.at}
	for rest.at < len(s.text) && (s.text[rest.at] == '}' || s.text[rest.at] == ']') {
		rest.at++
		if rest.skipExtra() != nil {
			break
		}
	}
	between := s.text[s.at:rest.at]
	kept := bytes.Map(func(r rune) rune { // the lines stay, the brackets go
		if r == '}' || r == ']' {
			return ' '
		}
		return r
	}, between)
	if s.text[s.begin] == '}' && rest.at < len(s.text) && (s.text[rest.at] == ',' || s.text[rest.at] == '"') {
		changes := []Change{{Start: s.begin, End: s.last}}
		if s.text[rest.at] == '"' {
			kept = append([]byte(","), kept...)
		}
		if !bytes.Equal(kept, between) {
			changes = append(changes, Change{s.at, rest.at, string(kept)})
		}
		p.repair, p.again = changes, true
		if s.leadsToEnd(changes...) {
			p.title = "Remove what closes too early"
			return
		}
		if s.wrongBrackets(bracketRepair{at: rest.at, reopens: true}) == 0 {
			return
		}
	}
	p.repair, p.again = s.withoutRest(), false
}

// withoutRest leaves out all that follows.
func (s *scanner) withoutRest() []Change { return []Change{{Start: s.last, End: len(s.text)}} }

// offer repairs a problem, and makes that a fix when nothing else is wrong then.
func (s *scanner) offer(p *syntaxProblem, title string, changes ...Change) {
	p.repair = changes
	if s.leadsToEnd(changes...) {
		p.title = title
	}
}

// onlyClosersFollow tells whether there is nothing left but brackets that close nothing.
func (s *scanner) onlyClosersFollow() bool {
	rest := scanner{text: s.text, at: s.at}
	for rest.at < len(s.text) {
		if c := s.text[rest.at]; c == '}' || c == ']' {
			rest.at++
		} else if before := rest.at; rest.skipExtra() != nil || rest.at == before {
			return false
		}
	}
	return true
}

// braces puts the whole text from a place on into braces.
func (s *scanner) braces(from int) []Change {
	end := len(bytes.TrimRight(s.text, " \t\r\n"))
	closing := "}"
	if line := s.text[bytes.LastIndexByte(s.text[:end], '\n')+1 : end]; bytes.Contains(line, []byte("//")) {
		closing = "\n}"
	}
	return []Change{{from, from, "{"}, {end, end, closing}}
}

// explainColon: after the name of a member.
func (s *scanner) explainColon() *syntaxProblem {
	key := s.sayKey()
	switch c := s.text[s.at]; c {
	case '=':
		n := 1
		if bytes.HasPrefix(s.text[s.at:], []byte("=>")) {
			n = 2
		}
		return &syntaxProblem{start: s.at, end: s.at + n, message: `there must be a ":" between the name ` + key + " and its value", hint: `write ":" instead of "="`,
			title: "Write a colon", repair: []Change{{s.at, s.at + n, ":"}}}
	case ',', '}', ']':
		return &syntaxProblem{start: s.last, end: s.last, message: "the name " + key + " has no value", hint: "write " + key + ": and its value; in a group { … } everything is a name with a value",
			repair: []Change{{s.last, s.last, ": null"}}}
	default:
		return &syntaxProblem{start: s.last, end: s.last, message: `a ":" is missing after the name ` + key, hint: "write " + key + ": before the value",
			title: "Add the colon", repair: []Change{{s.last, s.last, ":"}}}
	}
}

// explainComma: after a value in an object or array, where "," or the closing bracket must come.
func (s *scanner) explainComma() *syntaxProblem {
	top := s.top()
	switch c := s.text[s.at]; {
	case c == ';':
		return &syntaxProblem{start: s.at, end: s.at + 1, message: `there is a ";" where a "," must be`, hint: `write "," instead`, title: "Write a comma", repair: []Change{{s.at, s.at + 1, ","}}}
	case c == '}' || c == ']':
		return s.wrongCloser()
	case c == ':' && !top.object:
		return s.nameInArray()
	case c == ':':
		return &syntaxProblem{start: s.at, end: s.at + 1, message: `this ":" is one too many`, hint: `after a value comes "," or "}"`, title: "Remove the colon", repair: []Change{{Start: s.at, End: s.at + 1}}}
	case c == '#':
		return s.hashComment()
	case s.text[s.last-1] == '"' && s.last == s.at && wordByte(c):
		return &syntaxProblem{start: s.last - 1, end: s.last, message: `the text ends at this quote, but more follows`, hint: `to have a quote within text, write \"; otherwise take it out`,
			repair: s.quotesWithin()}
	case s.stray():
		return s.strayMark()
	case c == '=' || c == '+' || c == '\\':
		return s.badCharacter(`after a value comes "," or ` + fmt.Sprintf("%q", string(top.closer())))
	}
	p := &syntaxProblem{start: s.last, end: s.last, message: `a "," is missing here`, hint: `write "," between two entries`}
	p.repair = []Change{{s.last, s.last, ","}}
	if s.entryFollows(top.object) {
		p.title = "Add the comma"
	}
	return p
}

// entryFollows tells whether what comes next looks like another member or element.
func (s *scanner) entryFollows(object bool) bool {
	r, _ := utf8.DecodeRune(s.text[s.at:])
	if r == '"' || strings.ContainsRune(otherQuoteMarks, r) {
		return true
	}
	word := s.text[s.at:]
	n := 0
	for n < len(word) && wordByte(word[n]) {
		n++
	}
	return !object && (r == '{' || r == '[' || validWord(word[:n]))
}

// explainKey: where the name of a member must come.
func (s *scanner) explainKey() *syntaxProblem {
	switch c := s.text[s.at]; {
	case c == ',':
		return s.extraComma()
	case c == ']':
		return s.wrongCloser()
	case c == '{' || c == '[':
		return &syntaxProblem{start: s.at, end: s.at + 1, message: fmt.Sprintf("in a group { … }, a name must come before this %q", string(c)), hint: fmt.Sprintf(`write "name": %s …`, string(c)),
			repair: []Change{{s.at, s.at, `"": `}}}
	case c == ':':
		return &syntaxProblem{start: s.at, end: s.at + 1, message: `there is no name before this ":"`, hint: `write "name": and the value`,
			repair: []Change{{s.at, s.at, `""`}}}
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
		p := &syntaxProblem{start: s.at, end: s.at + len(word), message: "the name " + s.sayName(word) + " must be in double quotes", hint: "write " + s.sayName(word)}
		rest := bytes.TrimLeft(s.text[s.at+len(word):], " \t\r\n")
		switch {
		case bytes.HasPrefix(rest, []byte(`"`)) && bytes.HasPrefix(bytes.TrimLeft(rest[1:], " \t"), []byte(":")): // only the first is missing
			p.title, p.repair = "Add the first quote", []Change{{s.at, s.at, `"`}}
		case bytes.HasPrefix(rest, []byte(":")) && bytes.IndexByte(word, '\\') < 0:
			p.title, p.repair = "Put it into double quotes", []Change{{s.at, s.at, `"`}, {s.at + len(word), s.at + len(word), `"`}}
		default:
			p.repair = []Change{{s.at, s.at + len(word), `""`}}
			if len(rest) == 0 || bytes.IndexByte([]byte(",}]"), rest[0]) >= 0 {
				p.repair[0].New = `"": null`
			}
		}
		return p
	}
	return s.badCharacter(`here comes a name in double quotes or "}"`)
}

// extraComma: a comma where a name or value must come.
func (s *scanner) extraComma() *syntaxProblem {
	p := &syntaxProblem{start: s.at, end: s.at + 1, message: `there is a "," with nothing before it`, hint: "take it out", title: "Remove the comma", repair: []Change{{Start: s.at, End: s.at + 1}}}
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
		key := s.sayKey()
		return &syntaxProblem{start: s.last, end: s.last, message: "the value of " + key + " is missing", hint: `write it after the ":", text in double quotes; or take ` + key + " out",
			repair: []Change{{s.last, s.last, " null"}}}
	case c == '}' || c == ']':
		return s.wrongCloser()
	case c == ',' && len(s.stack) > 0:
		return s.extraComma()
	case c == ':' && s.state == wantValue && len(s.stack) > 0:
		return &syntaxProblem{start: s.at, end: s.at + 1, message: `this ":" is one too many`, hint: "take it out", title: "Remove the colon", repair: []Change{{Start: s.at, End: s.at + 1}}}
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
			p := &syntaxProblem{start: s.at, end: s.at + len(word), message: "the file does not begin with a {", hint: "a configuration is a group in curly brackets; the smallest one is " + smallest}
			if n := bytes.IndexByte(lineOf(s.text[s.at:]), '{'); n > 0 {
				s.offer(p, "Remove what stands before it", Change{Start: s.at, End: s.at + n})
			}
			return p
		}
		return s.unquoted()
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
	end := s.at + len(word)
	switch {
	case word[0] == '/' || word[0] == '-': // rather a comment than anything else
		if line := lineOf(s.text[s.at:]); !bytes.ContainsAny(line, `{}[]"`) {
			end = s.at + len(line)
		}
	case word[0] != '*':
		p.hint = "delete it, or write what has been left out"
	}
	p.repair = []Change{{Start: s.at, End: end}}
	return p
}

// spaces look like white space but are none in JSON.
const spaces = "\u00a0\u2002\u2003\u2007\u2009\u200b\u202f\u2060\u3000\ufeff"

// hashComment: a comment as in shell scripts.
func (s *scanner) hashComment() *syntaxProblem {
	return &syntaxProblem{start: s.at, end: s.at + 1, message: `a comment cannot begin with "#"`, hint: `write "//" instead`, title: "Make it a // comment", repair: []Change{{s.at, s.at + 1, "//"}}}
}

// badCharacter: something that means nothing here.
func (s *scanner) badCharacter(expected string) *syntaxProblem {
	r, size := utf8.DecodeRune(s.text[s.at:])
	p := &syntaxProblem{start: s.at, end: s.at + size, message: quote(string(r)) + " cannot be here", hint: expected,
		repair: []Change{{Start: s.at, End: s.at + size}}}
	if strings.ContainsRune(spaces, r) {
		p.message = fmt.Sprintf("there is a special kind of space here (U+%04X)", r)
		p.hint = "replace it by an ordinary space; such characters come from copying text out of web pages and documents"
		p.title, p.repair = "Make it an ordinary space", []Change{{s.at, s.at + size, " "}}
	}
	return p
}

// explainControl: a line break, a tab or the like in a string that began at s.at.
func (s *scanner) explainControl(at int) *syntaxProblem {
	switch c := s.text[at]; c {
	case '\n', '\r':
		p := &syntaxProblem{start: s.at, end: at, message: "this text has no closing quote on its line", hint: `write " where the text ends; a line break within text is written \n`}
		inside := s.text[s.at+1 : at]
		if n := textLength(inside); n < len(inside) { // "C:\folder\" without a second backslash
			backslash := s.at + n
			return &syntaxProblem{start: backslash, end: backslash + 1, message: singleBackslash, hint: doubleHint,
				title: "Double the backslashes", repair: doubleBackslashes(inside[:n], s.at+1)}
		}
		if n := nameEnd(inside); s.state == wantKey && n > 0 {
			p.title, p.repair = "Add the closing quote", []Change{{s.at + 1 + n, s.at + 1 + n, `"`}}
			return p
		}
		end := at
		if bytes.HasSuffix(s.text[s.at:at], []byte(",")) {
			end--
		}
		// What closes brackets at the end of the line may be rather that than part of the text.
		if inner := s.at + len(bytes.TrimRight(s.text[s.at:end], " \t}],")); inner < end && s.leadsToEnd(Change{inner, inner, `"`}) {
			end = inner
		}
		p.title, p.repair = "Add the closing quote", []Change{{end, end, `"`}}
		return p
	case '\t':
		return &syntaxProblem{start: at, end: at + 1, message: "there is a tab within the text", hint: `write \t for a tab, or put a space there`, title: `Write \t`, repair: []Change{{at, at + 1, `\t`}}}
	default:
		return &syntaxProblem{start: at, end: at + 1, message: fmt.Sprintf("there is an invisible control character (U+%04X) within the text", c), hint: "delete it", title: "Remove the character", repair: []Change{{Start: at, End: at + 1}}}
	}
}

// nameEnd returns the length of the name in a text that should have ended with it, or 0.
func nameEnd(text []byte) int {
	n := bytes.IndexByte(text, ':')
	if n <= 0 || n+1 < len(text) && bytes.IndexByte([]byte(" \t{[\""), text[n+1]) < 0 {
		return 0
	}
	return len(bytes.TrimRight(text[:n], " \t"))
}
