package foreign

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// members returns the members of an object; none if n is no object.
func members(n *jsonc.Node) []*jsonc.Node {
	if !n.Is(jsonc.Object) {
		return nil
	}
	return n.Children
}

// items returns the elements of an array; none if n is no array.
func items(n *jsonc.Node) []*jsonc.Node {
	if !n.Is(jsonc.Array) {
		return nil
	}
	return n.Children
}

// firstOf returns the member of an object with the first of names that exists; nil if there is none.
func firstOf(n *jsonc.Node, names ...string) *jsonc.Node {
	for _, name := range names {
		if m := n.Member(name); m != nil {
			return m
		}
	}
	return nil
}

// folded returns the first member of an object with one of some folded names; nil if there is none.
func folded(n *jsonc.Node, names ...string) *jsonc.Node {
	for _, name := range names {
		for _, m := range members(n) {
			if fold(m.Key) == name {
				return m
			}
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

// textOf is scalar for a value that may be an object which only refers to a variable, such as {"env": "NAME"},
// {"$env": "NAME"} and {"source": "env", "id": "NAME"}. Such a value is written as our reference.
func textOf(n *jsonc.Node) (string, bool) {
	name := firstOf(n, "$env", "env", "fromEnv")
	others := 0
	if n.Member("source").Str() == "env" {
		name, others = n.Member("id"), 1
		if n.Member("provider") != nil {
			others = 2
		}
	}
	if name != nil && len(members(n)) == 1+others && shellName.FindString(name.Str()) == name.Str() && name.Str() != "" {
		return "${" + name.Str() + "}", true
	}
	return scalar(n)
}

// parseJSON reads JSON with comments and trailing commas.
func parseJSON(source string) (*jsonc.Node, bool) {
	d := jsonc.Parse([]byte(source))
	return d.Root, d.Broken() == nil
}

// maxRepaired limits how many bytes of broken JSON are read for repairs, in total: every repair reads the
// whole text again. What people paste has a few KiB and one or two mistakes.
const maxRepaired = 128 << 10

// maxRepairs is the largest number of syntax errors that are repaired in one text.
const maxRepairs = 60

// repairJSON reads JSON with syntax errors. It repairs the errors for which the configuration has fixes, and
// returns what it did.
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

// maxNesting is the depth to which a value is searched.
const maxNesting = 6
