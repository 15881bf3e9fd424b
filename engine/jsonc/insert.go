package jsonc

import "strings"

// insertion is a member or element to be inserted into a container.
type insertion struct {
	// write returns the text, without a comma, for a place with this indentation. unit is one step of
	// indentation. If lines is false, it is on one line with others.
	write func(indent, unit string, lines bool) string

	trail    string // comments that follow the comma, with the space before them
	ownLines bool   // it has comments that need their own lines
	apart    bool   // the others have blank lines between them
}

// endsLine reports whether nothing may follow on the same line.
func (in insertion) endsLine() bool {
	comment := in.trail
	for {
		i := strings.Index(comment, "/")
		if i < 0 {
			return false
		}
		if strings.HasPrefix(comment[i:], "//") {
			return true
		}
		comment = comment[i+2:]
		if i = strings.Index(comment, "*/"); i < 0 {
			return true // cannot happen; a line end does no harm
		}
		comment = comment[i+2:]
	}
}

// insert returns the changes that insert child number index into a container. If there is something between
// its two neighbours, after says that this belongs to the first one.
func (n *Node) insert(index int, after bool, in insertion, st *style, form *Form) []Change {
	kids := n.Children
	if len(kids) == 0 {
		return n.insertFirst(in, st, form)
	}
	after = index > 0 && (after || index == len(kids))
	sibling := kids[max(index-1, 0)]
	lines := in.ownLines || in.endsLine() || sibling.startsLine() || index <= 1 && len(kids) > 1 && kids[1].startsLine()
	if after {
		line, _ := firstLine(n.behind(index - 1))
		lines = lines || hasLineComment(line)
	}
	if !lines {
		return n.insertInline(index, after, in, st)
	}
	unit := st.unitOf(n)
	indent := Indentation(n.doc.text, n.Start) + unit
	for _, kid := range append([]*Node{sibling}, kids...) {
		if kid.startsLine() {
			indent = Indentation(n.doc.text, kid.First())
			break
		}
	}
	if after {
		return n.insertAfter(index-1, indent, in.write(indent, unit, true), in, st)
	}
	return n.insertBefore(index, indent, in.write(indent, unit, true), in, st)
}

// insertFirst inserts into an empty container.
func (n *Node) insertFirst(in insertion, st *style, form *Form) []Change {
	shape := st.shape(form)
	if form.field() && n.Name.End > 0 && !n.startsLine() {
		shape.lines = false // its entry is on one line too
	}
	from := n.Start + 1
	comments := extras(n.doc.text, from, n.close())
	for _, t := range comments {
		if t.kind != newline {
			from = t.End
		}
	}
	unit := st.unitOf(n)
	if !shape.lines && !in.ownLines && !in.endsLine() && !hasLineComment(comments) {
		pad := st.pad(n.Kind)
		text := pad + in.write(Indentation(n.doc.text, n.Start), unit, false) + in.trail + pad
		if from > n.Start+1 && pad == "" {
			text = " " + text
		}
		return []Change{{from, n.close(), text}}
	}
	outer := Indentation(n.doc.text, n.Start)
	comma := ""
	if shape.comma {
		comma = ","
	}
	text := st.newline + outer + unit + in.write(outer+unit, unit, true) + comma + in.trail + st.newline + outer
	return []Change{{from, n.close(), text}}
}

// insertInline inserts on the line of the siblings.
func (n *Node) insertInline(index int, after bool, in insertion, st *style) []Change {
	kids := n.Children
	gap := st.gap
	if len(kids) > 1 {
		near := kids[min(max(index-1, 1), len(kids)-1)]
		if between := (Span{near.gap, near.First()}); blank(n.doc.text, between) && !near.startsLine() {
			gap = n.doc.text[between.Start:between.End]
		}
	}
	text := in.write(Indentation(n.doc.text, n.Start), st.unitOf(n), false)
	if !after {
		return []Change{newText(kids[index].lead(), text+in.trail+","+gap)}
	}
	kid := kids[index-1]
	at := kid.last()
	if index == len(kids) {
		line, _ := firstLine(n.behind(index - 1))
		if len(line) > 0 {
			at = line[len(line)-1].End
		}
	}
	if kid.comma < 0 {
		return []Change{newText(at, ","+gap+text+in.trail)}
	}
	return []Change{newText(at, gap+text+in.trail+",")}
}

// insertAfter inserts lines below child i.
func (n *Node) insertAfter(i int, indent, text string, in insertion, st *style) []Change {
	kids := n.Children
	kid, last := kids[i], i == len(kids)-1
	line, ends := firstLine(n.behind(i))
	at, end := kid.last(), kid.last()
	switch {
	case ends:
		at = n.behind(i)[len(line)].Start
	case last && len(line) > 0:
		at = line[len(line)-1].End
	}
	text = st.newline + indent + text
	if in.apart {
		text = st.newline + text
	}
	var changes []Change
	if kid.comma >= 0 {
		text += ","
	} else {
		changes = append(changes, newText(kid.End, ","))
	}
	text += in.trail
	switch {
	case ends:
	case last && in.endsLine():
		text += st.newline + Indentation(n.doc.text, n.Start)
	case !last && in.endsLine():
		text += st.newline + indent
		end = spaceAfter(n.doc.text, at, n.close()).End
	}
	return ordered(append(changes, Change{at, max(at, end), text}))
}

// insertBefore inserts lines above child i.
func (n *Node) insertBefore(i int, indent, text string, in insertion, st *style) []Change {
	kid := n.Children[i]
	at := kid.lead()
	text += "," + in.trail + st.newline
	if kid.startsLine() {
		if in.apart {
			text += st.newline
		}
		return []Change{newText(lineStart(n.doc.text, at), indent+text)}
	}
	above := spaceBefore(n.doc.text, at, kid.gap)
	return []Change{{above.Start, at, st.newline + indent + text + indent}}
}

// apart reports whether the children are separated by blank lines.
func (n *Node) apart() bool {
	kids := n.Children
	apart := 0
	for i := 1; i < len(kids); i++ {
		above := spaceBefore(n.doc.text, kids[i].lead(), kids[i].gap)
		if strings.Count(n.doc.text[above.Start:above.End], "\n") > 1 {
			apart++
		}
	}
	return apart > 0 && 2*apart > len(kids)-1
}

func newText(at int, text string) Change { return Change{at, at, text} }
