package toolform

import (
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// parser makes fields from the nodes of a schema.
type parser struct {
	root *jsonc.Node
	left int // how many fields may still be made
}

// field makes a field from a schema. refs are the references that led to it.
func (p *parser) field(schema *jsonc.Node, depth int, refs []string) *Field {
	p.left--
	switch {
	case p.left < 0:
		return raw()
	case depth > maxDepth:
		return raw()
	case schema.Is(jsonc.True):
		return raw()
	case !schema.Is(jsonc.Object):
		return raw()
	}
	schema, refs, odd := p.resolve(schema, refs)
	if odd {
		return p.annotate(raw(), schema)
	}
	return p.annotate(p.shape(schema, depth, refs), schema)
}

// shape makes a field from a schema without references. annotate adds the rest.
func (p *parser) shape(schema *jsonc.Node, depth int, refs []string) *Field {
	if value := schema.LastMember("const"); value != nil {
		return choice([]Option{option(value, "")})
	}
	if values := schema.LastMember("enum"); values.Is(jsonc.Array) {
		return enum(schema, values)
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches := schema.LastMember(keyword); branches.Is(jsonc.Array) && len(branches.Children) > 0 {
			if field := p.branches(schema, branches, depth, refs); field != nil {
				return field
			}
		}
	}
	return p.typed(schema, depth, refs)
}

// typed makes a field from the type that a schema states or that its keywords imply.
func (p *parser) typed(schema *jsonc.Node, depth int, refs []string) *Field {
	types, nullable := typesOf(schema)
	switch len(types) {
	case 0:
		if nullable {
			return newField(KindNull)
		}
		return raw()
	case 1:
		field := p.ofType(types[0], schema, depth, refs)
		field.Nullable = nullable
		return field
	}
	field := newField(KindUnion)
	field.Nullable = nullable
	for i, name := range types {
		alternative := p.ofType(name, schema, depth+1, refs)
		alternative.branch = []int{i}
		field.Alternatives = append(field.Alternatives, alternative)
	}
	return field
}

// typesOf returns the types that a value may have, without null.
func typesOf(schema *jsonc.Node) (types []string, nullable bool) {
	add := func(name string) {
		switch name {
		case "null":
			nullable = true
		case "string", "number", "integer", "boolean", "array", "object":
			if !slices.Contains(types, name) {
				types = append(types, name)
			}
		}
	}
	switch said := schema.LastMember("type"); {
	case said.Is(jsonc.String):
		add(said.Str())
	case said.Is(jsonc.Array):
		for _, kid := range said.Children {
			add(kid.Str())
		}
	default:
		add(meantType(schema))
	}
	if schema.LastMember("nullable").Is(jsonc.True) { // the form of OpenAPI
		nullable = true
	}
	// An integer is also a number.
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(name string) bool { return name == "integer" })
	}
	return types, nullable
}

// meantType returns the type that the keywords of a schema without "type" imply.
func meantType(schema *jsonc.Node) string {
	for _, kid := range schema.Children {
		switch kid.Key {
		case "properties":
			return "object"
		case "items":
			return "array"
		case "pattern", "minLength", "maxLength":
			return "string"
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
			return "number"
		}
	}
	return ""
}

func (p *parser) ofType(name string, schema *jsonc.Node, depth int, refs []string) *Field {
	switch name {
	case "string":
		return text(schema)
	case "number":
		return number(KindNumber, schema)
	case "integer":
		return number(KindInteger, schema)
	case "boolean":
		return newField(KindBoolean)
	case "array":
		return p.array(schema, depth, refs)
	}
	return p.object(schema, depth, refs)
}

func newField(kind Kind) *Field {
	return &Field{Kind: kind, MaxLength: NoLimit}
}

// longText is the length limit, in characters, from which a text gets several lines.
const longText = 300

func text(schema *jsonc.Node) *Field {
	field := newField(KindString)
	field.Format = schema.LastMember("format").Str()
	field.Media = schema.LastMember("contentMediaType").Str()
	field.MaxLength = limit(schema, "maxLength")
	switch {
	case field.Format == "textarea" || field.Format == "multiline" || field.Format == "markdown":
		field.Kind = KindText
	case field.Media != "" || (field.Format == "" && field.MaxLength >= longText) ||
		strings.Contains(schema.LastMember("default").Str(), "\n"):
		field.Kind = KindText
	}
	return field
}

// longNames reports whether an argument of this name usually has several lines.
func longNames(name string) bool {
	switch strings.ToLower(name) {
	case "content", "contents", "body", "text", "code", "script", "sql", "markdown", "html", "message", "prompt", "diff",
		"patch",
		"oldtext", "newtext", "old_text", "new_text", "old_str", "new_str", "file_text", "thought", "instructions", "notes":
		return true
	}
	return false
}

