package toolform

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// unescape undoes the escapes of a token of a reference.
func unescape(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}

// maxRefs is how many references may lead to one field.
const maxRefs = 32

// resolve follows references and merges what "allOf" joins, where that is possible without thought. Why is what is beyond the
// form.
func (p *parser) resolve(schema *node, refs []string) (_ *node, _ []string, why words.Text) {
	for {
		reference := schema.get("$ref")
		if reference == nil && schema.get("allOf") == nil {
			if schema.get("$dynamicRef") != nil || schema.get("$recursiveRef") != nil {
				return schema, refs, words.New("toolform.odd_reference")
			}
			if schema.get("if") != nil && schema.get("properties") == nil {
				return schema, refs, words.New("toolform.depends")
			}
			return schema, refs, words.Text{}
		}
		if reference != nil {
			target := p.pointer(reference.string())
			switch {
			case target == nil:
				return schema, refs, words.New("toolform.missing_reference")
			case slices.Contains(refs, reference.string()), len(refs) >= maxRefs:
				return schema, refs, words.New("toolform.circle")
			case target.is(isTrue):
				target = &node{kind: isObject}
			case !target.is(isObject):
				return schema, refs, words.New("toolform.missing_reference")
			}
			refs = append(slices.Clone(refs), reference.string())
			// What stands beside the reference is about this place, so it counts more.
			merged, ok := merge(target, without(schema, "$ref"))
			if !ok {
				return schema, refs, words.New("toolform.joins")
			}
			schema = merged
			continue
		}
		parts := schema.get("allOf")
		if !parts.is(isArray) || len(parts.kids) > maxChoices {
			return schema, refs, words.New("toolform.joins")
		}
		merged := &node{kind: isObject}
		for _, part := range parts.kids {
			if part.is(isTrue) {
				continue
			}
			if !part.is(isObject) {
				return schema, refs, words.New("toolform.joins")
			}
			resolved, inner, why := p.resolve(part, refs)
			if !why.IsZero() {
				return schema, refs, why
			}
			if len(inner) > maxRefs {
				return schema, refs, words.New("toolform.circle")
			}
			refs = inner
			var ok bool
			if merged, ok = merge(merged, resolved); !ok {
				return schema, refs, words.New("toolform.joins")
			}
			if merged.size() > maxFields*50 {
				return schema, refs, words.New("toolform.too_big")
			}
		}
		merged, ok := merge(merged, without(schema, "allOf"))
		if !ok {
			return schema, refs, words.New("toolform.joins")
		}
		schema = merged
	}
}

// without returns an object without a member.
func without(n *node, name string) *node {
	out := &node{kind: n.kind}
	for i, have := range n.names {
		if have != name {
			out.names = append(out.names, have)
			out.kids = append(out.kids, n.kids[i])
		}
	}
	return out
}

// merge joins two schemas that a value has to fit both. It fails where that is more than putting them side by side. Of
// words for people those of over are taken.
func merge(under, over *node) (*node, bool) {
	if len(under.names) > maxFields || len(over.names) > maxFields {
		return nil, false
	}
	out := &node{kind: isObject, names: slices.Clone(under.names), kids: slices.Clone(under.kids)}
	for i, name := range over.names {
		value := over.kids[i]
		at := slices.Index(out.names, name)
		if at < 0 {
			out.names, out.kids = append(out.names, name), append(out.kids, value)
			continue
		}
		have := out.kids[at]
		switch name {
		case "title", "description", "default", "examples", "example", "$comment", "$schema", "$id", "deprecated", "readOnly":
			out.kids[at] = value
		case "$defs", "definitions":
		case "required":
			if !have.is(isArray) || !value.is(isArray) {
				return nil, false
			}
			out.kids[at] = &node{kind: isArray, kids: slices.Concat(have.kids, value.kids)}
		case "properties":
			joined, ok := mergeProperties(have, value)
			if !ok {
				return nil, false
			}
			out.kids[at] = joined
		default:
			if string(have.json()) != string(value.json()) {
				return nil, false
			}
		}
	}
	return out, true
}

