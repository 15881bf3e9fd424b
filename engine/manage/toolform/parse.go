package toolform

import (
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// parser makes fields of the nodes of a schema.
type parser struct {
	root *node
	left int // how many fields may still be made
}

// field makes a field of a schema; refs are the references that led to it.
func (p *parser) field(schema *node, depth int, refs []string) *Field {
	p.left--
	switch {
	case p.left < 0:
		return raw(words.New("toolform.fields"))
	case depth > maxDepth:
		return raw(words.New("toolform.too_deep"))
	case schema.is(isTrue):
		return raw(words.Text{})
	case !schema.is(isObject):
		return raw(words.New("toolform.nothing_allowed"))
	}
	schema, refs, why := p.resolve(schema, refs)
	if !why.IsZero() {
		return p.annotate(raw(why), schema)
	}
	return p.annotate(p.shape(schema, depth, refs), schema)
}

// shape makes a field of a schema without references, but for what annotate adds.
func (p *parser) shape(schema *node, depth int, refs []string) *Field {
	if value := schema.get("const"); value != nil {
		return choice([]Option{option(value, "")})
	}
	if values := schema.get("enum"); values.is(isArray) {
		return enum(schema, values)
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches := schema.get(keyword); branches.is(isArray) && len(branches.kids) > 0 {
			if field := p.branches(schema, branches, depth, refs); field != nil {
				return field
			}
		}
	}
	return p.typed(schema, depth, refs)
}

// typed makes a field by the type that a schema says, or that its keywords mean.
func (p *parser) typed(schema *node, depth int, refs []string) *Field {
	types, nullable := typesOf(schema)
	switch len(types) {
	case 0:
		if nullable {
			return newField(KindNull)
		}
		return raw(words.Text{})
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

// typesOf lists the types that a value may have, without null.
func typesOf(schema *node) (types []string, nullable bool) {
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
	switch said := schema.get("type"); {
	case said.is(isString):
		add(said.text)
	case said.is(isArray):
		for _, kid := range said.kids {
			add(kid.string())
		}
	default:
		add(meantType(schema))
	}
	if schema.get("nullable").is(isTrue) { // OpenAPI's way
		nullable = true
	}
	// Every whole number is a number.
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(name string) bool { return name == "integer" })
	}
	return types, nullable
}

// meantType is the type of a schema that doesn't say one.
func meantType(schema *node) string {
	for _, name := range schema.names {
		switch name {
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

func (p *parser) ofType(name string, schema *node, depth int, refs []string) *Field {
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
	return &Field{Kind: kind, MinLength: NoLimit, MaxLength: NoLimit, MinItems: NoLimit, MaxItems: NoLimit}
}

// longText is from how many characters on a text may be long enough for several lines.
const longText = 300

func text(schema *node) *Field {
	field := newField(KindString)
	field.Format = schema.get("format").string()
	field.Pattern = schema.get("pattern").string()
	field.Media = schema.get("contentMediaType").string()
	field.MinLength, field.MaxLength = limit(schema, "minLength"), limit(schema, "maxLength")
	switch {
	case field.Format == "textarea" || field.Format == "multiline" || field.Format == "markdown":
		field.Kind = KindText
	case field.Media != "" || (field.Format == "" && field.MaxLength >= longText) || strings.Contains(schema.get("default").string(), "\n"):
		field.Kind = KindText
	}
	return field
}

// longNames are names of arguments that mostly hold several lines.
func longNames(name string) bool {
	switch strings.ToLower(name) {
	case "content", "contents", "body", "text", "code", "script", "sql", "markdown", "html", "message", "prompt", "diff", "patch",
		"oldtext", "newtext", "old_text", "new_text", "old_str", "new_str", "file_text", "thought", "instructions", "notes":
		return true
	}
	return false
}

func number(kind Kind, schema *node) *Field {
	field := newField(kind)
	spelled := func(name string) string {
		if n := schema.get(name); n.is(isNumber) && len(n.raw) <= maxDigits {
			return n.raw
		}
		return ""
	}
	field.Minimum, field.Maximum = spelled("minimum"), spelled("maximum")
	field.Above, field.Below = spelled("exclusiveMinimum"), spelled("exclusiveMaximum")
	// Draft 4 says with a boolean that the limit itself is out.
	if schema.get("exclusiveMinimum").is(isTrue) {
		field.Above, field.Minimum = field.Minimum, ""
	}
	if schema.get("exclusiveMaximum").is(isTrue) {
		field.Below, field.Maximum = field.Maximum, ""
	}
	field.MultipleOf = spelled("multipleOf")
	return field
}

func (p *parser) array(schema *node, depth int, refs []string) *Field {
	items := schema.get("items")
	if schema.get("prefixItems") != nil || items.is(isArray) {
		return raw(words.New("toolform.places"))
	}
	field := newField(KindArray)
	field.MinItems, field.MaxItems = limit(schema, "minItems"), limit(schema, "maxItems")
	field.Unique = schema.get("uniqueItems").is(isTrue)
	if items == nil {
		field.Item = raw(words.Text{})
		return field
	}
	field.Item = p.field(items, depth+1, refs)
	return field
}

func (p *parser) object(schema *node, depth int, refs []string) *Field {
	properties, additional := schema.get("properties"), schema.get("additionalProperties")
	if schema.get("patternProperties") != nil {
		return raw(words.New("toolform.patterns"))
	}
	if !properties.is(isObject) || len(properties.kids) == 0 {
		if additional.is(isObject) || (depth > 0 && additional.is(isTrue)) {
			field := newField(KindMap)
			field.Item = p.field(additional, depth+1, refs)
			return field
		}
		if depth > 0 && properties == nil && !additional.is(isFalse) {
			return raw(words.Text{})
		}
	}
	field := newField(KindObject)
	field.Closed = additional.is(isFalse)
	if !properties.is(isObject) {
		return field
	}
	if len(properties.names) > maxFields {
		return raw(words.New("toolform.fields"))
	}
	required := map[string]bool{}
	if list := schema.get("required"); list.is(isArray) {
		for _, name := range list.kids {
			required[name.string()] = name.is(isString)
		}
	}
	seen := map[string]bool{}
	for _, name := range properties.names {
		if seen[name] {
			continue
		}
		seen[name] = true
		property := properties.get(name)
		if property.is(isFalse) {
			continue // it must not be there
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

// annotate adds what a schema says about a field besides its shape.
func (p *parser) annotate(field *Field, schema *node) *Field {
	if !schema.is(isObject) {
		return field
	}
	if title := schema.get("title").string(); title != "" {
		field.Title = title
	}
	if description := schema.get("description").string(); description != "" {
		field.Description = description
	}
	if value := schema.get("default"); value != nil {
		field.Default = value.json()
	}
	if list := schema.get("examples"); list.is(isArray) {
		for _, example := range list.kids[:min(3, len(list.kids))] {
			field.Examples = append(field.Examples, example.json())
		}
	} else if example := schema.get("example"); example != nil {
		field.Examples = append(field.Examples, example.json())
	}
	field.ReadOnly = schema.get("readOnly").is(isTrue)
	field.Deprecated = schema.get("deprecated").is(isTrue)
	return field
}

func limit(schema *node, keyword string) int {
	if count, ok := schema.get(keyword).integer(); ok {
		return count
	}
	return NoLimit
}

func enum(schema, values *node) *Field {
	if len(values.kids) == 0 || len(values.kids) > maxOptions {
		return raw(words.New("toolform.choices"))
	}
	names := schema.get("enumNames") // a usual extension
	var options []Option
	for i, value := range values.kids {
		title := ""
		if names.is(isArray) && len(names.kids) == len(values.kids) {
			title = names.kids[i].string()
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

func option(value *node, title string) Option {
	if title == "" {
		title = value.string()
	}
	if title == "" {
		title = string(value.json())
	}
	return Option{Value: value.json(), Title: title}
}

// pointer finds what a local reference means: "#", or "#/" and a JSON pointer.
func (p *parser) pointer(reference string) *node {
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
		case at.is(isObject):
			at = at.get(token)
		case at.is(isArray):
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at.kids) {
				return nil
			}
			at = at.kids[i]
		default:
			return nil
		}
	}
	return at
}
