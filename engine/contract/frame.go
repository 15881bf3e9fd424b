package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// frameDepth is how many levels of objects and arrays the schemas check: envelope.error.details.tool and
// tool.inputSchema.required[0] are three levels deep.
const frameDepth = 4

// frame decodes raw into the values that a schema checks, down to frameDepth. Deeper containers are left
// empty: the schemas do not check them, they may be hostile, and a large inputSchema is most of a tool's
// bytes. Their syntax is checked all the same. Numbers keep all digits.
func frame(raw []byte) (any, error) {
	// Repeated names and invalid UTF-8 are accepted here: all JSON readers of the clients accept them, so a
	// tool is not left out because of them.
	decoder := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	value, err := frameValue(decoder, 0)
	if err != nil {
		return nil, plain(err)
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("something follows the value at byte %d", decoder.InputOffset())
	}
	return value, nil
}

func frameValue(decoder *jsontext.Decoder, depth int) (any, error) {
	kind := decoder.PeekKind()
	if kind == '{' || kind == '[' {
		if depth == frameDepth {
			err := decoder.SkipValue()
			if kind == '{' {
				return map[string]any{}, err
			}
			return []any{}, err
		}
		if kind == '{' {
			return frameObject(decoder, depth)
		}
		return frameArray(decoder, depth)
	}
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch kind {
	case '"':
		return token.String(), nil
	case '0':
		return json.Number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	default: // null; the decoder has refused everything else
		return nil, nil
	}
}

func frameObject(decoder *jsontext.Decoder, depth int) (any, error) {
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	members := map[string]any{}
	for decoder.PeekKind() != '}' {
		token, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		value, err := frameValue(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		members[name] = value
	}
	_, err := decoder.ReadToken()
	return members, err
}

func frameArray(decoder *jsontext.Decoder, depth int) (any, error) {
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	items := []any{}
	for decoder.PeekKind() != ']' {
		value, err := frameValue(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, value)
	}
	_, err := decoder.ReadToken()
	return items, err
}

// plain reduces the decoder's error to the cause and the place.
func plain(err error) error {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && syntactic.Err != nil {
		return fmt.Errorf("%w at byte %d", syntactic.Err, syntactic.ByteOffset)
	}
	return err
}
