package consent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

const indent = "    "

// Field is an argument, or another value, with its name.
type Field struct {
	Name, Value string
	Code        bool // the value is JSON
}

// fieldsOf returns the arguments of a call, with names and values that hide nothing. Each value has a place of its
// own, so that no value can look like another argument. Strings keep their line breaks.
func fieldsOf(arguments json.RawMessage) []Field {
	members, err := jsonrpc.Members(arguments)
	switch {
	case len(arguments) == 0 || err == nil && len(members) == 0:
		return nil
	case err != nil:
		text, code := value(arguments)
		return []Field{{Value: blanksCounted(text), Code: code}}
	}
	fields := make([]Field, len(members))
	names := map[string]int{}
	for i, m := range members {
		text, code := value(m.Value)
		fields[i] = Field{blanksCounted(readableName(m.Name)), blanksCounted(text), code}
		names[fields[i].Name]++
	}
	for i, m := range members {
		if names[fields[i].Name] > 1 {
			fields[i].Name = blanksCounted(visible.Map(m.Name, visible.Escape))
		}
	}
	return fields
}

// readableName returns the name of an argument for people: "due_date" and "dueDate" are "Due date". Names that are not
// made of such words stay as they are.
func readableName(name string) string {
	var out strings.Builder
	var before rune
	for i, char := range name {
		r, upper := char, 'A' <= char && char <= 'Z'
		switch {
		case i == 0 && 'a' <= r && r <= 'z':
			r = unicode.ToUpper(r)
		case i > 0 && (r == '_' || r == '-') && before != '_' && before != '-' && i < len(name)-1:
			r = ' '
		case i > 0 && upper && 'a' <= before && before <= 'z':
			out.WriteByte(' ')
			if i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z' {
				r = unicode.ToLower(r)
			}
		case !upper && (r < 'a' || r > 'z') && (r < '0' || r > '9'):
			return visible.Map(name, visible.Escape)
		}
		out.WriteRune(r)
		before = char
	}
	return out.String()
}

// whole returns fields as text: each name, and its value indented below it.
func whole(fields []Field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = f.Name + "\n" + indent + strings.ReplaceAll(f.Value, "\n", "\n"+indent)
	}
	return strings.Join(parts, "\n")
}

// value returns a value as text, and whether the text is JSON.
func value(raw json.RawMessage) (text string, code bool) {
	if text, ok := jsonrpc.String(raw); ok && strings.TrimSpace(text) != "" {
		return visible.Escaped(strings.ReplaceAll(text, "\r\n", "\n")), false
	}
	switch string(bytes.TrimSpace(raw)) {
	case "true":
		return lang.L("Yes"), false
	case "false":
		return lang.L("No"), false
	}
	if lines, ok := list(raw); ok {
		return lines, false
	}
	var out bytes.Buffer
	if json.Indent(&out, raw, "", indent) != nil {
		return visible.Escaped(string(raw)), true
	}
	_, notNumber := jsonrpc.String(raw)
	return visible.Escaped(out.String()), notNumber || strings.ContainsAny(out.String(), "{[")
}

// list returns a list of texts on one line each, if raw is one.
func list(raw json.RawMessage) (lines string, ok bool) {
	elements, err := jsonrpc.Elements(raw)
	if err != nil || len(elements) == 0 {
		return "", false
	}
	texts := make([]string, len(elements))
	for i, element := range elements {
		text, ok := jsonrpc.String(element)
		if !ok || strings.TrimSpace(text) == "" || strings.ContainsAny(text, "\r\n") {
			return "", false
		}
		texts[i] = "• " + visible.Escaped(text)
	}
	return strings.Join(texts, "\n"), true
}

// maxBlanks is how many blanks in a row are written out, more than the indentation of what can be asked about.
// More of them could push the rest of the arguments out of sight.
const maxBlanks = 200

// blanksCounted returns a text in which long runs of blanks are replaced by their number.
func blanksCounted(text string) string {
	isBlank := func(r rune) bool { return unicode.IsSpace(r) || r == '\u2800' } // the Braille pattern without dots
	var out strings.Builder
	for text != "" {
		start := strings.IndexFunc(text, isBlank)
		if start < 0 {
			start = len(text)
		}
		rest := strings.TrimLeftFunc(text[start:], isBlank)
		blanks := text[start : len(text)-len(rest)]
		out.WriteString(text[:start])
		if n := utf8.RuneCountInString(blanks); n > maxBlanks {
			blanks = "\n" + visible.Mark(fmt.Sprintf("blank ×%d", n)) + "\n"
		}
		out.WriteString(blanks)
		text = rest
	}
	return out.String()
}
