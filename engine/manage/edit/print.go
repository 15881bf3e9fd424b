package edit

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// maxValueDepth limits how deep a new value may be nested, so that it fits under what config.Parse allows
// for the file.
const maxValueDepth = 100

// parseValue reads a value that an operation brings. Comments are only allowed in text that is put
// into the file as it is.
func parseValue(what string, text []byte, comments bool) (*node, error) {
	start, problem := config.CheckSyntax(text)
	if problem != nil {
		return nil, refuse(ErrInvalid, "%s is not valid JSON: line %d, column %d: %s", what, problem.Line, problem.Column, problem.Message)
	}
	n := parseNode(text, start)
	if err := checkValue(what, n, comments, 0); err != nil {
		return nil, err
	}
	return n, nil
}

func checkValue(what string, n *node, comments bool, depth int) error {
	if depth > maxValueDepth {
		return refuse(ErrInvalid, "%s is nested too deeply", what)
	}
	if !comments && depth == 0 && !json.Valid(n.text) {
		return refuse(ErrInvalid, "%s has comments or trailing commas, which cannot be kept here", what)
	}
	kids := n.kids()
	if n.kind() == '{' {
		if second := n.repeated(); second != nil {
			return refuse(ErrInvalid, "%s has the key %q twice", what, second.key)
		}
	}
	for _, kid := range kids {
		if err := checkValue(what, kid, comments, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// quoteJSON writes a string with as few escapes as may be.
func quoteJSON(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil { // a string always can be encoded
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// print writes a value in the style of the file. Without lines it is on one line.
func (st *style) print(n *node, r role, indent, unit string, lines bool) string {
	var b strings.Builder
	st.write(&b, n, r, indent, unit, lines)
	return b.String()
}

func (st *style) write(b *strings.Builder, n *node, r role, indent, unit string, lines bool) {
	kids := n.kids()
	switch kind := n.kind(); {
	case kind != '{' && kind != '[':
		b.WriteString(n.scalar())
	case len(kids) == 0:
		b.WriteString(map[byte]string{'{': "{}", '[': "[]"}[kind])
	default:
		shape := st.shape(r)
		lines = lines && shape.lines
		inner := indent
		if lines {
			inner += unit
		}
		b.WriteByte(kind)
		if !lines {
			b.WriteString(st.pad(kind))
		}
		for i, kid := range kids {
			if i > 0 {
				b.WriteString(",")
				if !lines {
					b.WriteString(st.gap)
				}
			}
			if lines {
				b.WriteString(st.newline + inner)
			}
			if kind == '{' {
				b.WriteString(quoteJSON(kid.key) + st.colon)
			}
			st.write(b, kid, r.member(kid.key), inner, unit, lines)
		}
		if lines {
			if shape.comma {
				b.WriteString(",")
			}
			b.WriteString(st.newline + indent)
		} else {
			b.WriteString(st.pad(kind))
		}
		b.WriteByte(kind + 2) // the closing bracket
	}
}

// scalar returns how a value that isn't an object or array is written, for which no style is needed.
func (n *node) scalar() string {
	switch kind := n.kind(); {
	case kind == '{' || kind == '[':
		return ""
	case kind == '"' && bytes.Contains(n.raw(), []byte(`\u`)):
		// What programs send has escapes that nobody would write, such as \u003c.
		return quoteJSON(n.str())
	}
	return string(n.raw())
}

// reindent moves text from one indentation to another, all lines but the first. Lines that don't have
// the old indentation are left alone. Where the steps of indentation differ, they are converted too.
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
