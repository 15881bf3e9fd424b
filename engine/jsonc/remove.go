package jsonc

import "strings"

// remove returns the changes that remove child i of a container with the comments that belong to it, and
// correct the commas of the others.
func (n *Node) remove(i int) []Change {
	cut := Span{n.Children[i].lead(), n.Children[i].last()}
	if trail := n.trail(i); len(trail) > 0 {
		cut.End = trail[len(trail)-1].End
	}
	inside := Span{n.Start + 1, n.close()}
	if len(n.Children) == 1 && blank(n.doc.text, Span{inside.Start, cut.Start}) &&
		blank(n.doc.text, Span{cut.End, inside.End}) {
		return []Change{{inside.Start, inside.End, ""}}
	}
	return n.cut(i, cut)
}

// removeBare is remove without the comments.
func (n *Node) removeBare(i int) []Change {
	kid := n.Children[i]
	if kid.comma >= 0 && !blank(n.doc.text, Span{kid.End, kid.comma}) { // there is a comment before the comma
		return []Change{{kid.First(), kid.End, ""}, {kid.comma, kid.comma + 1, ""}}
	}
	return n.cut(i, Span{kid.First(), kid.last()})
}

// cut returns the changes of remove for a part of the text that contains child i and its comma.
func (n *Node) cut(i int, cut Span) []Change {
	kids := n.Children
	kid := kids[i]
	inside := Span{n.Start + 1, n.close()}
	var changes []Change
	if i > 0 && i == len(kids)-1 && kid.comma < 0 { // then the comma before it must be removed
		comma := kids[i-1].comma
		if blank(n.doc.text, Span{comma + 1, cut.Start}) {
			cut.Start = comma
		} else {
			changes = append(changes, Change{comma, comma + 1, ""})
		}
	}
	cut = widen(n.doc.text, cut, inside)
	return append(changes, Change{cut.Start, cut.End, ""})
}

// widen extends a part that is cut out by the white space that belongs to it, so that the rest looks as if it
// had never been there.
func widen(text string, cut, inside Span) Span {
	before, after := spaceBefore(text, cut.Start, inside.Start), spaceAfter(text, cut.End, inside.End)
	atOpen, atClose := before.Start == inside.Start, after.End == inside.End
	linesBefore := strings.Count(text[before.Start:before.End], "\n")
	linesAfter := strings.Count(text[after.Start:after.End], "\n")
	switch {
	case linesBefore > 0 && linesAfter > 0: // it is on its own lines
		cut.Start = lineStart(text, cut.Start)
		cut.End += strings.IndexByte(text[cut.End:], '\n') + 1
		switch {
		case linesBefore > 1 && (linesAfter > 1 || atClose): // one blank line is enough
			cut.Start = lineStart(text, cut.Start-1)
		case atOpen && linesAfter > 1:
			cut.End += strings.IndexByte(text[cut.End:], '\n') + 1
		}
	case linesBefore > 0 && atClose:
		if endsWithLineComment(text, before.Start) {
			cut.Start = lineStart(text, cut.Start)
		} else {
			cut.Start = before.Start
		}
	case linesBefore > 0 || atOpen && linesAfter == 0:
		cut.End = after.End
	default:
		cut.Start = before.Start
	}
	return cut
}

// endsWithLineComment reports whether the line that ends at an offset may end with a line comment. It may
// mistake other text for a comment, which does no harm.
func endsWithLineComment(text string, at int) bool {
	return strings.Contains(text[lineStart(text, at):at], "//")
}
