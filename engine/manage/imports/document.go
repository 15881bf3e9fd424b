package imports

import (
	"bytes"
	"errors"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/tojson"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// document is the content of a file. TOML and YAML are converted to JSON, in the order of the text.
type document struct{ root *jsonc.Node }

// member is a name with its value.
type member struct {
	name  string
	value *jsonc.Node
	twice bool // the name occurs more than once; the last one counts, as in the apps
}

// parse reads the text of a file. If the text is wrong, problem says where.
func parse(data []byte, format client.Format) (d document, problem words.Text) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		data, format = []byte("{}"), client.JSON
	}
	switch format {
	case client.TOML:
		if data, problem = fromTOML(data); !problem.IsZero() {
			return document{}, problem
		}
	case client.YAML:
		if data, problem = fromYAML(data); !problem.IsZero() {
			return document{}, problem
		}
	}
	read := jsonc.Parse(data)
	wrong := read.Broken()
	switch _, problem := config.CheckSyntax(data); {
	case wrong != nil && wrong.Code == jsonc.TooManyValues:
		return document{}, words.New("imports.too_many_values")
	case wrong != nil && (format == client.TOML || format == client.YAML):
		return document{}, words.New("imports.not_format", "Format", string(format))
	case problem != nil:
		return document{}, unreadableAt(problem.Line, problem.Column, problem.Message)
	case wrong != nil:
		return document{}, words.New("imports.not_format", "Format", "JSON")
	case read.Root.Kind != jsonc.Object:
		return document{}, words.New("imports.no_settings")
	}
	return document{read.Root}, words.Text{}
}

// unreadableAt returns a sentence that says where a text is wrong.
func unreadableAt(line, column int, why words.Text) words.Text {
	return words.New("imports.unreadable_at", "Line", line, "Column", column, "Why", why.Map(plain))
}

// Limits for TOML and YAML. The time to read YAML with many brackets grows with the square of their number,
// and a small text with aliases can expand to a huge one.
const (
	maxTOML         = 256 << 10
	maxYAML         = 256 << 10
	maxYAMLBrackets = 2000
	maxYAMLAliases  = 16
)

func fromTOML(data []byte) (text []byte, problem words.Text) {
	if len(data) > maxTOML {
		return nil, words.New("imports.larger_kib", "KiB", maxTOML>>10)
	}
	return converted(client.TOML, tojson.TOML, data)
}

// converted returns a text as JSON.
func converted(format client.Format, toJSON func([]byte) ([]byte, error), data []byte) (text []byte, problem words.Text) {
	text, err := toJSON(data)
	if at, ok := errors.AsType[*tojson.Error](err); ok && at.Line > 0 {
		return nil, unreadableAt(at.Line, at.Column, words.Foreign(at.Message))
	}
	if err != nil {
		return nil, words.New("imports.not_format", "Format", string(format))
	}
	return text, words.Text{}
}

// yamlAlias matches text that looks like a YAML alias.
var yamlAlias = lazyregexp.New(`(?m)(?:^|[\s:,\[-])\*[A-Za-z0-9_]`)

func fromYAML(data []byte) (text []byte, problem words.Text) {
	switch {
	case len(data) > maxYAML:
		return nil, words.New("imports.larger_kib", "KiB", maxYAML>>10)
	case bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxYAMLBrackets || len(yamlAlias.FindAll(data, maxYAMLAliases+1)) > maxYAMLAliases:
		return nil, words.New("imports.too_many_brackets")
	}
	defer func() {
		// The parser may panic, since it was not made for hostile text.
		if recover() != nil {
			text, problem = nil, words.New("imports.not_format", "Format", "YAML")
		}
	}()
	return converted(client.YAML, tojson.YAML, data)
}

// at follows names from the root; it returns nil if there is no value. If a name occurs twice the last one
// counts, as in the apps.
func (d document) at(path ...string) *jsonc.Node {
	value := d.root
	for _, name := range path {
		value = value.LastMember(name)
	}
	return value
}

// members returns the members of an object, each name once; none if the value is no object.
func members(value *jsonc.Node) []member {
	if value.Kind != jsonc.Object {
		return nil
	}
	var found []member
	known := make(map[string]int, len(value.Children))
	for _, kid := range value.Children {
		if at, ok := known[kid.Key]; ok {
			found[at].value, found[at].twice = kid, true
			continue
		}
		known[kid.Key] = len(found)
		found = append(found, member{name: kid.Key, value: kid})
	}
	return found
}

// entries returns the servers under the first of keys that exists. problem is set if there is something other
// than servers.
func (d document) entries(keys [][]string) (found []member, problem words.Text) {
	for _, key := range keys {
		value := d.at(key...)
		if value == nil {
			continue
		}
		switch value.Kind {
		case jsonc.Object:
			return members(value), words.Text{}
		case jsonc.Array:
			for _, item := range value.Children {
				found = append(found, member{name: document{item}.at("name").Str(), value: item})
			}
			return found, words.Text{}
		}
		if value.Kind != jsonc.Null && len(keys) == 1 {
			return nil, words.New("imports.no_list", "Key", plain(strings.Join(key, ".")))
		}
	}
	return nil, words.Text{}
}
