package imports

import (
	"bytes"
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// document is what a file says. TOML and YAML become JSON on the way, in the order of the text.
type document struct{ root *jsonc.Node }

// member is a name with its value.
type member struct {
	name  string
	value *jsonc.Node
	twice bool // the name is there more than once; the last one counts, as it does in the apps
}

// parse reads a file's text. The problem says where the text is wrong.
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

// unreadableAt says where a text is wrong.
func unreadableAt(line, column int, why words.Text) words.Text {
	return words.New("imports.unreadable_at", "Line", line, "Column", column, "Why", why.Map(plain))
}

// Bounds on TOML and YAML. Reading YAML with many brackets takes time that grows with the square of their number, and with aliases a
// small text can say a great deal.
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
	text, err := paste.FromTOML(data)
	if err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return nil, unreadableAt(line, column, words.Foreign(strings.TrimPrefix(at.Error(), "toml: ")))
		}
		return nil, words.New("imports.not_format", "Format", "TOML")
	}
	return text, words.Text{}
}

// yamlAlias matches what looks like an alias.
var yamlAlias = lazyregexp.New(`(?m)(?:^|[\s:,\[-])\*[A-Za-z0-9_]`)

func fromYAML(data []byte) (text []byte, problem words.Text) {
	switch {
	case len(data) > maxYAML:
		return nil, words.New("imports.larger_kib", "KiB", maxYAML>>10)
	case bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxYAMLBrackets || len(yamlAlias.FindAll(data, maxYAMLAliases+1)) > maxYAMLAliases:
		return nil, words.New("imports.too_many_brackets")
	}
	defer func() {
		// The text may be anything, and its reader has not been made for that.
		if recover() != nil {
			text, problem = nil, words.New("imports.not_format", "Format", "YAML")
		}
	}()
	text, err := yaml.YAMLToJSON(data)
	if err != nil {
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) && syntax.Token != nil && syntax.Token.Position != nil {
			at := syntax.Token.Position
			return nil, unreadableAt(at.Line, at.Column, words.Foreign(syntax.Message))
		}
		return nil, words.New("imports.not_format", "Format", "YAML")
	}
	return text, words.Text{}
}

// at follows names from the top; nil when there is nothing. Of two members of one name the last one counts, as it does in the apps.
func (d document) at(path ...string) *jsonc.Node {
	value := d.root
	for _, name := range path {
		var next *jsonc.Node
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

// members returns those of an object, each name once; none of anything else.
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

// entries are the servers under one of some keys. The problem says that there is something else.
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

// asJSON writes a value in one line and in ASCII, so that nothing in its strings is taken for a part of the text around it.
func asJSON(value *jsonc.Node) []byte { return ascii(value.Compact()) }

func quoteJSON(text string) []byte { return ascii(jsonc.Quote(text)) }

// ascii escapes what is not ASCII in JSON, where it can only be in strings.
func ascii(data string) []byte {
	var b bytes.Buffer
	for _, r := range data {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		default:
			b.WriteString(visible.Escape(r))
		}
	}
	return b.Bytes()
}
