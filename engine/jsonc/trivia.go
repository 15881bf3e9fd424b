package jsonc

import (
	"slices"
	"strings"
)

// The comments between the members of an object must be divided among them. The rule follows what people see:
// a member owns the comment lines directly above it, the comments before it on its line, and those after it
// on its line. A comment with a blank line below it is a heading: it belongs to no member and stays.

// triviaKind is a kind of text that has no meaning for programs.
type triviaKind int

const (
	newline triviaKind = iota
	lineComment
	blockComment
)

// trivia is a comment or a line end. There is only white space between them.
type trivia struct {
	kind triviaKind
	Span
}

// extras returns the comments and line ends in a part of a text that has nothing else.
func extras(text string, from, to int) []trivia {
	var out []trivia
	for at := from; at < to; {
		switch text[at] {
		case '\n':
			start := at
			if at > from && text[at-1] == '\r' {
				start--
			}
			out = append(out, trivia{newline, Span{start, at + 1}})
			at++
		case '/':
			kind, end := lineComment, skipComment(text, at)
			if text[at+1] == '*' {
				kind = blockComment
			}
			next := end
			if kind == lineComment && end > at && text[end-1] == '\r' {
				end--
			}
			out = append(out, trivia{kind, Span{at, end}})
			at = next
		default:
			at++
		}
	}
	return out
}

// firstLine returns the part before the first line end. found is false if there is none.
func firstLine(extras []trivia) (line []trivia, found bool) {
	for i, t := range extras {
		if t.kind == newline {
			return extras[:i], true
		}
	}
	return extras, false
}

func hasLineComment(extras []trivia) bool {
	return slices.ContainsFunc(extras, func(t trivia) bool { return t.kind == lineComment })
}

// startsLine reports whether a node is the first of its container on its line.
func (n *Node) startsLine() bool {
	_, found := firstLine(extras(n.doc.text, n.gap, n.First()))
	return found
}

// lead returns where the comments before a node that belong to it begin, or where the node begins if there
// are none.
func (n *Node) lead() int {
	between := extras(n.doc.text, n.gap, n.First())
	start := n.First()
	if _, found := firstLine(between); !found {
		if len(between) > 0 {
			start = between[0].Start
		}
		return start
	}
	i := len(between) - 1
	for ; between[i].kind != newline; i-- { // its own line
		start = between[i].Start
	}
	for { // the lines above it
		line := start
		for i--; i >= 0 && between[i].kind != newline; i-- {
			line = between[i].Start
		}
		if i < 0 || line == start { // the first line belongs to the previous member, or the line is blank
			return start
		}
		start = line
	}
}

// behind returns what is between child i of a container and the next child or the closing bracket.
func (n *Node) behind(i int) []trivia {
	kids := n.Children
	end := n.close()
	if i+1 < len(kids) {
		end = kids[i+1].First()
	}
	return extras(n.doc.text, kids[i].last(), end)
}

// trail returns the comments after the comma of child i that belong to it.
func (n *Node) trail(i int) []trivia {
	line, found := firstLine(n.behind(i))
	switch {
	case !found && i+1 < len(n.Children):
		return nil // they belong to the next member on the same line
	case found && !n.Children[i].startsLine() && i > 0:
		return nil // they may be about the whole line
	}
	return line
}

// lineStart returns the beginning of the line that contains an offset.
func lineStart(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	if start == 0 && strings.HasPrefix(text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	return start
}

// Indentation returns the white space at the beginning of the line that contains an offset.
func Indentation(text string, at int) string {
	start := lineStart(text, at)
	end := start
	for end < at && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return text[start:end]
}

// spaceBefore and spaceAfter return the white space around an offset, within limits.
func spaceBefore(text string, at, limit int) Span {
	start := at
	for start > limit && strings.IndexByte(" \t\r\n", text[start-1]) >= 0 {
		start--
	}
	return Span{start, at}
}

func spaceAfter(text string, at, limit int) Span {
	end := at
	for end < limit && strings.IndexByte(" \t\r\n", text[end]) >= 0 {
		end++
	}
	return Span{at, end}
}

// blank reports whether a part of the text is only white space.
func blank(text string, s Span) bool {
	return spaceAfter(text, s.Start, s.End).End == s.End
}
