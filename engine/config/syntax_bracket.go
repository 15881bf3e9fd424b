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
	closes bool // what is open
	at     int  // where the text goes on
	wrong  int  // how many brackets are wrong after it
}

// bracketRepair chooses what to do about the wrong closing bracket that is next: that which leaves
// nothing else wrong. Else a bracket that is that of what is around has one missing before it, and
// another is what leaves the other brackets matching best.
func (s *scanner) bracketRepair() bracketRepair {
	c, due := s.text[s.at], string(s.top().closer())
	before := bracketRepair{Change{s.last, s.last, due}, "Add the missing " + quote(due), true, s.at, 0}
	instead := bracketRepair{Change{s.at, s.at + 1, due}, "Write " + quote(due) + " instead", true, s.at + 1, 0}
	remove := bracketRepair{Change{Start: s.at, End: s.at + 1}, "Remove the " + quote(string(c)), false, s.at + 1, 0}
	ways := []bracketRepair{instead, remove}
	if n := len(s.stack); n > 1 && s.stack[n-2].closer() == c {
		ways = []bracketRepair{before, instead, remove}
	}
	for _, way := range ways {
		if s.leadsToEnd(way.change) {
			return way
		}
	}
	if ways[0].change == before.change {
		return before
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
	if way.closes {
		due = due[:len(due)-1]
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
