package toolform

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// unescape decodes a token of a JSON pointer in a reference.
func unescape(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}

// maxRefs is the largest number of references that lead to one field.
const maxRefs = 32

// resolve follows references and merges the schemas of "allOf", where that is simple. refs are the references that led
// here; resolve returns them with its own. odd is set if it is not simple: a form cannot show the schema.
func (p *parser) resolve(schema *jsonc.Node, refs []string) (_ *jsonc.Node, _ []string, odd bool) {
	for {
		next, ok := schema, false
		switch {
		case schema.LastMember("$ref") != nil:
			next, refs, ok = p.followRef(schema, refs)
		case schema.LastMember("allOf") != nil:
			next, refs, ok = p.mergeAllOf(schema, refs)
		default:
			dynamic := schema.LastMember("$dynamicRef") != nil || schema.LastMember("$recursiveRef") != nil
			conditional := schema.LastMember("if") != nil && schema.LastMember("properties") == nil
			return schema, refs, dynamic || conditional
		}
		if !ok {
			return schema, refs, true
		}
		schema = next
	}
}

// followRef replaces the "$ref" of a schema by what it refers to.
func (p *parser) followRef(schema *jsonc.Node, refs []string) (*jsonc.Node, []string, bool) {
	reference := schema.LastMember("$ref").Str()
	target := p.pointer(reference)
	if slices.Contains(refs, reference) || len(refs) >= maxRefs {
		return nil, refs, false
	}
	switch {
	case target.Is(jsonc.True):
		target = &jsonc.Node{Kind: jsonc.Object}
	case !target.Is(jsonc.Object):
		return nil, refs, false
	}
	// Keywords beside the reference are about this place, so they take precedence.
	merged, ok := merge(target, without(schema, "$ref"))
	return merged, append(slices.Clone(refs), reference), ok
}

// mergeAllOf replaces the "allOf" of a schema by the members of its schemas.
func (p *parser) mergeAllOf(schema *jsonc.Node, refs []string) (*jsonc.Node, []string, bool) {
	parts := schema.LastMember("allOf")
	if !parts.Is(jsonc.Array) || len(parts.Children) > maxChoices {
		return nil, refs, false
	}
	merged := &jsonc.Node{Kind: jsonc.Object}
	for _, part := range parts.Children {
		if part.Is(jsonc.True) {
			continue
		}
		if !part.Is(jsonc.Object) {
			return nil, refs, false
		}
		resolved, all, odd := p.resolve(part, refs)
		if odd || len(all) > maxRefs {
			return nil, refs, false
		}
		refs = all
		var ok bool
		if merged, ok = merge(merged, resolved); !ok || size(merged) > maxFields*50 {
			return nil, refs, false
		}
	}
	merged, ok := merge(merged, without(schema, "allOf"))
	return merged, refs, ok
}

// without returns an object without one of its members.
func without(n *jsonc.Node, name string) *jsonc.Node {
	kept := slices.DeleteFunc(slices.Clone(n.Children), func(kid *jsonc.Node) bool { return kid.Key == name })
	return &jsonc.Node{Kind: n.Kind, Children: kept}
}

// merge combines two schemas that a value must match both. It fails unless the result is simply the members
// of both. Titles and descriptions are taken from over.
func merge(under, over *jsonc.Node) (*jsonc.Node, bool) {
	if len(under.Children) > maxFields || len(over.Children) > maxFields {
		return nil, false
	}
	out := &jsonc.Node{Kind: jsonc.Object, Children: slices.Clone(under.Children)}
	for _, value := range over.Children {
		at := index(out, value.Key)
		if at < 0 {
			out.Children = append(out.Children, value)
			continue
		}
		have := out.Children[at]
		switch value.Key {
		case "title", "description", "default", "examples", "example", "$comment", "$schema", "$id", "deprecated",
			"readOnly":
			out.Children[at] = value
		case "$defs", "definitions":
		case "required":
			if !have.Is(jsonc.Array) || !value.Is(jsonc.Array) {
				return nil, false
			}
			out.Children[at] = &jsonc.Node{Kind: jsonc.Array, Key: value.Key,
				Children: slices.Concat(have.Children, value.Children)}
		case "properties":
			joined, ok := mergeProperties(have, value)
			if !ok {
				return nil, false
			}
			out.Children[at] = joined
		default:
			if !jsonc.Equal(have, value) {
				return nil, false
			}
		}
	}
	return out, true
}

