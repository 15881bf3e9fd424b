package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// jsonSyntax is JSON, with or without comments. strict is the name of a client that reads no comments, else "".
type jsonSyntax struct{ strict string }

func (s jsonSyntax) parse(text []byte) (hujson.Value, error) {
	// The tree may be written to, and the text is not ours.
	tree, err := hujson.Parse(bytes.Clone(text))
	if err != nil {
		why := strings.TrimPrefix(err.Error(), "hujson: ")
		if _, wrong := config.CheckSyntax(text); wrong != nil { // the same in words for people
			why = fmt.Sprintf("line %d, column %d: %s", wrong.Line, wrong.Column, secret.Mask(strings.TrimSuffix(wrong.Message, ".")))
		}
		return tree, unreadable("it is not valid JSON: %s", why)
	}
	if s.strict != "" && !tree.IsStandard() {
		return tree, unreadable("line %d: there is a comment or a comma too many, with which %s cannot read it either", firstExtra(text), s.strict)
	}
	return tree, nil
}

// firstExtra is the line of the first thing that is not in strict JSON.
func firstExtra(text []byte) int {
	strict, err := hujson.Standardize(bytes.Clone(text)) // with spaces in its place
	at := 0
	for err == nil && at < min(len(text), len(strict)) && text[at] == strict[at] {
		at++
	}
	return bytes.Count(text[:at], []byte("\n")) + 1
}

func (s jsonSyntax) decode(text []byte) (map[string]any, error) {
	if blank(text) {
		return map[string]any{}, nil
	}
	tree, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	tree.Standardize()
	decoder := json.NewDecoder(bytes.NewReader(tree.Pack()))
	decoder.UseNumber()
	var all any
	if err := decoder.Decode(&all); err != nil {
		return nil, unreadable("it is not valid JSON: %v", err)
	}
	object, ok := all.(map[string]any)
	if !ok {
		return nil, misshapen("it does not hold a group { … }: its first character is not {")
	}
	return object, nil
}

func blank(text []byte) bool { return len(bytes.Trim(text, " \t\r\n")) == 0 }

// open returns the tree and the objects from the top down the path, as far as there are any.
func (s jsonSyntax) open(text []byte, path []string) ([]*hujson.Value, error) {
	tree, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	way := []*hujson.Value{&tree}
	for _, key := range path {
		i := memberIndex(way[len(way)-1], key)
		if i < 0 {
			break
		}
		way = append(way, &way[len(way)-1].Value.(*hujson.Object).Members[i].Value)
	}
	return way, nil
}

func memberIndex(value *hujson.Value, key string) int {
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return -1
	}
	for i := range object.Members {
		if memberName(object.Members[i]) == key {
			return i
		}
	}
	return -1
}

func memberName(member hujson.ObjectMember) string {
	literal, _ := member.Name.Value.(hujson.Literal)
	return literal.String()
}

func (s jsonSyntax) check(text []byte, path []string, name string) error {
	if blank(text) {
		return nil
	}
	way, err := s.open(text, path)
	if err != nil {
		return err
	}
	for i, value := range way {
		object, ok := value.Value.(*hujson.Object)
		if !ok {
			return misshapen("%q in it is not a group { … }", strings.Join(path[:i], "."))
		}
		want := name
		if i < len(path) {
			want = path[i]
		}
		found := 0
		for _, member := range object.Members {
			if memberName(member) == want {
				found++
			}
		}
		if found > 1 {
			return misshapen("%q is in it twice, and programs differ in which one they take", want)
		}
	}
	return nil
}

func (s jsonSyntax) insert(text []byte, path []string, e entry) ([]byte, error) {
	if blank(text) {
		nl := newline(text)
		return append([]byte("{"+nl+"  "+nestedEntry(path, e, layout{"  ", "  ", nl, true})+nl+"}"+nl), bytes.TrimLeft(text, " \t\r\n")...), nil
	}
	way, err := s.open(text, path)
	if err != nil {
		return nil, err
	}
	return apply(text, insertMember(text, way, func(l layout) string { return nestedEntry(path[len(way)-1:], e, l) })...), nil
}

