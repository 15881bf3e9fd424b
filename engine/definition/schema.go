package definition

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// schemaRoot is a schema that is being corrected.
//
// Models read the schema of a tool's arguments. SDKs for TypeScript make a program from the schema of its results:
// version 1 does so for all tools when it lists them, and if one schema is wrong, it fails for all of them. So the
// schema of results loses everything that cannot be made into a program.
type schemaRoot struct {
	raw    json.RawMessage
	output bool
	tuples bool // the schema declares a draft in which items may be a list
	budget int  // bytes that may be searched for references
}

// maxSearched is how many bytes of one definition are searched for what its references name.
const maxSearched = 32 << 20

// rootSchema corrects the schema of a tool's arguments or results.
func (m *mender) rootSchema(place string, is kind, raw json.RawMessage) (json.RawMessage, bool) {
	output := is == outputSchema
	switch string(raw) {
	case "null", "true", "[]", "{}":
		return json.RawMessage(`{"type":"object"}`), !output // of results, it would say nothing
	}
	if raw[0] != '{' {
		m.unusable = place
		return nil, false
	}
	m.schema = &schemaRoot{raw: raw, output: output, budget: maxSearched}
	switch dialect, _ := jsonrpc.String(jsonrpc.Lookup(raw, "$schema")); {
	case strings.Contains(dialect, "/draft-0"), strings.Contains(dialect, "/2019-09/"):
		m.schema.tuples = true
	}
	defer func() { m.schema = nil }()
	if !output {
		var ok bool
		if raw, ok = m.ofObjects(place, raw); !ok {
			return nil, false
		}
	}
	for range maxRounds {
		mended := m.members(place, raw)
		if sameBytes(mended, raw) {
			return raw, !output || len(raw) > len("{}")
		}
		raw, m.schema.raw = mended, mended // a reference may have named what is gone now
	}
	return raw, !output
}

// maxRounds is how often a schema is corrected until nothing is left to correct.
const maxRounds = 10

// ofObjects gives the schema of a tool's arguments the type "object", which is the only one that arguments
// have. ok is false if the schema says that they are something else.
func (m *mender) ofObjects(place string, raw json.RawMessage) (json.RawMessage, bool) {
	declared := jsonrpc.Lookup(raw, "type")
	name, isText := jsonrpc.String(declared)
	names, _ := jsonrpc.Elements(declared)
	switch {
	case isText && name == "object":
		return raw, true
	case declared == nil, string(declared) == "null", isText && typeName(name) == "object",
		slices.ContainsFunc(names, func(raw json.RawMessage) bool { return string(raw) == `"object"` }):
		members := slices.DeleteFunc(jsonrpc.Split(raw), func(m jsonrpc.Member) bool { return m.Name == "type" })
		members = slices.Insert(members, 0, jsonrpc.Member{Name: "type", Value: json.RawMessage(`"object"`)})
		return jsonrpc.AppendObject(nil, members), true
	}
	m.unusable = within(place, "type")
	return nil, false
}

// subschema corrects a schema within another one.
func (m *mender) subschema(place string, raw json.RawMessage) (json.RawMessage, bool) {
	switch {
	case raw[0] == '{':
		return m.members(place, raw), true
	case string(raw) == "[]":
		return json.RawMessage("{}"), true
	case raw[0] == 't', raw[0] == 'f':
		return raw, true
	}
	if name, ok := jsonrpc.String(raw); ok && typeName(name) != "" {
		m.changed(place)
		return json.RawMessage(`{"type":"` + typeName(name) + `"}`), true
	}
	return nil, false
}

// described corrects a schema that the SDKs for TypeScript and Python want to be an object.
func (m *mender) described(place string, raw json.RawMessage) json.RawMessage {
	switch string(raw) {
	case "true", "null", "[]":
		return json.RawMessage("{}")
	case "false":
		return json.RawMessage(`{"not":{}}`)
	}
	mended, ok := m.subschema(place, raw)
	if !ok {
		m.lost(place)
		return json.RawMessage("{}")
	}
	return mended
}

// members corrects the keywords of a schema.
func (m *mender) members(place string, raw json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(raw)
	kept := make([]jsonrpc.Member, 0, len(members))
	same := true
	seen := make(map[string]int, len(members))
	for _, member := range members {
		name, value, ok := m.keyword(place, raw, member)
		same = same && ok && name == member.Name && sameBytes(value, member.Value)
		if !ok {
			continue
		}
		if at, twice := seen[name]; twice { // programs take the last of several
			kept[at].Value, same = value, false
			continue
		}
		seen[name] = len(kept)
		kept = append(kept, jsonrpc.Member{Name: name, Value: value})
	}
	if !m.schema.output && lacksItems(kept) {
		same, kept = false, append(kept, jsonrpc.Member{Name: "items", Value: json.RawMessage("{}")})
	}
	if same {
		return raw
	}
	return jsonrpc.AppendObject(nil, kept)
}

