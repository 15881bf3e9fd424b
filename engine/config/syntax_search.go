package config

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// searchBudget is how many bytes may be scanned in search of better repairs, in one document: a few milliseconds. In a text
// larger than maxSearched it would not get far.
const (
	searchBudget = 1 << 20
	maxSearched  = 256 << 10
)

// candidate is one small change around a syntax error.
type candidate struct {
	change Change
	title  string
}

// search looks for a single mark that makes all of the text right when it is added, taken out or replaced, near the next
// token. It gives the problem that repair instead of its own when that leaves something wrong: the rules that explain
// problems look at one place only, and what is wrong there often comes of a mark that is missing before. Of several, one
// that agrees with the indentation is taken.
func (s *scanner) search(p *syntaxProblem) {
	if s.budget <= 0 {
		return
	}
	best, least := candidate{}, -1
	if len(p.repair) > 0 && s.works(p.repair) {
		if least = s.illAfter(p.repair...); least == 0 {
			return
		}
	}
	own := least
	for _, c := range s.candidates() {
		if s.budget <= 0 || least == 0 {
			break
		}
		if !s.works([]Change{c.change}) {
			continue
		}
		if ill := s.illAfter(c.change); least < 0 || ill < least {
			best, least = c, ill
		}
	}
	if least == own { // nothing works, or nothing works better
		return
	}
	p.title, p.repair, p.again = "", []Change{best.change}, true
	if least <= illLaidOut(s.text) {
		p.title = best.title
	}
}

// illAfter counts the lines that are laid out ill after some changes.
func (s *scanner) illAfter(changes ...Change) int {
	text, err := ApplyChanges(s.text, changes)
	if err != nil {
		return math.MaxInt
	}
	s.budget -= len(text)
	return illLaidOut(text)
}

// works tells whether nothing else is wrong with the text once some changes are made, as long as there is budget.
func (s *scanner) works(changes []Change) bool {
	from := s.last
	if changes[0].Start < s.last {
		from = 0
	}
	trial := *s
	trial.stack = append([]frame(nil), s.stack...)
	trial.edits = s.edits[:len(s.edits):len(s.edits)]
	trial.trial = true
	trial.apply(changes)
	problem := trial.next()
	s.budget -= trial.at - from
	return problem == nil
}

// candidates lists the changes of one mark around the next token, the likelier ones first.
func (s *scanner) candidates() []candidate {
	var out []candidate
	add := func(at int, marks string) {
		for _, mark := range marks {
			out = append(out, candidate{Change{at, at, string(mark)}, fmt.Sprintf("Add the missing %q", string(mark))})
		}
	}
	replace := func(at int) {
		for _, mark := range `{}[]:,"` {
			if byte(mark) != s.text[at] {
				out = append(out, candidate{Change{at, at + 1, string(mark)}, fmt.Sprintf("Write %q instead", string(mark))})
			}
		}
	}
	remove := func(at int) {
		out = append(out, candidate{Change{Start: at, End: at + 1}, fmt.Sprintf("Remove the %q", string(s.text[at]))})
	}
	here := s.at < len(s.text) && isMark(s.text[s.at])
	before := s.last > 0 && s.last-s.begin == 1 && isMark(s.text[s.begin])
	add(s.last, "}],:")
	if s.at < len(s.text) {
		add(s.at, "{[")
	}
	if s.last > s.begin {
		add(s.begin, "{[")
	}
	if here {
		replace(s.at)
		remove(s.at)
	}
	if before {
		replace(s.begin)
		remove(s.begin)
	}
	if n := len(s.stack); n > 0 { // the bracket around may be of the wrong kind
		replace(s.stack[n-1].open)
	}
	s.budget -= len(s.text)
	if c, ok := indented(s.text); ok {
		out = append(out, c)
	}
	return out
}

func isMark(c byte) bool { return strings.IndexByte("{}[]:,", c) >= 0 }

