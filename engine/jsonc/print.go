package jsonc

import "strings"

// print returns a value in the style of the file. If lines is false, it is on one line.
func (st *style) print(n *Node, form *Form, indent, unit string, lines bool) string {
	var b strings.Builder
	st.write(&b, n, form, indent, unit, lines)
	return b.String()
}

func (st *style) write(b *strings.Builder, n *Node, form *Form, indent, unit string, lines bool) {
	switch {
	case n.Kind != Object && n.Kind != Array:
		b.WriteString(n.scalar())
		return
	case len(n.Children) == 0:
		b.WriteByte(byte(n.Kind))
		b.WriteByte(byte(n.Kind) + 2) // the closing bracket
		return
	}
	shape := st.shape(form)
	lines = lines && shape.lines
	inner := indent
	if lines {
		inner += unit
	}
	b.WriteByte(byte(n.Kind))
	if !lines {
		b.WriteString(st.pad(n.Kind))
	}
	for i, kid := range n.Children {
		if i > 0 {
			b.WriteByte(',')
			if !lines {
				b.WriteString(st.gap)
			}
		}
		if lines {
			b.WriteString(st.newline + inner)
		}
		if n.Kind == Object {
			b.WriteString(Quote(kid.Key) + st.colon)
		}
		st.write(b, kid, form.member(kid.Key), inner, unit, lines)
	}
	if lines {
		if shape.comma {
			b.WriteByte(',')
		}
		b.WriteString(st.newline + indent)
	} else {
		b.WriteString(st.pad(n.Kind))
	}
	b.WriteByte(byte(n.Kind) + 2)
}

// scalar returns the text of a value that is no object or array, which does not depend on the style.
func (n *Node) scalar() string {
	switch {
	case n.Kind == Object || n.Kind == Array:
		return ""
	case n.Kind == String && strings.Contains(n.Raw(), `\u`):
		// Text from programs has escapes that nobody would write, such as \u003c.
		return Quote(n.Str())
	}
	return n.Raw()
}

// reindent changes the indentation of all lines of a text except the first. Lines without the old indentation
// are not changed. If the steps of indentation differ, they are converted too.
func reindent(text, from, to, unitFrom, unitTo string) string {
	if from == to && (unitFrom == unitTo || unitFrom == "" || unitTo == "") {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines[1:] {
		rest, ok := strings.CutPrefix(line, from)
		if !ok || strings.TrimSpace(line) == "" {
			continue
		}
		steps := ""
		if unitFrom != "" && unitTo != "" {
			for strings.HasPrefix(rest, unitFrom) {
				rest = rest[len(unitFrom):]
				steps += unitTo
			}
		}
		lines[i+1] = to + steps + rest
	}
	return strings.Join(lines, "")
}
