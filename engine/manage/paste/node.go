package paste

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// members returns the members of an object, none of anything else.
func members(n *jsonc.Node) []*jsonc.Node {
	if n == nil || n.Kind != jsonc.Object {
		return nil
	}
	return n.Children
}

// items returns the elements of an array, none of anything else.
func items(n *jsonc.Node) []*jsonc.Node {
	if n == nil || n.Kind != jsonc.Array {
		return nil
	}
	return n.Children
}

// firstOf returns the member of an object that has one of some names, the first name first; nil when there is none.
func firstOf(n *jsonc.Node, names ...string) *jsonc.Node {
	for _, name := range names {
		if m := n.Member(name); m != nil {
			return m
		}
	}
	return nil
}

// scalar returns a string, a number or a truth value as text.
func scalar(n *jsonc.Node) (string, bool) {
	switch {
	case n == nil:
	case n.Kind == jsonc.String:
		return n.Str(), true
	case n.Kind == jsonc.Number || n.Kind == jsonc.True || n.Kind == jsonc.False:
		return n.Raw(), true
	}
	return "", false
}

// parseJSON reads JSON with comments and trailing commas.
func parseJSON(source string) (*jsonc.Node, bool) {
	d := jsonc.Parse([]byte(source))
	return d.Root, d.Broken() == nil
}

// maxRepaired is how many bytes of broken JSON are read to repair it, all in all: every repair reads the whole again. What
// people paste has a few KiB and one or two mistakes.
const maxRepaired = 128 << 10

// maxRepairs is how many syntax errors of one text are repaired.
const maxRepairs = 60

// repairJSON reads JSON that has syntax errors, as far as the configuration knows how to repair them. It returns what
// was done, in words.
func (p *parser) repairJSON(source string) (*jsonc.Node, []words.Text, bool) {
	var done []words.Text
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
			if d.Fix == nil || d.Start != wrong.Start || d.Code != wrong.Code {
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
