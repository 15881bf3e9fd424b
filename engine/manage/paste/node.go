package paste

import (
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// node is a value of a configuration, whatever it was written in. Objects keep their order.
type node struct {
	kind    byte   // as in hujson: '{', '[', '"', '0', 't', 'f' or 'n'
	text    string // of a string what it says, of a number how it is written
	members []named
	items   []*node
}

type named struct {
	name string
	*node
}

// member returns the member of an object that has one of some names, the first name first; nil when there is none.
func (n *node) member(names ...string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	for _, name := range names {
		for _, m := range n.members {
			if m.name == name {
				return m.node
			}
		}
	}
	return nil
}

// string is what a string says, else "".
func (n *node) string() string {
	if n != nil && n.kind == '"' {
		return n.text
	}
	return ""
}

// scalar is a string, a number or a truth value as text.
func (n *node) scalar() (string, bool) {
	if n == nil {
		return "", false
	}
	switch n.kind {
	case '"', '0':
		return n.text, true
	case 't':
		return "true", true
	case 'f':
		return "false", true
	}
	return "", false
}

// parseJSON reads JSON with comments and trailing commas.
func parseJSON(source string) (*node, bool) {
	if _, wrong := config.CheckSyntax([]byte(source)); wrong != nil {
		return nil, false // also when it is nested so deep that reading it would take all the memory there is
	}
	tree, err := hujson.Parse([]byte(source))
	if err != nil {
		return nil, false
	}
	return toNode(&tree), true
}

func toNode(v *hujson.Value) *node {
	n := &node{kind: byte(v.Value.Kind())}
	switch value := v.Value.(type) {
	case *hujson.Object:
		for i := range value.Members {
			n.members = append(n.members, named{literal(value.Members[i].Name.Value.(hujson.Literal)), toNode(&value.Members[i].Value)})
		}
	case *hujson.Array:
		for i := range value.Elements {
			n.items = append(n.items, toNode(&value.Elements[i]))
		}
	case hujson.Literal:
		n.text = string(value)
		if n.kind == '"' {
			n.text = literal(value)
		}
	}
	return n
}

// literal is what a string of the text says.
func literal(l hujson.Literal) string {
	var s string
	if err := json.Unmarshal(l, &s); err != nil {
		return strings.Trim(string(l), `"`)
	}
	return s
}

// maxRepaired is how many bytes of broken JSON are read to repair it, all in all: every repair reads the whole again. What
// people paste has a few KiB and one or two mistakes.
const maxRepaired = 128 << 10

// maxRepairs is how many syntax errors of one text are repaired.
const maxRepairs = 60

// repairJSON reads JSON that has syntax errors, as far as the configuration knows how to repair them. It returns what
// was done, in words.
func (p *parser) repairJSON(source string) (*node, []string, bool) {
	var done []string
	for range maxRepairs {
		if p.repaired += len(source); p.repaired > maxRepaired {
			return nil, nil, false
		}
		if n, ok := parseJSON(source); ok {
			return n, done, true
		}
		_, wrong := config.CheckSyntax([]byte(source))
		if wrong == nil {
			return nil, nil, false
		}
		fixed := false
		for _, d := range config.Parse("", []byte(source)).Diagnostics {
			if d.Fix == nil || d.Start != wrong.Start || d.Message != wrong.Message {
				continue
			}
			text, err := config.ApplyChanges([]byte(source), d.Fix.Changes)
			if err != nil || string(text) == source {
				continue
			}
			source, fixed = string(text), true
			done = append(done, d.Fix.Title)
			break
		}
		if !fixed {
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// maxNesting is how deep a value is looked into.
const maxNesting = 6