// illLaidOut counts the lines of a text whose indentation doesn't agree with its brackets: a closing bracket at the
// start of a line stands under the line that opened it, and a line is indented further than the one before exactly when that
// left a bracket open.
func illLaidOut(text []byte) (count int) {
	layout := newLayout(text)
	for layout.next() {
		switch {
		case !layout.startsLine || layout.before < 0:
		case layout.closes():
			if n := len(layout.stack); n > 0 && layout.stack[n-1].indent != layout.indent {
				count++
			}
		case layout.opened != (layout.indent > layout.before):
			count++
		}
	}
	return count
}

// indented gives the change of one bracket that the first line asks for that is indented in another way than the brackets
// before it say, if there is such a line.
func indented(text []byte) (candidate, bool) {
	layout := newLayout(text)
	last, end := -1, 0 // the last closing bracket, and the end of the last token that is no comma
	for layout.next() {
		n := len(layout.stack)
		if layout.startsLine && layout.before >= 0 && n > 0 && !layout.opened {
			top := layout.stack[n-1]
			switch {
			case layout.indent < top.indent, layout.indent == top.indent && !layout.closes():
				return candidate{Change{end, end, string(top.closer)}, fmt.Sprintf("Add the missing %q", string(top.closer))}, true
			case layout.indent > top.inner && top.inner > top.indent && !layout.closes() && last >= 0,
				layout.indent > top.indent && layout.closes() && last >= 0:
				return candidate{Change{Start: last, End: last + 1}, fmt.Sprintf("Remove the %q", string(text[last]))}, true
			}
		}
		if layout.closes() {
			last = layout.at
		}
		if text[layout.at] != ',' {
			end = layout.at + layout.length
		}
	}
	return candidate{}, false
}

// layout goes through the tokens of a text by its lines.
type layout struct {
	rest  scanner
	stack []level

	at, length     int  // of the token
	startsLine     bool // it is the first of its line
	indent, before int  // of its line, and of the last line before it that had a token, else -1
	opened         bool // the token before it opened a bracket
	line           int
}

// level is a bracket that is open.
type level struct {
	indent int // of the line that opened it
	inner  int // of the first line within it, or 0
	closer byte
}

func newLayout(text []byte) *layout {
	return &layout{rest: scanner{text: text}, indent: -1, before: -1, line: -1}
}

func (l *layout) closes() bool { c := l.rest.text[l.at]; return c == '}' || c == ']' }

// next goes on to the next token, and reports whether there is one. The brackets on the stack are those before it.
func (l *layout) next() bool {
	text := l.rest.text
	if l.length > 0 {
		l.opened = false
		switch c := text[l.at]; c {
		case '{', '[':
			l.stack = append(l.stack, level{indent: l.indent, closer: c + 2})
			l.opened = true
		case '}', ']':
			l.stack = l.stack[:max(0, len(l.stack)-1)]
		}
	}
	if l.rest.skipExtra() != nil || l.rest.at >= len(text) {
		return false
	}
	begin := max(l.line, 0)
	if n := bytes.LastIndexByte(text[l.at:l.rest.at], '\n'); n >= 0 { // not from the start of the line, which may be the whole text
		begin = l.at + n + 1
	}
	l.at = l.rest.at
	if l.startsLine = begin != l.line; l.startsLine {
		l.line, l.before, l.indent = begin, l.indent, l.at-begin
		if n := len(l.stack); n > 0 && l.stack[n-1].inner == 0 {
			l.stack[n-1].inner = l.indent
		}
	}
	l.length = 1
	switch text[l.at] {
	case '"':
		l.length += min(textLength(text[l.at+1:])+1, len(text)-l.at-1)
	case '{', '[', '}', ']', ',':
	default:
		if n := bytes.IndexAny(text[l.at:], "\"{}[], \t\r\n"); n > 0 {
			l.length = n
		}
	}
	l.rest.at = l.at + l.length
	return true
}
