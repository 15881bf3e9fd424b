package config

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// wrongCloser: a closing bracket that isn't that of what is open.
func (s *scanner) wrongCloser() *syntaxProblem {
	c := s.text[s.at]
	p := &syntaxProblem{start: s.at, end: s.at + 1}
	if len(s.stack) == 0 {
		p.message, p.hint = fmt.Sprintf("%q closes nothing", string(c)), "the configuration begins with {; the smallest one is "+smallest
		if bytes.IndexByte(s.text[s.at:], '{') > 0 {
			s.offer(p, "Remove the "+quote(string(c)), Change{Start: s.at, End: s.at + 1})
		}
		return p
	}
	top := s.top()
	opener := "["
	if top.object {
		opener = "{"
	}
	where := s.whereOpened()
	p.message = fmt.Sprintf("%q cannot close the %q of line %d, column %d", string(c), opener, where.line, where.column)
	p.hint = fmt.Sprintf("write %q before it, or in its place", string(top.closer()))
	if s.trial {
		return p
	}
	best := s.bracketRepair()
	p.title, p.repair = best.title, []Change{best.change}
	if best.change.New == "" {
		p.hint = "take it out"
	}
	return p
}

// bracketRepair is one way to make good a wrong closing bracket.
type bracketRepair struct {
	change Change
	title  string
	closes int // how many of the open brackets
	at     int // where the text goes on
	wrong  int // how many brackets are wrong after it

	reopens bool // the configuration, which had come to its end
}

// bracketRepair chooses what to do about the wrong closing bracket that is next: that which leaves nothing else wrong,
// else that which leaves the other brackets matching best. Where that says nothing, a bracket that is that of what is
// around has one missing before it.
func (s *scanner) bracketRepair() bracketRepair {
	c, due := s.text[s.at], string(s.top().closer())
	instead := bracketRepair{change: Change{s.at, s.at + 1, due}, title: "Write " + quote(due) + " instead", closes: 1, at: s.at + 1}
	remove := bracketRepair{change: Change{Start: s.at, End: s.at + 1}, title: "Remove the " + quote(string(c)), closes: 0, at: s.at + 1}
	ways := []bracketRepair{instead, remove}
	if n := len(s.stack); n > 1 && s.stack[n-2].closer() == c {
		before := bracketRepair{change: Change{s.last, s.last, due}, title: "Add the missing " + quote(due), closes: 1, at: s.at}
		ways = []bracketRepair{before, instead, remove}
		between := len(s.text[s.at+1:]) - len(bytes.TrimLeft(s.text[s.at+1:], " \t\r\n"))
		if next := s.at + 1 + between; next < len(s.text) && s.text[next] == due[0] {
			swapped := due + string(s.text[s.at+1:next]) + string(c)
			swap := bracketRepair{change: Change{s.at, next + 1, swapped}, title: "Swap the brackets to " + quote(due+string(c)), closes: 2, at: next + 1}
			ways = []bracketRepair{before, swap, instead, remove}
		}
	}
	for _, way := range ways {
		if s.leadsToEnd(way.change) {
			return way
		}
	}
	if fitting := slices.DeleteFunc(slices.Clone(ways), func(way bracketRepair) bool { return !s.fitsLayout(way) }); len(fitting) > 0 {
		ways = fitting
	}
	for i := range ways {
		ways[i].wrong = s.wrongBrackets(ways[i])
	}
	return slices.MinFunc(ways, func(a, b bracketRepair) int { return cmp.Compare(a.wrong, b.wrong) })
}

// maxWrongBrackets is how many are counted. Where there are more, nothing can be told from them.
const maxWrongBrackets = 8

// wrongBrackets returns how many brackets after a repair are wrong or missing, whatever else is wrong
// there.
func (s *scanner) wrongBrackets(way bracketRepair) (wrong int) {
	due := make([]byte, len(s.stack), maxDepth)
	for i := range s.stack {
		due[i] = s.stack[i].closer()
	}
	due = due[:len(due)-way.closes]
	if way.reopens {
		due = append(due, '}')
	}
	rest := scanner{text: s.text, at: way.at}
	for wrong < maxWrongBrackets {
		if rest.skipExtra() != nil {
			return wrong + len(due)
		}
		switch {
		case rest.at == len(rest.text):
			return wrong + len(due)
		case len(due) == 0: // and something follows
			return wrong + 1
		}
		switch c := rest.text[rest.at]; c {
		case '"':
			// A text without closing quote ends with its line.
			line := lineOf(rest.text[rest.at+1:])
			rest.at += 1 + min(textLength(line)+1, len(line))
			continue
		case '{':
			due = append(due, '}')
		case '[':
			due = append(due, ']')
		case '}', ']':
			n := len(due)
			if due[n-1] != c {
				wrong++
				if n > 1 && due[n-2] == c {
					n--
				}
			}
			due = due[:n-1]
		case '/': // of an address without quotes, not of a comment
		default:
			if n := bytes.IndexAny(rest.text[rest.at:], "\"{}[]/ \t\r\n"); n > 0 {
				rest.at += n
				continue
			}
		}
		rest.at++
	}
	return wrong
}

// nameInArray: a name with a colon among the elements of an array, which mostly is one that was not closed.
func (s *scanner) nameInArray() *syntaxProblem {
	p := &syntaxProblem{start: s.begin, end: s.at + 1, message: `a name with ":" cannot be in a list [ … ]`, hint: `close the list with "]" before it, or write { … } instead of [ … ] around names with values`}
	top := s.top()
	n := len(s.stack)
	if top.comma > top.open && n > 1 && s.stack[n-2].object {
		p.title, p.repair = "Close the list before it", []Change{{top.comma, top.comma, "]"}}
		return p
	}
	if end := s.arrayEnd(); end > 0 {
		s.offer(p, "Write { } instead of [ ]", Change{top.open, top.open + 1, "{"}, Change{end, end + 1, "}"})
		return p
	}
	p.repair = []Change{{s.at, s.at + 1, ","}}
	return p
}

// arrayEnd returns the place of the bracket that closes the innermost array, or 0. What is within it is not looked at
// closely.
func (s *scanner) arrayEnd() int {
	depth := 1
	rest := scanner{text: s.text, at: s.at + 1}
	for rest.skipExtra() == nil && rest.at < len(rest.text) {
		switch rest.text[rest.at] {
		case '"':
			line := lineOf(rest.text[rest.at+1:])
			rest.at += min(textLength(line)+1, len(line))
		case '[', '{':
			depth++
		case ']', '}':
			depth--
			if depth == 0 {
				if rest.text[rest.at] == ']' {
					return rest.at
				}
				return 0
			}
		}
		rest.at++
	}
	return 0
}
