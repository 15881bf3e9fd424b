package clients

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/tojson"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// yamlSyntax is YAML. Its text is edited by lines, whose places come from go-yaml.
type yamlSyntax struct {
	// named is the member that holds an entry's name in files that list their entries; "" for files in which
	// the name is the key of the entry.
	named string
}

// root returns the members of the only document; nil if there are none.
func (yamlSyntax) root(text []byte) ([]*ast.MappingValueNode, error) {
	if bytes.Count(text, []byte("\r")) > bytes.Count(text, []byte("\r\n")) { // some parsers treat it as a line end
		return nil, misshapen(words.New("clients.line_ends"))
	}
	file, err := tojson.ParseYAML(text)
	switch {
	case errors.Is(err, tojson.ErrHeavy):
		return nil, unreadable(words.New("clients.too_large_to_read"))
	case err != nil:
		return nil, misread(client.YAML, err)
	}
	var body ast.Node
	for _, document := range file.Docs {
		if document.Body == nil {
			continue
		}
		if _, comment := document.Body.(*ast.CommentGroupNode); comment {
			continue
		}
		if body != nil || len(file.Docs) > 1 {
			return nil, misshapen(words.New("clients.several_documents"))
		}
		body = document.Body
	}
	if body == nil {
		return nil, nil
	}
	var found references
	ast.Walk(&found, body)
	if found {
		return nil, misshapen(words.New("clients.references"))
	}
	return members(body)
}

func members(node ast.Node) ([]*ast.MappingValueNode, error) {
	switch node := node.(type) {
	case *ast.MappingNode:
		if node.IsFlowStyle && len(node.Values) > 0 {
			return nil, misshapen(words.New("clients.flow_mapping"))
		}
		return node.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{node}, nil
	case *ast.NullNode:
		return nil, nil
	}
	return nil, misshapen(words.New("clients.no_names"))
}

// references records whether one value refers to another.
type references bool

func (r *references) Visit(node ast.Node) ast.Visitor {
	switch node.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		*r = true
	}
	return r
}

func (s yamlSyntax) decode(text []byte) (map[string]any, error) {
	if _, err := s.root(text); err != nil {
		return nil, err
	}
	return decode(client.YAML, tojson.YAML, text)
}

// check does nothing: a repeated key is already an error.
func (yamlSyntax) check([]byte, []string, string) error { return nil }

func memberOf(nodes []*ast.MappingValueNode, key string) *ast.MappingValueNode {
	for _, node := range nodes {
		if node.Key.GetToken().Value == key {
			return node
		}
	}
	return nil
}

// yamlEntryNode is an entry in the text.
type yamlEntryNode struct {
	name  string          // "" for an item of a list without a name
	at    *token.Position // where it begins: at its name, or at the dash before it
	value ast.Node
}

func entryNamed(children []yamlEntryNode, name string) *yamlEntryNode {
	i := slices.IndexFunc(children, func(child yamlEntryNode) bool { return child.name == name })
	if i < 0 {
		return nil
	}
	return &children[i]
}

func (s yamlSyntax) open(text []byte,
	path []string) (group *ast.MappingValueNode, children []yamlEntryNode, err error) {
	if len(path) != 1 {
		return nil, nil, misshapen(words.New("clients.entries_too_deep"))
	}
	top, err := s.root(text)
	if err != nil {
		return nil, nil, err
	}
	if group = memberOf(top, path[0]); group != nil {
		children, err = s.entries(group.Value)
	}
	return group, children, err
}

func (s yamlSyntax) entries(group ast.Node) (children []yamlEntryNode, err error) {
	if s.named == "" {
		nodes, err := members(group)
		for _, node := range nodes {
			children = append(children, yamlEntryNode{node.Key.GetToken().Value, node.Key.GetToken().Position, node.Value})
		}
		return children, err
	}
	list, ok := group.(*ast.SequenceNode)
	switch _, null := group.(*ast.NullNode); {
	case null, ok && len(list.Values) == 0:
		return nil, nil
	case !ok:
		return nil, misshapen(words.New("clients.entries_no_list"))
	case list.IsFlowStyle || len(list.Entries) != len(list.Values):
		return nil, misshapen(words.New("clients.flow_list"))
	}
	for i, value := range list.Values {
		child := yamlEntryNode{at: list.Entries[i].Start.Position, value: value}
		if fields, err := members(value); err == nil {
			if name := memberOf(fields, s.named); name != nil {
				child.name = name.Value.GetToken().Value
			}
		}
		children = append(children, child)
	}
	return children, nil
}

// yamlBlock has the lines of a member or of a list item: from its key or dash to the next line that is not
// indented more.
type yamlBlock struct{ start, end int }

func blockOf(text []byte, position *token.Position) yamlBlock {
	start := 0
	for range position.Line - 1 {
		start = endOfLine(text, start)
	}
	b := yamlBlock{start, endOfLine(text, start)}
	item := startsItem(text[min(start+position.Column-1, b.end):b.end])
	for at := b.end; at < len(text); {
		next := endOfLine(text, at)
		line := strings.TrimRight(string(text[at:next]), " \t\r\n")
		depth := len(line) - len(strings.TrimLeft(line, " "))
		switch comment := strings.HasPrefix(line[depth:], "#"); {
		case line == "":
		case depth >= position.Column: // indented more; this includes comments
			b.end = next
		case comment:
		case !item && depth == position.Column-1 &&
			startsItem([]byte(line[depth:])): // a list may have the same indentation as its key
			b.end = next
		default:
			return b
		}
		at = next
	}
	return b
}

