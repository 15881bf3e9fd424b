package config

import (
	"bytes"
	"slices"
)

// fitsLayout tells whether a repair of the wrong closing bracket that is next agrees with how the text is laid out: a
// bracket at the start of a line stands under the line that opened it, and what a line opens it also closes unless
// the next line is indented further.
func (s *scanner) fitsLayout(way bracketRepair) bool {
	begin := lineStart(s.text, s.at)
	if own := len(indentation(s.text[begin:])); begin+own == s.at {
		closed := len(s.stack) - way.closes
		if way.at == s.at { // the bracket that stands here closes one more
			closed--
		}
		if closed < 0 || closed == len(s.stack) {
			return false
		}
		under := func(f frame) int { return len(indentation(s.text[lineStart(s.text, f.open):])) - own }
		if closed > 0 && s.endsLine(way.at) && under(s.stack[closed-1]) >= 0 {
			return false
		}
		return under(s.stack[closed]) == 0
	}

	var due []byte // what the line has opened and not closed
	for _, f := range s.stack[:max(0, len(s.stack)-way.closes)] {
		if f.open >= begin {
			due = append(due, f.closer())
		}
	}
	end := s.at + len(lineOf(s.text[s.at:]))
	rest := scanner{text: s.text[:end], at: way.at}
	for rest.skipExtra() == nil && rest.at < end {
		switch c := rest.text[rest.at]; c {
		case '"':
			rest.at += min(textLength(rest.text[rest.at+1:])+1, end-rest.at-1)
		case '{':
			due = append(due, '}')
		case '[':
			due = append(due, ']')
		case '}', ']':
			if len(due) == 0 || due[len(due)-1] != c {
				return false
			}
			due = due[:len(due)-1]
		}
		rest.at++
	}
	next := bytes.TrimLeft(s.text[end:], "\r\n")
	deeper := len(indentation(next)) > len(indentation(s.text[begin:]))
	return deeper == (len(due) > 0)
}

// endsLine tells whether the line has nothing more but brackets, commas and a comment.
func (s *scanner) endsLine(at int) bool {
	rest := bytes.TrimLeft(lineOf(s.text[at:]), "}], \t\r")
	return len(rest) == 0 || bytes.HasPrefix(rest, []byte("//"))
}

// lineStart returns the place where the line of a place begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// indentation returns the white space that a line begins with.
func indentation(line []byte) []byte {
	n := slices.IndexFunc(line, func(c byte) bool { return c != ' ' && c != '\t' })
	if n < 0 {
		n = len(line)
	}
	return line[:n]
}
