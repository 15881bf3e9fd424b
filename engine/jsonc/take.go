package jsonc

import "strings"

// take returns child i of an object as an insertion under a name, with the comments that belong to it unless
// bare is set.
func (n *Node) take(i int, name string, bare bool) insertion {
	kid := n.Children[i]
	text := n.doc.text
	in := insertion{}
	start := kid.First()
	if !bare {
		start = kid.lead()
		_, in.ownLines = firstLine(extras(text, start, kid.First()))
		in.trail = n.trailText(i)
	}
	taken := text[start:kid.End]
	if kid.Key != name {
		taken = text[start:kid.Name.Start] + Quote(name) + text[kid.Name.End:kid.End]
	}
	indent := Indentation(text, kid.First())
	unit, _ := kid.unit()
	in.write = func(to, unitTo string, _ bool) string {
		return reindent(taken, indent, to, unit, unitTo)
	}
	return in
}

// trailText returns the comments after child i, before and after its comma, with the white space before them.
func (n *Node) trailText(i int) string {
	kid, text := n.Children[i], n.doc.text
	var b strings.Builder
	at, open := kid.End, false
	comments := n.trail(i)
	if kid.comma >= 0 {
		comments = append(extras(text, at, kid.comma), comments...)
	}
	for _, t := range comments {
		if t.kind == newline {
			continue
		}
		space := text[at:t.Start]
		if kid.comma >= at && kid.comma < t.Start {
			space = text[kid.comma+1 : t.Start]
		}
		if open && strings.IndexByte(space, '\n') < 0 {
			b.WriteString("\n")
		}
		open = t.kind == lineComment
		b.WriteString(space + text[t.Start:t.End])
		at = t.End
	}
	return b.String()
}
