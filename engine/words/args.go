package words

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Args are the arguments of a [Text] by name. A value is a string, an int, a bool, a []string, a []Text or a Text. Its
// type stays the same when it is written as JSON and read again.
type Args map[string]any

// maxDepth is the deepest nesting of texts as arguments of texts.
const maxDepth = 16

var errArgument = errors.New("an argument of a text is neither a string, a number, a list nor a text")

// argument converts a value to one of the types of [Args].
func argument(value any) any {
	switch value := value.(type) {
	case string, int, bool, Text:
		return value
	case []string:
		return append([]string{}, value...)
	case []Text:
		if len(value) == 0 {
			return []string{}
		}
		return append([]Text{}, value...)
	case Code:
		return value.Text()
	case error:
		return Of(value)
	case fmt.Stringer:
		return value.String()
	case nil:
		return ""
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int(v.Uint())
	}
	return fmt.Sprint(value)
}

// UnmarshalJSON reads arguments in the forms in which they were written.
func (a *Args) UnmarshalJSON(data []byte) error {
	read, err := readArgs(data, 0)
	*a = read
	return err
}

func readArgs(data []byte, depth int) (Args, error) {
	if depth > maxDepth {
		return nil, errArgument
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		return nil, err
	}
	args := make(Args, len(members))
	for name, raw := range members {
		value, err := readArgument(bytes.TrimSpace(raw), depth)
		if err != nil {
			return nil, err
		}
		args[name] = value
	}
	return args, nil
}

func readArgument(raw []byte, depth int) (any, error) {
	switch raw[0] {
	case '"':
		var value string
		err := json.Unmarshal(raw, &value)
		return value, err
	case 't', 'f':
		return raw[0] == 't', nil
	case '[':
		if !bytes.HasPrefix(bytes.TrimSpace(raw[1:]), []byte{'{'}) {
			value := []string{}
			err := json.Unmarshal(raw, &value)
			return value, err
		}
		var elements []json.RawMessage
		if err := json.Unmarshal(raw, &elements); err != nil {
			return nil, err
		}
		texts := make([]Text, len(elements))
		for i, element := range elements {
			var err error
			if texts[i], err = readText(element, depth); err != nil {
				return nil, err
			}
		}
		return texts, nil
	case '{':
		return readText(raw, depth)
	}
	number, err := strconv.Atoi(string(raw))
	if err != nil {
		return nil, errArgument
	}
	return number, nil
}

func readText(raw []byte, depth int) (Text, error) {
	var value struct {
		Code    Code            `json:"code"`
		Args    json.RawMessage `json:"args"`
		Foreign string          `json:"foreign"`
		Whole   bool            `json:"whole"`
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return Text{}, err
	}
	t := Text{Code: value.Code, Foreign: value.Foreign, Whole: value.Whole}
	if value.Args == nil {
		return t, nil
	}
	var err error
	t.Args, err = readArgs(value.Args, depth+1)
	return t, err
}

// Quoted returns a value such as the name of a server in quotation marks, as an argument of a sentence. The marks are
// those of the language: English has straight ones for terminals, logs and models, and others for the window.
// Invisible characters are escaped.
func Quoted(value string) Text {
	if strings.ContainsFunc(value, func(r rune) bool { return !strconv.IsPrint(r) || r == utf8.RuneError }) {
		quoted := strconv.Quote(value)
		value = quoted[1 : len(quoted)-1]
	}
	return New("format.quoted", "Text", value)
}

// QuotedEach calls [Quoted] for each value.
func QuotedEach(values ...string) []Text {
	quoted := make([]Text, len(values))
	for i, value := range values {
		quoted[i] = Quoted(value)
	}
	return quoted
}

// List returns the list "a, b, c" as an argument of a sentence.
func List[T string | Text](items ...T) Text { return New("list.all", "Items", items) }

// And returns the list "a, b and c" as an argument of a sentence.
func And[T string | Text](items ...T) Text {
	switch last := len(items) - 1; last {
	case -1:
		return Text{}
	case 0:
		if text, ok := any(items[0]).(Text); ok {
			return text
		}
		return Foreign(fmt.Sprint(items[0]))
	default:
		return New("list.and", "Items", items[:last], "Last", items[last])
	}
}
