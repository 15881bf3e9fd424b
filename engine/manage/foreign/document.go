package foreign

import (
	"bytes"
	"errors"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/tojson"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Document reads the text of a file whose format is known. TOML and YAML are converted to JSON, in the order
// of the text. If the text is wrong, problem says where.
func Document(data []byte, format client.Format) (root *jsonc.Node, problem words.Text) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		data, format = []byte("{}"), client.JSON
	}
	switch format {
	case client.TOML:
		if data, problem = fromTOML(data); !problem.IsZero() {
			return nil, problem
		}
	case client.YAML:
		if data, problem = fromYAML(data); !problem.IsZero() {
			return nil, problem
		}
	}
	read := jsonc.Parse(data)
	wrong := read.Broken()
	switch _, problem := config.CheckSyntax(data); {
	case wrong != nil && wrong.Code == jsonc.TooManyValues:
		return nil, words.New("foreign.too_many_values")
	case wrong != nil && (format == client.TOML || format == client.YAML):
		return nil, words.New("foreign.not_format", "Format", string(format))
	case problem != nil:
		return nil, unreadableAt(problem.Line, problem.Column, problem.Message)
	case wrong != nil:
		return nil, words.New("foreign.not_format", "Format", "JSON")
	case read.Root.Kind != jsonc.Object:
		return nil, words.New("foreign.no_settings")
	}
	return read.Root, words.Text{}
}

// unreadableAt returns a sentence that says where a text is wrong.
func unreadableAt(line, column int, why words.Text) words.Text {
	return words.New("foreign.unreadable_at", "Line", line, "Column", column, "Why", why.Map(repeated))
}

// Limits for TOML and YAML. The time to read YAML with many brackets grows with the square of their number,
// and a small text with aliases can expand to a huge one.
const (
	maxTOML         = 4 << 20
	maxYAML         = 512 << 10
	maxYAMLBrackets = 2000
	maxYAMLAliases  = 16
)

func fromTOML(data []byte) (text []byte, problem words.Text) {
	if len(data) > maxTOML {
		return nil, words.New("foreign.larger_kib", "KiB", maxTOML>>10)
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
		return nil, words.New("foreign.not_format", "Format", string(format))
	}
	return text, words.Text{}
}

// yamlAlias matches text that looks like a YAML alias.
var yamlAlias = lazyregexp.New(`(?m)(?:^|[\s:,\[-])\*[A-Za-z0-9_]`)

func fromYAML(data []byte) (text []byte, problem words.Text) {
	defer func() {
		// The parser may panic, since it was not made for hostile text.
		if recover() != nil {
			text, problem = nil, words.New("foreign.not_format", "Format", "YAML")
		}
	}()
	switch {
	case len(data) > maxYAML:
		return nil, words.New("foreign.larger_kib", "KiB", maxYAML>>10)
	case tooInvolved(data):
		return nil, words.New("foreign.too_many_brackets")
	}
	return converted(client.YAML, tojson.YAML, data)
}

// tooInvolved reports whether YAML has more brackets or aliases than are read. Those in texts, such as the
// links and the stars of Markdown, do not count; since that takes longer to find out, it is asked last.
func tooInvolved(data []byte) bool {
	if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) <= maxYAMLBrackets && len(yamlAlias.FindAll(data, maxYAMLAliases+1)) <= maxYAMLAliases {
		return false
	}
	brackets, aliases := 0, 0
	for _, t := range lexer.Tokenize(string(data)) {
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			brackets++
		case token.AliasType:
			aliases++
		}
	}
	return brackets > maxYAMLBrackets || aliases > maxYAMLAliases
}