// layout is how a value is written: its indentation, a step of it, the line end; lines is unset for all on one line.
type layout struct {
	indent, unit, newline string
	lines                 bool
}

func (l layout) deeper() layout {
	l.indent += l.unit
	return l
}

// object writes members between braces.
func (l layout) object(members []string) string {
	if !l.lines {
		return "{" + strings.Join(members, ", ") + "}"
	}
	inner := l.newline + l.indent + l.unit
	return "{" + inner + strings.Join(members, ","+inner) + l.newline + l.indent + "}"
}

// nestedEntry writes an entry as a member of objects that are missing.
func nestedEntry(path []string, e entry, l layout) string {
	if len(path) > 0 {
		return quote(path[0]) + ": " + l.object([]string{nestedEntry(path[1:], e, l.deeper())})
	}
	return quote(e.name) + ": " + entryValue(e, l)
}

func entryValue(e entry, l layout) string {
	if e.raw != "" {
		return e.raw
	}
	var members []string
	for _, field := range e.fields {
		members = append(members, quote(field.Name)+": "+inline(field.Value, quote))
	}
	return l.object(members)
}

// insertMember puts a member behind the others of the last object of a way.
func insertMember(text []byte, way []*hujson.Value, write func(layout) string) []splice {
	target := way[len(way)-1]
	object := target.Value.(*hujson.Object)
	l := layout{unit: unit(text, way[0]), newline: newline(text), lines: true}
	open, close := target.StartOffset, target.EndOffset-1
	if len(object.Members) == 0 {
		l.indent = indentation(text, open) + l.unit
		at, ends := lineEnd(text, open+1, close)
		member := l.newline + l.indent + write(l)
		if !ends {
			at = open + 1 + len(bytes.TrimRight(text[open+1:close], " \t"))
			member += l.newline + indentation(text, open)
		}
		return []splice{{at, at, member}}
	}
	last := object.Members[len(object.Members)-1]
	end := last.Value.EndOffset
	comma := commaAfter(text, end, close)
	from := end
	if comma >= 0 {
		from = comma + 1
	}
	at, ends := lineEnd(text, from, close)
	before, after := l.newline, ""
	switch {
	case firstOnLine(text, last.Name.StartOffset):
		l.indent = indentation(text, last.Name.StartOffset)
	case ends: // the first member stands beside the bracket, or several on one line
		l.indent = indentation(text, open) + l.unit
	default:
		l.lines = false
	}
	if l.lines {
		before += l.indent
		if !ends { // the bracket stands behind the last member
			at = from
		}
	} else {
		before = " "
		at = from
	}
	if comma >= 0 {
		after = ","
	}
	member := before + write(l) + after
	if comma >= 0 {
		return []splice{{at, at, member}}
	}
	return []splice{{end, end, ","}, {at, at, member}}
}

// lineEnd returns the place behind what stands on the line of a place, up to a limit: comments, which belong to what is before them. ends tells
// whether the line ends before the limit.
func lineEnd(text []byte, from, limit int) (at int, ends bool) {
	at = from
	for i := from; i < limit; {
		switch {
		case bytes.HasPrefix(text[i:], []byte("//")):
			i = len(text) - len(bytes.TrimLeftFunc(text[i:], func(r rune) bool { return r != '\n' }))
			at = i
			if at > from && text[at-1] == '\r' {
				at--
			}
		case bytes.HasPrefix(text[i:], []byte("/*")):
			i += 2 + bytes.Index(text[i+2:], []byte("*/")) + 2
			at = i
		case text[i] == '\n':
			return at, true
		default:
			i++
		}
	}
	return at, false
}

