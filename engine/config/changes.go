package config

import (
	"bytes"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// The functions in this file make the changes of a [Fix].

// put replaces the bytes from start to end of the source by text.
func put(start, end int, text string) Change { return Change{Start: start, End: end, New: text} }

// replaceText replaces a string. word needs no escapes.
func replaceText(v *node, word string) Change { return replaceValue(v, `"`+word+`"`) }

func replaceValue(v *node, text string) Change { return put(v.Start, v.End, text) }

// enclose adds text before and after a value.
func enclose(v *node, before, after string) []Change {
	return []Change{put(v.Start, v.Start, before), put(v.End, v.End, after)}
}

// unquote removes the quotes of a string.
func unquote(v *node) []Change {
	return []Change{{Start: v.Start, End: v.Start + 1}, {Start: v.End - 1, End: v.End}}
}

// trim removes white space at both ends of a string.
func (t *sourceText) trim(s jsonc.Span) []Change {
	return t.trimTo(s, strings.TrimSpace(jsonc.Unquote(string(t.parsed[s.Start:s.End]))))
}

// trimTo reduces a string to a part of it.
func (t *sourceText) trimTo(s jsonc.Span, part string) []Change {
	literal := string(t.parsed[s.Start:s.End])
	text := jsonc.Unquote(literal)
	before := strings.Index(text, part)
	if before < 0 {
		return nil
	}
	var changes []Change
	for _, c := range []Change{{Start: 0, End: before}, {Start: before + len(part), End: len(text)}} {
		if c.Start < c.End {
			changes = append(changes, c)
		}
	}
	return placed(changes, literal, s.Start)
}

// placed turns changes of a decoded string into changes of the source, where the string begins at start.
func placed(changes []Change, literal string, start int) []Change {
	places := newOffsets(literal, start)
	out := make([]Change, len(changes))
	for i, c := range changes {
		from := places.source(c.Start)
		out[i] = put(from, places.source(c.End), c.New)
	}
	return out
}

// removeMember removes a member of an object. It returns nil if there is a comment inside the member.
func (t *sourceText) removeMember(object *node, i int) []Change {
	if m := object.Children[i]; !t.onlyColon(m.Name.End, m.Start) {
		return nil
	}
	return t.removeElement(object, i)
}

// removeElement removes a child of an object or array with its comma, and its line if nothing else is on it.
// Comments stay.
func (t *sourceText) removeElement(parent *node, i int) []Change {
	it := parent.Children[i]
	start, end := it.First(), it.End
	comma, ok := it.Comma()
	if !ok { // the last child: the comma before it goes too
		if i == 0 {
			return []Change{{Start: start, End: end}}
		}
		before, _ := parent.Children[i-1].Comma()
		if t.isBlank(before+1, start) {
			return []Change{{Start: before, End: end}}
		}
		return []Change{{Start: before, End: before + 1}, {Start: start, End: end}}
	}
	if !t.isBlank(end, comma) { // a comment is between the child and its comma
		return []Change{{Start: start, End: end}, {Start: comma, End: comma + 1}}
	}
	end = comma + 1
	lineStart := start
	for lineStart > 0 && (t.parsed[lineStart-1] == ' ' || t.parsed[lineStart-1] == '\t') {
		lineStart--
	}
	lineEnd := end
	for lineEnd < len(t.parsed) && bytes.IndexByte([]byte(" \t\r"), t.parsed[lineEnd]) >= 0 {
		lineEnd++
	}
	switch {
	case lineStart > 0 && t.parsed[lineStart-1] == '\n' && lineEnd < len(t.parsed) && t.parsed[lineEnd] == '\n':
		start, end = lineStart, lineEnd+1
	case lineEnd < len(t.parsed) && t.parsed[lineEnd] != '\n':
		end = lineEnd
	}
	return []Change{{Start: start, End: end}}
}

// isBlank reports whether there is only white space between two offsets.
func (t *sourceText) isBlank(from, to int) bool { return len(bytes.TrimSpace(t.parsed[from:to])) == 0 }

// blanks returns the length of the white space between two offsets; 0 if there is something else.
func (t *sourceText) blanks(from, to int) int {
	if !t.isBlank(from, to) {
		return 0
	}
	return to - from
}

// onlyColon reports whether there is no comment between the end of a name and the start of its value.
func (t *sourceText) onlyColon(from, to int) bool {
	return strings.Trim(string(t.parsed[from:to]), ": \t\r\n") == ""
}

// unwrap reduces a member that is an object to the content of the object.
func unwrap(m member) []Change {
	changes := []Change{{Start: m.name.Start, End: m.value.Start + 1}, {Start: m.value.End - 1, End: m.value.End}}
	if kids := m.value.Children; len(kids) > 0 {
		if comma, ok := kids[len(kids)-1].Comma(); ok {
			changes = append(changes, Change{Start: comma, End: comma + 1})
		}
	}
	return changes
}
