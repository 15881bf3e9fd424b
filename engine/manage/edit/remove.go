package edit

import "bytes"

// remove returns the changes that take child i out of a container, with the comments that belong to
// it, and leave the commas of the others right.
func (n *node) remove(i int) []Change {
	kids := n.kids()
	kid := kids[i]
	inside := span{n.value.start + 1, n.close()}
	cut := span{kid.lead(), kid.last()}
	if trail := n.trail(i); len(trail) > 0 {
		cut.end = trail[len(trail)-1].end
	}
	if len(kids) == 1 && blank(n.text, span{inside.start, cut.start}) && blank(n.text, span{cut.end, inside.end}) {
		return []Change{{inside.start, inside.end, ""}}
	}
	var changes []Change
	if i > 0 && i == len(kids)-1 && kid.comma < 0 { // then the comma before must go
		comma := kids[i-1].comma
		if blank(n.text, span{comma + 1, cut.start}) {
			cut.start = comma
		} else {
			changes = append(changes, Change{comma, comma + 1, ""})
		}
	}
	cut = widen(n.text, cut, inside)
	return append(changes, Change{cut.start, cut.end, ""})
}

// widen adds to something that is cut out the white space that goes with it, so that what is left looks as
// if it had never been there.
func widen(text []byte, cut, inside span) span {
	before, after := spaceBefore(text, cut.start, inside.start), spaceAfter(text, cut.end, inside.end)
	atOpen, atClose := before.start == inside.start, after.end == inside.end
	linesBefore := bytes.Count(text[before.start:before.end], []byte("\n"))
	linesAfter := bytes.Count(text[after.start:after.end], []byte("\n"))
	switch {
	case linesBefore > 0 && linesAfter > 0: // it has lines of its own
		cut.start = lineStart(text, cut.start)
		cut.end += bytes.IndexByte(text[cut.end:], '\n') + 1
		switch {
		case linesBefore > 1 && (linesAfter > 1 || atClose): // one blank line is enough
			cut.start = lineStart(text, cut.start-1)
		case atOpen && linesAfter > 1:
			cut.end += bytes.IndexByte(text[cut.end:], '\n') + 1
		}
	case linesBefore > 0 && atClose:
		if endsWithLineComment(text, before.start) {
			cut.start = lineStart(text, cut.start)
		} else {
			cut.start = before.start
		}
	case linesBefore > 0 || atOpen && linesAfter == 0:
		cut.end = after.end
	default:
		cut.start = before.start
	}
	return cut
}

// endsWithLineComment tells whether the line that ends at a place may end with a line comment. It may
// be wrong about a text that looks like one, which does no harm.
func endsWithLineComment(text []byte, at int) bool {
	return bytes.Contains(text[lineStart(text, at):at], []byte("//"))
}