func number(kind Kind, schema *jsonc.Node) *Field {
	field := newField(kind)
	spelled := func(name string) string {
		if n := schema.LastMember(name); n.Is(jsonc.Number) && len(n.Raw()) <= maxDigits {
			return n.Raw()
		}
		return ""
	}
	field.Minimum, field.Maximum = spelled("minimum"), spelled("maximum")
	// In draft 4, true means that the limit itself is excluded.
	if schema.LastMember("exclusiveMinimum").Is(jsonc.True) {
		field.Minimum = ""
	}
	if schema.LastMember("exclusiveMaximum").Is(jsonc.True) {
		field.Maximum = ""
	}
	return field
}

func (p *parser) array(schema *jsonc.Node, depth int, refs []string) *Field {
	items := schema.LastMember("items")
	if schema.LastMember("prefixItems") != nil || items.Is(jsonc.Array) {
		return raw()
	}
	field := newField(KindArray)
	if items == nil {
		field.Item = raw()
		return field
	}
	field.Item = p.field(items, depth+1, refs)
	return field
}

func (p *parser) object(schema *jsonc.Node, depth int, refs []string) *Field {
	properties, additional := schema.LastMember("properties"), schema.LastMember("additionalProperties")
	if schema.LastMember("patternProperties") != nil {
		return raw()
	}
	if !properties.Is(jsonc.Object) || len(properties.Children) == 0 {
		if additional.Is(jsonc.Object) || (depth > 0 && additional.Is(jsonc.True)) {
			field := newField(KindMap)
			field.Item = p.field(additional, depth+1, refs)
			return field
		}
		if depth > 0 && properties == nil && !additional.Is(jsonc.False) {
			return raw()
		}
	}
	field := newField(KindObject)
	if !properties.Is(jsonc.Object) {
		return field
	}
	if len(properties.Children) > maxFields {
		return raw()
	}
	required := map[string]bool{}
	if list := schema.LastMember("required"); list.Is(jsonc.Array) {
		for _, name := range list.Children {
			required[name.Str()] = name.Is(jsonc.String)
		}
	}
	seen := map[string]bool{}
	for _, name := range properties.Keys() {
		if seen[name] {
			continue
		}
		seen[name] = true
		property := properties.LastMember(name)
		if property.Is(jsonc.False) {
			continue // the member must be absent
		}
		member := p.field(property, depth+1, refs)
		member.Name, member.Required = name, required[name]
		if member.Kind == KindString && member.Format == "" && len(member.Examples) == 0 && longNames(name) {
			member.Kind = KindText
		}
		field.Fields = append(field.Fields, member)
	}
	return field
}

// annotate adds title, description and other information from a schema to a field.
func (p *parser) annotate(field *Field, schema *jsonc.Node) *Field {
	if !schema.Is(jsonc.Object) {
		return field
	}
	if title := schema.LastMember("title").Str(); title != "" {
		field.Title = title
	}
	if description := schema.LastMember("description").Str(); description != "" {
		field.Description = description
	}
	if value := schema.LastMember("default"); value != nil {
		field.Default = asJSON(value)
	}
	if list := schema.LastMember("examples"); list.Is(jsonc.Array) {
		for _, example := range list.Children[:min(3, len(list.Children))] {
			field.Examples = append(field.Examples, asJSON(example))
		}
	} else if example := schema.LastMember("example"); example != nil {
		field.Examples = append(field.Examples, asJSON(example))
	}
	return field
}

func limit(schema *jsonc.Node, keyword string) int {
	if count, ok := integer(schema.LastMember(keyword)); ok {
		return count
	}
	return NoLimit
}

func enum(schema, values *jsonc.Node) *Field {
	if len(values.Children) == 0 || len(values.Children) > maxOptions {
		return raw()
	}
	names := schema.LastMember("enumNames") // a common extension
	var options []Option
	for i, value := range values.Children {
		title := ""
		if names.Is(jsonc.Array) && len(names.Children) == len(values.Children) {
			title = names.Children[i].Str()
		}
		options = append(options, option(value, title))
	}
	return choice(options)
}

func choice(options []Option) *Field {
	field := newField(KindChoice)
	field.Options = options
	return field
}

func option(value *jsonc.Node, title string) Option {
	if title == "" {
		title = value.Str()
	}
	if title == "" {
		title = value.Compact()
	}
	return Option{Value: asJSON(value), Title: title, node: value}
}

// pointer returns the schema of a local reference: "#", or "#/" with a JSON pointer.
func (p *parser) pointer(reference string) *jsonc.Node {
	path, local := strings.CutPrefix(reference, "#")
	if !local {
		return nil
	}
	at := p.root
	if path == "" {
		return at
	}
	if path[0] != '/' || strings.Count(path, "/") > maxNesting {
		return nil
	}
	for token := range strings.SplitSeq(path[1:], "/") {
		token = unescape(token)
		switch {
		case at.Is(jsonc.Object):
			at = at.LastMember(token)
		case at.Is(jsonc.Array):
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at.Children) {
				return nil
			}
			at = at.Children[i]
		default:
			return nil
		}
	}
	return at
}