// startsItem reports whether a text begins with the dash of a list item.
func startsItem(text []byte) bool {
	rest, dash := bytes.CutPrefix(text, []byte("-"))
	return dash && (len(bytes.TrimLeft(rest, " \t\r\n")) < len(rest) || len(rest) == 0)
}

func (s yamlSyntax) entry(e entry, indent, unit, nl string) string {
	var b strings.Builder
	lead := indent + unit
	if s.named == "" {
		b.WriteString(indent + e.name + ":" + nl)
	} else {
		lead = indent + "- "
	}
	for _, field := range e.fields {
		b.WriteString(lead + field.Name + ": " + inline(field.Value, jsonc.Quote) + nl)
		if s.named != "" {
			lead = indent + "  "
		}
	}
	return b.String()
}

// nothing returns an empty group.
func (s yamlSyntax) nothing() string {
	if s.named == "" {
		return "{}"
	}
	return "[]"
}

func (s yamlSyntax) insert(text []byte, path []string, e entry) ([]byte, error) {
	group, children, err := s.open(text, path)
	if err != nil {
		return nil, err
	}
	nl, unit := newline(text), "  "
	put := func(at int, lines string) ([]byte, error) {
		if at > 0 && text[at-1] != '\n' { // the last line has no line end and must not get one
			lines = nl + strings.TrimSuffix(lines, nl)
		}
		return apply(text, jsonc.Change{Start: at, End: at, New: lines})
	}
	if at := bytes.Index(text, []byte("{}")); group == nil && at >= 0 && string(bytes.TrimSpace(text)) == "{}" {
		lines := path[0] + ":" + nl + s.entry(e, unit, unit, nl)
		return apply(text, jsonc.Change{Start: at, End: at + len("{}"), New: strings.TrimSuffix(lines, nl)})
	}
	if group == nil {
		return put(len(text), path[0]+":"+nl+s.entry(e, unit, unit, nl))
	}
	outer := strings.Repeat(" ", group.Key.GetToken().Position.Column-1)
	block := blockOf(text, group.Key.GetToken().Position)
	if len(children) > 0 {
		inner := strings.Repeat(" ", children[0].at.Column-1)
		return put(block.end, s.entry(e, inner, strings.TrimPrefix(inner, outer), nl))
	}
	end := endOfLine(text, block.start)
	if at := bytes.Index(text[block.start:end], []byte(s.nothing())); at >= 0 {
		at += block.start
		space := len(bytes.TrimRight(text[:at], " "))
		if text, err = apply(text, jsonc.Change{Start: space, End: at + len(s.nothing())}); err != nil {
			return nil, err
		}
		end -= at + len(s.nothing()) - space
	}
	return put(end, s.entry(e, outer+unit, unit, nl))
}

func (s yamlSyntax) update(text []byte, path []string, e entry) ([]byte, error) {
	_, children, err := s.open(text, path)
	if err != nil {
		return nil, err
	}
	child := entryNamed(children, e.name)
	if child == nil {
		return nil, misshapen(words.New("clients.no_entry_found"))
	}
	fields, err := members(child.value)
	if err != nil {
		return nil, err
	}
	var changes []jsonc.Change
	for _, field := range e.slots {
		node := memberOf(fields, field.Name)
		if node == nil {
			without, err := s.remove(text, path, e.name, false)
			if err != nil {
				return nil, err
			}
			return s.insert(without, path, e)
		}
		position := node.Key.GetToken().Position
		block := blockOf(text, position)
		end := len(bytes.TrimRight(text[:block.end], "\r\n"))
		changes = append(changes, jsonc.Change{Start: block.start + position.Column - 1, End: end,
			New: field.Name + ": " + inline(field.Value, jsonc.Quote)})
	}
	return apply(text, changes...)
}

func (s yamlSyntax) remove(text []byte, path []string, name string, emptied bool) ([]byte, error) {
	group, children, err := s.open(text, path)
	if err != nil {
		return nil, err
	}
	child := entryNamed(children, name)
	if child == nil {
		return nil, misshapen(words.New("clients.no_entry_found"))
	}
	block := blockOf(text, child.at)
	if len(children) == 1 {
		whole := blockOf(text, group.Key.GetToken().Position)
		if emptied {
			block = whole
		} else { // a name without a value is not what the app expects
			end := len(bytes.TrimRight(text[whole.start:endOfLine(text, whole.start)], " \r\n")) + whole.start
			if text[end-1] == ':' {
				return apply(text, jsonc.Change{Start: end, End: end, New: " " + s.nothing()},
					jsonc.Change{Start: block.start, End: block.end})
			}
		}
	}
	if block.end == len(text) && !bytes.HasSuffix(text, []byte("\n")) && block.start > 0 {
		block.start = len(bytes.TrimRight(text[:block.start], "\r\n"))
	}
	return apply(text, jsonc.Change{Start: block.start, End: block.end})
}
