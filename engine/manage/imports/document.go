package imports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// document is what a file says. TOML and YAML become JSON on the way, in the order of the text.
type document struct{ root hujson.Value }

// member is a name with its value.
type member struct {
	name  string
	value *hujson.Value
	twice bool // the name is there more than once; the last one counts, as it does in the apps
}

// maxValues is how many values a file may have, by its commas and brackets: each takes a hundred times the memory that it takes in the
// file. A file of the largest size that has texts in it, as that of Claude Code has, is far below.
const maxValues = 600_000

// parse reads a file's text. The problem is a sentence for people that says where the text is wrong.
func parse(data []byte, format client.Format) (d document, problem string) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return document{hujson.Value{Value: &hujson.Object{}}}, ""
	}
	switch format {
	case client.TOML:
		if data, problem = fromTOML(data); problem != "" {
			return document{}, problem
		}
	case client.YAML:
		if data, problem = fromYAML(data); problem != "" {
			return document{}, problem
		}
	}
	if bytes.Count(data, []byte(","))+bytes.Count(data, []byte("[")) > maxValues {
		return document{}, "The file has more values than are read."
	}
	if _, wrong := config.CheckSyntax(data); wrong != nil {
		if format == client.TOML || format == client.YAML {
			return document{}, fmt.Sprintf("The file cannot be read as %s.", format)
		}
		return document{}, fmt.Sprintf("The file cannot be read: line %d, column %d: %s.", wrong.Line, wrong.Column, plain(strings.TrimSuffix(wrong.Message, ".")))
	}
	root, err := hujson.Parse(data)
	if err != nil { // what the check let pass is read by it too, so this is only to be sure
		return document{}, "The file cannot be read as JSON."
	}
	if root.Value.Kind() != '{' {
		return document{}, "The file does not hold the settings of an app."
	}
	return document{root}, ""
}

// Bounds on TOML and YAML. Reading YAML with many brackets takes time that grows with the square of their number, and with aliases a
// small text can say a great deal.
const (
	maxTOML         = 256 << 10
	maxYAML         = 256 << 10
	maxYAMLBrackets = 2000
	maxYAMLAliases  = 16
)

func fromTOML(data []byte) (text []byte, problem string) {
	if len(data) > maxTOML {
		return nil, fmt.Sprintf("The file is larger than %d KiB, so it was not read.", maxTOML>>10)
	}
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return nil, fmt.Sprintf("The file cannot be read: line %d, column %d: %s.", line, column, plain(strings.TrimPrefix(at.Error(), "toml: ")))
		}
		return nil, "The file cannot be read as TOML."
	}
	var b bytes.Buffer
	writeOrdered(&b, tree, string(data), 0)
	return b.Bytes(), ""
}

// maxDepth is how deep a value may be; entries have three or four levels.
const maxDepth = 64

// maxOrdered is how many names of one table are put in order: each is looked for in the whole text.
const maxOrdered = 500

// writeOrdered writes decoded TOML as JSON. It has lost its order: names come as they first appear in the text.
func writeOrdered(b *bytes.Buffer, value any, text string, depth int) {
	table, ok := value.(map[string]any)
	if !ok || depth > maxDepth {
		plainJSON, err := json.Marshal(value)
		if err != nil || depth > maxDepth {
			plainJSON = []byte("null")
		}
		b.Write(plainJSON)
		return
	}
	at := make(map[string]int, len(table))
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
		at[name] = len(text)
		if len(table) <= maxOrdered {
			if i := strings.Index(text, name); i >= 0 {
				at[name] = i
			}
		}
	}
	slices.SortFunc(names, func(x, y string) int {
		if at[x] != at[y] {
			return at[x] - at[y]
		}
		return strings.Compare(x, y)
	})
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoteJSON(name))
		b.WriteByte(':')
		writeOrdered(b, table[name], text, depth+1)
	}
	b.WriteByte('}')
}

// yamlAlias matches what looks like an alias.
var yamlAlias = lazyregexp.New(`(?m)(?:^|[\s:,\[-])\*[A-Za-z0-9_]`)

func fromYAML(data []byte) (text []byte, problem string) {
	switch {
	case len(data) > maxYAML:
		return nil, fmt.Sprintf("The file is larger than %d KiB, so it was not read.", maxYAML>>10)
	case bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxYAMLBrackets || len(yamlAlias.FindAll(data, maxYAMLAliases+1)) > maxYAMLAliases:
		return nil, "The file has more brackets or aliases than are read."
	}
	defer func() {
		// The text may be anything, and its reader has not been made for that.
		if recover() != nil {
			text, problem = nil, "The file cannot be read as YAML."
		}
	}()
	text, err := yaml.YAMLToJSON(data)
	if err != nil {
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) && syntax.Token != nil && syntax.Token.Position != nil {
			at := syntax.Token.Position
			return nil, fmt.Sprintf("The file cannot be read: line %d, column %d: %s.", at.Line, at.Column, plain(syntax.Message))
		}
		return nil, "The file cannot be read as YAML."
	}
	return text, ""
}

// at follows names from the top; nil when there is nothing.
func (d document) at(path ...string) *hujson.Value {
	value := &d.root
	for _, name := range path {
		var next *hujson.Value
		for _, m := range members(value) {
			if m.name == name {
				next = m.value
			}
		}
		if next == nil {
			return nil
		}
		value = next
	}
	return value
}

// members are those of an object, each name once; none of anything else.
func members(value *hujson.Value) []member {
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	var found []member
	known := make(map[string]int, len(object.Members))
	for i := range object.Members {
		name := textOf(object.Members[i].Name)
		if at, ok := known[name]; ok {
			found[at].value, found[at].twice = &object.Members[i].Value, true
			continue
		}
		known[name] = len(found)
		found = append(found, member{name: name, value: &object.Members[i].Value})
	}
	return found
}

// entries are the servers under one of some keys. The problem says that there is something else.
func (d document) entries(keys [][]string) (found []member, problem string) {
	for _, key := range keys {
		value := d.at(key...)
		if value == nil {
			continue
		}
		switch list := value.Value.(type) {
		case *hujson.Object:
			return members(value), ""
		case *hujson.Array:
			for i := range list.Elements {
				m := member{value: &list.Elements[i]}
				for _, part := range members(m.value) {
					if part.name == "name" {
						m.name = textOf(*part.value)
					}
				}
				found = append(found, m)
			}
			return found, ""
		}
		if value.Value.Kind() != 'n' && len(keys) == 1 {
			return nil, fmt.Sprintf("In it, %s is no list of servers.", quoted(strings.Join(key, ".")))
		}
	}
	return nil, ""
}

// textOf is what a string says; "" of anything else.
func textOf(value hujson.Value) string {
	literal, ok := value.Value.(hujson.Literal)
	if !ok || literal.Kind() != '"' {
		return ""
	}
	return literal.String()
}

// asJSON writes a value in one line and in ASCII, so that nothing in its strings is taken for a part of the text around it.
func asJSON(value *hujson.Value) []byte {
	clone := value.Clone()
	clone.Minimize()
	return ascii(clone.Pack())
}

func quoteJSON(text string) []byte {
	data, err := json.Marshal(text)
	if err != nil { // strings are always written
		return []byte(`""`)
	}
	return ascii(data)
}

// ascii escapes what is not ASCII in JSON, where it can only be in strings.
func ascii(data []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(data) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		}
	}
	return b.Bytes()
}