// lacksItems reports whether a schema of arrays says nothing about their elements. OpenAI, Gemini and Copilot refuse
// every request with such an argument; "any" has to be said.
func lacksItems(schema []jsonrpc.Member) bool {
	declared := jsonrpc.ValueOf(schema, "type")
	name, _ := jsonrpc.String(declared)
	names, _ := jsonrpc.Elements(declared)
	return jsonrpc.ValueOf(schema, "items") == nil && (name == "array" ||
		slices.ContainsFunc(names, func(raw json.RawMessage) bool { return string(raw) == `"array"` }))
}

// keyword corrects a keyword of a schema. ok is false if the keyword is left out.
func (m *mender) keyword(place string, schema json.RawMessage,
	member jsonrpc.Member) (name string, value json.RawMessage, ok bool) {
	name, value = member.Name, member.Value
	at, is := within(place, name), useOf(name)
	if is == 0 {
		return name, value, true
	}
	if string(value) == "null" || m.schema.idle(name, is, schema, value) {
		return name, nil, false
	}
	switch is {
	case useSchema:
		value, ok = m.subschema(at, value)
	case useSchemas:
		value, ok = m.schemas(at, value)
	case useProperties, useSchemaMap, useEither, useNameLists:
		value, ok = m.schemaMap(at, is, value)
	case useItems:
		if value[0] != '[' {
			value, ok = m.described(at, value), true
			break
		}
		if m.schema.output && !m.schema.tuples {
			name = "prefixItems"
		}
		value, ok = m.schemas(at, value)
	case useNames:
		value, ok = m.names(at, value)
	case useType:
		value, ok = m.typeNames(at, value)
	case useNumber:
		value, ok = m.number(at, &entry{is: number}, value)
	case useCount:
		value, ok = m.number(at, &entry{is: whole, most: 1 << 53}, value)
	case useLimit:
		if string(value) == "true" { // draft 4: the limit itself is in the other keyword
			value = jsonrpc.Lookup(schema, otherLimit(name))
		}
		value, ok = m.number(at, &entry{is: number}, value)
	case useFlag:
		value, ok = m.flag(at, anyFlag, value)
	case useText, useIdentity:
		value, ok = m.text(at, anyText, value)
	case usePattern:
		pattern, isText := jsonrpc.String(value)
		ok = isText && (!m.schema.output || runs(pattern))
	case useReference:
		reference, isText := jsonrpc.String(value)
		ok = isText && m.schema.resolves(reference)
	case useValues:
		ok = value[0] == '[' && len(value) > len("[]")
	case useObject:
		ok = value[0] == '{'
	case useOld:
		ok = !m.schema.output
	}
	if !ok {
		m.lost(at)
	}
	return name, value, ok
}

// idle reports whether a keyword says nothing, or nothing that is needed.
func (r *schemaRoot) idle(name string, is use, schema, value json.RawMessage) bool {
	text, isText := jsonrpc.String(value)
	switch is {
	case useLimit:
		return string(value) == "false" || string(value) == "true" && !isNumber(jsonrpc.Lookup(schema, otherLimit(name)))
	case useNumber: // see useLimit
		return (name == "minimum" || name == "maximum") && string(jsonrpc.Lookup(schema, otherLimit(name))) == "true"
	case useType:
		return isText && strings.EqualFold(text, "any")
	case useIdentity:
		return r.output // two servers may use the same
	case useOld:
		return r.output && (isText || name != "id")
	case useFlag:
		return r.output && name == "nullable" && string(value) != "true" ||
			r.output && name == "nullable" && jsonrpc.Lookup(schema, "type") == nil
	case useText:
		return r.output && name == "$schema" && !knownDialect(text)
	}
	return false
}

// otherLimit returns the keyword that draft 4 has beside exclusiveMinimum and exclusiveMaximum, or the other
// way round.
func otherLimit(name string) string {
	if rest, ok := strings.CutPrefix(name, "exclusive"); ok {
		return strings.ToLower(rest)
	}
	return "exclusive" + strings.ToUpper(name[:1]) + name[1:]
}

// knownDialect reports whether the SDKs know a draft of JSON Schema.
func knownDialect(uri string) bool {
	uri = strings.TrimSuffix(uri, "#")
	uri = strings.TrimPrefix(strings.TrimPrefix(uri, "https:"), "http:")
	switch uri {
	case "//json-schema.org/draft/2020-12/schema", "//json-schema.org/draft/2019-09/schema",
		"//json-schema.org/draft-07/schema", "//json-schema.org/draft-06/schema":
		return true
	}
	return false
}

// schemas corrects a list of schemas. If one of them cannot be used, the list cannot, since it would mean
// something else without it.
func (m *mender) schemas(place string, raw json.RawMessage) (json.RawMessage, bool) {
	if raw[0] == '{' {
		raw = json.RawMessage("[" + string(raw) + "]")
	}
	elements, err := jsonrpc.Elements(raw)
	if err != nil || len(elements) == 0 {
		return nil, false
	}
	same := true
	for i, element := range elements {
		mended, ok := m.subschema(place+"["+strconv.Itoa(i)+"]", element)
		if !ok {
			return nil, false
		}
		same = same && sameBytes(mended, element)
		elements[i] = mended
	}
	if same {
		return raw, true
	}
	return jsonrpc.AppendArray(nil, elements, jsonrpc.AppendValue), true
}