func mergeProperties(under, over *node) (*node, bool) {
	if !under.is(isObject) || !over.is(isObject) || len(under.names) > maxFields || len(over.names) > maxFields {
		return nil, false
	}
	out := &node{kind: isObject, names: slices.Clone(under.names), kids: slices.Clone(under.kids)}
	for i, name := range over.names {
		if at := slices.Index(out.names, name); at < 0 {
			out.names, out.kids = append(out.names, name), append(out.kids, over.kids[i])
		} else if string(out.kids[at].json()) != string(over.kids[i].json()) {
			return nil, false
		}
	}
	return out, true
}

// branches makes a field of "oneOf" or "anyOf". It gives nil when they say nothing about the shape, only about what goes
// together, which is checked and not shown.
func (p *parser) branches(schema, branches *node, depth int, refs []string) *Field {
	if len(branches.kids) > maxOptions {
		return raw(words.New("toolform.choices"))
	}
	if !slices.ContainsFunc(branches.kids, shapes) {
		return nil
	}
	if schema.get("properties") != nil || (schema.get("oneOf") != nil && schema.get("anyOf") != nil) {
		return raw(words.New("toolform.shapes"))
	}
	if field := named(branches); field != nil {
		return field
	}
	nullable := false
	var alternatives []*Field
	for i, branch := range branches.kids {
		if branch.is(isObject) && branch.get("type").string() == "null" {
			nullable = true
			continue
		}
		if len(alternatives) >= maxChoices {
			return raw(words.New("toolform.choices"))
		}
		alternative := p.alternative(schema, branch, depth, refs)
		alternative.branch = []int{i}
		alternatives = append(alternatives, alternative)
	}
	if len(alternatives) == 0 {
		return newField(KindNull)
	}
	if len(alternatives) == 1 {
		alternatives[0].Nullable = alternatives[0].Nullable || nullable
		return alternatives[0]
	}
	field := newField(KindUnion)
	field.Nullable = nullable
	field.Alternatives = alternatives
	titleAlternatives(alternatives)
	return field
}

// shapes reports whether a branch says what a value looks like, and not only which members go together.
func shapes(branch *node) bool {
	if !branch.is(isObject) {
		return true
	}
	for _, name := range branch.names {
		switch name {
		case "required", "not", "title", "description", "$comment":
		default:
			return true
		}
	}
	return false
}

// alternative makes a field of one branch, which takes the type of the whole when it says none.
func (p *parser) alternative(schema, branch *node, depth int, refs []string) *Field {
	if branch.is(isObject) && branch.get("type") == nil && branch.get("$ref") == nil && branch.get("const") == nil && branch.get("enum") == nil {
		if said := schema.get("type"); said != nil {
			branch = &node{kind: isObject, names: append(slices.Clone(branch.names), "type"), kids: append(slices.Clone(branch.kids), said)}
		}
	}
	return p.field(branch, depth+1, refs)
}

// named makes a choice of branches that are single values, as one writes an enumeration with titles.
func named(branches *node) *Field {
	var options []Option
	for _, branch := range branches.kids {
		if !branch.is(isObject) {
			return nil
		}
		value := branch.get("const")
		if list := branch.get("enum"); value == nil && list.is(isArray) && len(list.kids) == 1 {
			value = list.kids[0]
		}
		if value == nil {
			return nil
		}
		title := branch.get("title").string()
		if title == "" && value.is(isString) {
			title = value.text
		}
		options = append(options, option(value, title))
	}
	return choice(options)
}

// titleAlternatives names each alternative: its title, the value by which it is told apart, else none, and
// then it is called by its type.
func titleAlternatives(alternatives []*Field) {
	for _, alternative := range alternatives {
		if alternative.Title != "" || alternative.Kind != KindObject {
			continue
		}
		for _, member := range alternative.Fields {
			if member.Kind == KindChoice && len(member.Options) == 1 {
				alternative.Title = member.Options[0].Title
				break
			}
		}
	}
	// Two of a name could not be told apart.
	count := map[string]int{}
	for _, alternative := range alternatives {
		if alternative.Title == "" {
			continue
		}
		count[alternative.Title]++
		if n := count[alternative.Title]; n > 1 {
			alternative.Title += " (" + strconv.Itoa(n) + ")"
		}
	}
}