func mergeProperties(under, over *jsonc.Node) (*jsonc.Node, bool) {
	if !under.Is(jsonc.Object) || !over.Is(jsonc.Object) || len(under.Children) > maxFields ||
		len(over.Children) > maxFields {
		return nil, false
	}
	out := &jsonc.Node{Kind: jsonc.Object, Key: over.Key, Children: slices.Clone(under.Children)}
	for _, value := range over.Children {
		if at := index(out, value.Key); at < 0 {
			out.Children = append(out.Children, value)
		} else if !jsonc.Equal(out.Children[at], value) {
			return nil, false
		}
	}
	return out, true
}

// index returns which child of an object has a name, or -1.
func index(n *jsonc.Node, name string) int {
	return slices.IndexFunc(n.Children, func(kid *jsonc.Node) bool { return kid.Key == name })
}

// branches makes a field from "oneOf" or "anyOf". It returns nil if the branches only say which members go
// together; that is checked but not shown.
func (p *parser) branches(schema, branches *jsonc.Node, depth int, refs []string) *Field {
	if len(branches.Children) > maxOptions {
		return raw()
	}
	if !slices.ContainsFunc(branches.Children, describesValue) {
		return nil
	}
	if schema.LastMember("properties") != nil ||
		(schema.LastMember("oneOf") != nil && schema.LastMember("anyOf") != nil) {
		return raw()
	}
	if field := named(branches); field != nil {
		return field
	}
	nullable := false
	var alternatives []*Field
	for i, branch := range branches.Children {
		if branch.Is(jsonc.Object) && branch.LastMember("type").Str() == "null" {
			nullable = true
			continue
		}
		if len(alternatives) >= maxChoices {
			return raw()
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

// describesValue reports whether a branch describes the form of a value, and not only which members go together.
func describesValue(branch *jsonc.Node) bool {
	if !branch.Is(jsonc.Object) {
		return true
	}
	for _, kid := range branch.Children {
		switch kid.Key {
		case "required", "not", "title", "description", "$comment":
		default:
			return true
		}
	}
	return false
}

// alternative makes a field from one branch. A branch without a type has the type of the whole schema.
func (p *parser) alternative(schema, branch *jsonc.Node, depth int, refs []string) *Field {
	if branch.Is(jsonc.Object) && branch.LastMember("type") == nil && branch.LastMember("$ref") == nil &&
		branch.LastMember("const") == nil && branch.LastMember("enum") == nil {
		if said := schema.LastMember("type"); said != nil {
			branch = &jsonc.Node{Kind: jsonc.Object, Children: append(slices.Clone(branch.Children), said)}
		}
	}
	return p.field(branch, depth+1, refs)
}

// named makes a choice from branches that are single values, a usual form of an enumeration with titles.
func named(branches *jsonc.Node) *Field {
	var options []Option
	for _, branch := range branches.Children {
		if !branch.Is(jsonc.Object) {
			return nil
		}
		value := branch.LastMember("const")
		if list := branch.LastMember("enum"); value == nil && list.Is(jsonc.Array) && len(list.Children) == 1 {
			value = list.Children[0]
		}
		if value == nil {
			return nil
		}
		title := branch.LastMember("title").Str()
		if title == "" && value.Is(jsonc.String) {
			title = value.Str()
		}
		options = append(options, option(value, title))
	}
	return choice(options)
}

// titleAlternatives gives each alternative a title: its own, or the value that distinguishes it, or none, in
// which case its type is shown.
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
	// Equal titles could not be told apart.
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