// schemaMap corrects an object whose members are schemas, or names in lists.
func (m *mender) schemaMap(place string, is use, raw json.RawMessage) (json.RawMessage, bool) {
	if string(raw) == "[]" { // PHP writes it so
		return json.RawMessage("{}"), true
	}
	if raw[0] != '{' {
		return nil, false
	}
	members := jsonrpc.Split(raw)
	kept := make([]jsonrpc.Member, 0, len(members))
	same := true
	seen := make(map[string]int, len(members))
	for _, one := range members {
		at, value, ok := within(place, one.Name), one.Value, true
		switch {
		case is == useProperties:
			value = m.described(at, value)
		case is == useNameLists, is == useEither && value[0] == '[':
			value, ok = m.names(at, value)
		default:
			value, ok = m.subschema(at, value)
		}
		if ok && m.schema.output && strings.HasSuffix(place, "patternProperties") {
			ok = runs(one.Name)
		}
		if !ok {
			m.lost(at)
			same = false
			continue
		}
		same = same && sameBytes(value, one.Value)
		if earlier, twice := seen[one.Name]; twice {
			kept[earlier].Value, same = value, false
			continue
		}
		seen[one.Name] = len(kept)
		kept = append(kept, jsonrpc.Member{Name: one.Name, Value: value})
	}
	if same {
		return raw, true
	}
	return jsonrpc.AppendObject(nil, kept), true
}

// names corrects a list of names. Each name is in it once.
func (m *mender) names(place string, raw json.RawMessage) (json.RawMessage, bool) {
	if isEmptyObject(raw) {
		return json.RawMessage("[]"), true
	}
	if name, ok := jsonrpc.String(raw); ok && name != "" {
		m.changed(place)
		return json.RawMessage("[" + string(raw) + "]"), true
	}
	elements, err := jsonrpc.Elements(raw)
	if err != nil {
		return nil, false
	}
	return m.distinct(place, raw, elements, func(name string) (string, bool) { return name, true })
}

// typeNames corrects the value of the keyword "type".
func (m *mender) typeNames(place string, raw json.RawMessage) (json.RawMessage, bool) {
	if name, ok := jsonrpc.String(raw); ok {
		known := typeName(name)
		if known == name || known == "" {
			return raw, known != ""
		}
		m.changed(place)
		return jsonrpc.AppendString(nil, known), true
	}
	elements, err := jsonrpc.Elements(raw)
	if err != nil {
		return nil, false
	}
	mended, ok := m.distinct(place, raw, elements, func(name string) (string, bool) {
		known := typeName(name)
		return known, known != ""
	})
	return mended, ok && string(mended) != "[]"
}

// distinct returns a list of the texts that known returns for the elements of a list, each of them once.
func (m *mender) distinct(place string, raw json.RawMessage, elements []json.RawMessage,
	known func(string) (string, bool)) (json.RawMessage, bool) {
	seen := make(map[string]bool, len(elements))
	kept := elements[:0:0]
	same := true
	for i, element := range elements {
		text, ok := jsonrpc.String(element)
		name := text
		if ok {
			name, ok = known(text)
		}
		switch {
		case !ok:
			m.lost(place + "[" + strconv.Itoa(i) + "]")
			same = false
			continue
		case seen[name]:
			same = false
			continue
		case name != text:
			m.changed(place)
			element, same = jsonrpc.AppendString(nil, name), false
		}
		seen[name] = true
		kept = append(kept, element)
	}
	if same {
		return raw, true
	}
	return jsonrpc.AppendArray(nil, kept, jsonrpc.AppendValue), true
}

// resolves reports whether a reference names a schema. For a reference to another document, or to the name of a
// schema, this is not known; it may stay in the schema of arguments.
func (r *schemaRoot) resolves(reference string) bool {
	pointer, local := strings.CutPrefix(reference, "#")
	if !local || pointer != "" && pointer[0] != '/' {
		return !r.output
	}
	if pointer == "" {
		return true
	}
	if r.budget -= len(r.raw); r.budget < 0 {
		return !r.output
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	at := r.raw
	for i, token := range strings.Split(pointer[1:], "/") {
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		token = unescape.Replace(token)
		if i == 0 && r.output && !useOf(token).holdsSchemas() {
			return false // nobody has corrected what is there
		}
		if len(at) > 0 && at[0] == '[' {
			elements, _ := jsonrpc.Elements(at)
			index, err := strconv.Atoi(token)
			if err != nil || index < 0 || index >= len(elements) {
				return false
			}
			at = elements[index]
			continue
		}
		at = jsonrpc.Lookup(at, token)
	}
	return len(at) > 0 && (at[0] == '{' || at[0] == 't' || at[0] == 'f')
}
