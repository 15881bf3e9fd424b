package jsonc

import (
	"slices"
	"strings"
)

// What stands between the members of an object has to be shared out among them. The rule is the eye's:
// to a member belong the comment lines directly above it, what is before it on its own line, and the
// comments behind it on its line. A comment with a blank line below it is a heading: it belongs
// to nobody and stays.

// triviaKind is a kind of what means nothing to a machine.
type triviaKind int

const (
	newline triviaKind = iota
	lineComment
	blockComment
)

// trivia is a comment or a line end. White space is what lies between.
type trivia struct {
	kind triviaKind
	Span
}

// extras returns the comments and line ends in a stretch of a text that has nothing else.
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

// firstLine splits off what comes before the first line end. Found reports whether there is one.
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

// lead returns where the comments begin that belong to a node and stand before it, or the node
// itself when there are none.
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
	for { // the lines above
		line := start
		for i--; i >= 0 && between[i].kind != newline; i-- {
			line = between[i].Start
		}
		if i < 0 || line == start { // the first line belongs to what is before; or it is blank
			return start
		}
		start = line
	}
}

// behind returns what follows child i of a container, up to the next child or the closing bracket.
func (n *Node) behind(i int) []trivia {
	kids := n.Children
	end := n.close()
	if i+1 < len(kids) {
		end = kids[i+1].First()
	}
	return extras(n.doc.text, kids[i].last(), end)
}

// trail returns the comments that belong to child i of a container and stand after its comma.
func (n *Node) trail(i int) []trivia {
	line, found := firstLine(n.behind(i))
	switch {
	case !found && i+1 < len(n.Children):
		return nil // they belong to the next on the same line
	case found && !n.Children[i].startsLine() && i > 0:
		return nil // they may be about the whole line
	}
	return line
}

// lineStart returns where the line of a place begins.
func lineStart(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	if start == 0 && strings.HasPrefix(text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	return start
}

// Indentation returns the white space that the line of a place begins with.
func Indentation(text string, at int) string {
	start := lineStart(text, at)
	end := start
	for end < at && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return text[start:end]
}

// spaceBefore and spaceAfter return the white space around a place, within limits.
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

// blank reports whether a stretch is white space only.
func blank(text string, s Span) bool {
	return spaceAfter(text, s.Start, s.End).End == s.End
}
