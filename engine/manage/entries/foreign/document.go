package foreign

import (
	"bytes"
	"errors"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/tojson"
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
		if data, problem = converted(client.TOML, tojson.TOML, data); !problem.IsZero() {
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

// converted returns a text as JSON.
func converted(format client.Format, toJSON func([]byte) ([]byte, error),
	data []byte) (text []byte, problem words.Text) {
	text, err := toJSON(data)
	if errors.Is(err, tojson.ErrHeavy) {
		return nil, words.New("foreign.too_many_brackets")
	}
	if at, ok := errors.AsType[*tojson.Error](err); ok && at.Line > 0 {
		return nil, unreadableAt(at.Line, at.Column, words.Foreign(at.Message))
	}
	if err != nil {
		return nil, words.New("foreign.not_format", "Format", string(format))
	}
	return text, words.Text{}
}

func fromYAML(data []byte) (text []byte, problem words.Text) {
	defer func() {
		// The parser may panic, since it was not made for hostile text.
		if recover() != nil {
			text, problem = nil, words.New("foreign.not_format", "Format", "YAML")
		}
	}()
	return converted(client.YAML, tojson.YAML, data)
}
