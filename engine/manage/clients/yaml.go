package clients

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// yamlSyntax is YAML. Its text is edited by lines; go-yaml says where they are.
type yamlSyntax struct {
	// named is the member with an entry's name, for files that list their entries; "" for those in which the name stands before the entry.
	named string
}

// Reading YAML takes long, and what it stands for can be much larger than the text: it is only read within these bounds.
const (
	maxYAML         = 256 << 10
	maxYAMLBrackets = 2000
)

// root returns the members of the one document, nil when there are none.
func (yamlSyntax) root(text []byte) ([]*ast.MappingValueNode, error) {
	if len(text) > maxYAML || bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxYAMLBrackets {
		return nil, unreadable(words.New("clients.too_large_to_read"))
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if bytes.IndexByte(text, '\r') >= 0 { // a line end to some
		return nil, misshapen(words.New("clients.line_ends"))
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, notYAML(err)
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

// notYAML says where a text is wrong: the reader begins its first line with "[3:1] ", and then shows the text.
func notYAML(err error) error {
	why, _, _ := strings.Cut(err.Error(), "\n")
	var line, column int
	if n, _ := fmt.Sscanf(why, "[%d:%d]", &line, &column); n == 2 {
		_, why, _ = strings.Cut(why, "] ")
	}
	return unreadable(words.New("clients.not_yaml", "Line", line, "Column", column, "Why", why))
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

// references reports whether one value refers to another.
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
	all := map[string]any{}
	if err := yaml.Unmarshal(text, &all); err != nil {
		return nil, notYAML(err)
	}
	if all == nil {
		all = map[string]any{}
	}
	return all, nil
}

// check has nothing to do: a key that is there twice is an error already.
func (yamlSyntax) check([]byte, []string, string) error { return nil }

func memberOf(nodes []*ast.MappingValueNode, key string) *ast.MappingValueNode {
	for _, node := range nodes {
		if node.Key.GetToken().Value == key {
			return node
		}
	}
	return nil
}

// yamlEntryNode is an entry as it stands in the text.
type yamlEntryNode struct {
	name  string          // "" for an item of a list that has none
	at    *token.Position // where it begins: of its name, or of the dash before it
	value ast.Node
}

func entryNamed(children []yamlEntryNode, name string) *yamlEntryNode {
	i := slices.IndexFunc(children, func(child yamlEntryNode) bool { return child.name == name })
	if i < 0 {
		return nil
	}
	return &children[i]
}

func (s yamlSyntax) open(text []byte, path []string) (group *ast.MappingValueNode, children []yamlEntryNode, err error) {
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

// yamlBlock is the lines of a member or of an item of a list: from its key or dash to before the next one that is not deeper.
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
		case depth >= position.Column: // deeper, comments too
			b.end = next
		case comment:
		case !item && depth == position.Column-1 && startsItem([]byte(line[depth:])): // a list needs no depth of its own
			b.end = next
		default:
			return b
		}
		at = next
	}
	return b
}

// startsItem reports whether a text begins with the dash of an item of a list.
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

// nothing is a group without entries.
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
		if at > 0 && text[at-1] != '\n' { // the last line has no end, and shall have none
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
		changes = append(changes, jsonc.Change{Start: block.start + position.Column - 1, End: end, New: field.Name + ": " + inline(field.Value, jsonc.Quote)})
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
		} else { // a name without anything is not what its reader expects
			end := len(bytes.TrimRight(text[whole.start:endOfLine(text, whole.start)], " \r\n")) + whole.start
			if text[end-1] == ':' {
				return apply(text, jsonc.Change{Start: end, End: end, New: " " + s.nothing()}, jsonc.Change{Start: block.start, End: block.end})
			}
		}
	}
	if block.end == len(text) && !bytes.HasSuffix(text, []byte("\n")) && block.start > 0 {
		block.start = len(bytes.TrimRight(text[:block.start], "\r\n"))
	}
	return apply(text, jsonc.Change{Start: block.start, End: block.end})
}