// commaAfter returns the place of the comma behind a value, or -1.
func commaAfter(text []byte, from, limit int) int {
	for i := from; i < limit; {
		switch {
		case bytes.HasPrefix(text[i:], []byte("//")):
			i += max(bytes.IndexByte(text[i:], '\n'), 1)
		case bytes.HasPrefix(text[i:], []byte("/*")):
			i += 2 + bytes.Index(text[i+2:], []byte("*/")) + 2
		case text[i] == ',':
			return i
		case text[i] == ' ', text[i] == '\t', text[i] == '\r', text[i] == '\n':
			i++
		default:
			return -1
		}
	}
	return -1
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// indentation is the space at the beginning of the line of a place.
func indentation(text []byte, at int) string {
	line := text[lineStart(text, at):at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func firstOnLine(text []byte, at int) bool {
	start := lineStart(text, at)
	return start > 0 && len(bytes.Trim(text[start:at], " \t")) == 0
}

// unit is a step of indentation, learned from the first member that has one.
func unit(text []byte, value *hujson.Value) string {
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return "  "
	}
	outer := indentation(text, value.StartOffset)
	for i := range object.Members {
		at := object.Members[i].Name.StartOffset
		if inner, deeper := strings.CutPrefix(indentation(text, at), outer); firstOnLine(text, at) && deeper && inner != "" {
			return inner
		}
	}
	return "  "
}

func (s jsonSyntax) update(text []byte, path []string, e entry) ([]byte, error) {
	way, err := s.open(text, append(path[:len(path):len(path)], e.name))
	if err != nil {
		return nil, err
	}
	value := way[len(way)-1]
	var splices []splice
	for _, field := range e.slots {
		i := memberIndex(value, field.Name)
		if i < 0 {
			l := layout{indentation(text, value.StartOffset), unit(text, way[0]), newline(text), bytes.IndexByte(text, '\n') >= 0}
			return apply(text, splice{value.StartOffset, value.EndOffset, entryValue(e, l)}), nil
		}
		old := value.Value.(*hujson.Object).Members[i].Value
		splices = append(splices, splice{old.StartOffset, old.EndOffset, inline(field.Value, quote)})
	}
	return apply(text, splices...), nil
}

func (s jsonSyntax) remove(text []byte, path []string, name string, emptied bool) ([]byte, error) {
	way, err := s.open(text, path)
	if err != nil {
		return nil, err
	}
	keys := append(path[:len(path):len(path)], name)
	level := len(path)
	for emptied && level > 0 && len(way[level].Value.(*hujson.Object).Members) == 1 {
		level-- // it would be empty
	}
	target := way[level]
	return apply(text, removeMember(text, target, memberIndex(target, keys[level]))...), nil
}

// removeMember takes a member out, with its line when it has one for itself.
func removeMember(text []byte, target *hujson.Value, i int) []splice {
	object := target.Value.(*hujson.Object)
	member, close := object.Members[i], target.EndOffset-1
	start, end := member.Name.StartOffset, member.Value.EndOffset
	comma := commaAfter(text, end, close)
	var splices []splice
	if comma >= 0 {
		if len(bytes.Trim(text[end:comma], " \t\r\n")) > 0 { // a comment stands before it
			splices = append(splices, splice{comma, comma + 1, ""})
		} else {
			end = comma + 1
		}
	} else if i > 0 {
		before := object.Members[i-1].Value.EndOffset
		if at := commaAfter(text, before, start); at >= 0 {
			splices = append(splices, splice{at, at + 1, ""})
		}
	}
	rest := text[end:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	rest = bytes.Trim(rest, " \t\r")
	switch space := len(bytes.TrimRight(text[:start], " \t")); {
	case firstOnLine(text, start) && (len(rest) == 0 || bytes.HasPrefix(rest, []byte("//"))):
		start = lineStart(text, start) - 1
		if start > 0 && text[start-1] == '\r' {
			start--
		}
	case !firstOnLine(text, start) && text[space-1] != '{':
		start = space
	default:
		end += len(text[end:]) - len(bytes.TrimLeft(text[end:], " \t"))
	}
	return append(splices, splice{start, end, ""})
}
