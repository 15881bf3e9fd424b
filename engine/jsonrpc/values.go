package jsonrpc

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrNotArray means that a value is valid JSON, but not an array.
const ErrNotArray = words.Code("jsonrpc.no_array")

// Member is one member of a JSON object.
type Member struct {
	// Name is decoded.
	Name string
	// Value is as sent, without surrounding white space.
	Value json.RawMessage
}

// Members returns the top-level members of an object in the order sent, including duplicates. Values alias
// data. All of data is checked: the error wraps [ErrSyntax] or [ErrNotObject].
func Members(data []byte) ([]Member, error) {
	if _, err := check(data); err != nil {
		return nil, err
	}
	if jsontext.Value(data).Kind() != jsontext.KindBeginObject {
		return nil, ErrNotObject
	}
	return Split(data), nil
}

// Elements returns the elements of an array that was already checked: it skips instead of checking. Values alias
// array. The error is [ErrNotArray] if the value is not an array. For bytes that are not JSON the result has no
// meaning.
func Elements(array []byte) ([]json.RawMessage, error) {
	if i := skipSpace(array, 0); i >= len(array) || array[i] != '[' {
		return nil, ErrNotArray
	}
	return slices.Collect(Batch(array)), nil
}

// Batch yields the elements that [Elements] returns, without allocating memory for all of them. It yields nothing if
// the value is not an array. For bytes that are not JSON it ends, too.
func Batch(array []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		i := skipSpace(array, 0)
		if i >= len(array) || array[i] != '[' {
			return
		}
		if i = skipSpace(array, i+1); i < len(array) && array[i] == ']' {
			return
		}
		for {
			start := i
			i = skipValue(array, i)
			if !yield(valueIn(array, start, i)) {
				return
			}
			if i >= len(array) || array[i] != ',' {
				return
			}
			i = skipSpace(array, i+1)
		}
	}
}

// Lookup returns the value of a top-level member of an object that [Parse], [Members] or [Elements] has already
// checked: the last one if there are several, and nil if there is none. For bytes that are not JSON it returns, but
// the result has no meaning.
func Lookup(object []byte, name string) json.RawMessage {
	var found json.RawMessage
	each(object, func(key []byte, value json.RawMessage) {
		if len(key) >= 2 && (string(key[1:len(key)-1]) == name || bytes.IndexByte(key, '\\') >= 0 && unquote(key) == name) {
			found = value
		}
	})
	return found
}

// ValueOf is [Lookup] for an object that has been split.
func ValueOf(members []Member, name string) json.RawMessage {
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].Name == name {
			return members[i].Value
		}
	}
	return nil
}

// Split is [Members] for an object that was already checked: it skips instead of checking. It returns nil if the value
// is not an object.
func Split(object []byte) []Member {
	var members []Member
	each(object, func(key []byte, value json.RawMessage) {
		if len(key) >= 2 {
			members = append(members, Member{Name: unquote(key), Value: value})
		}
	})
	return members
}

// each calls f for the members of a checked object. Names are quoted, as sent.
func each(object []byte, f func(key []byte, value json.RawMessage)) {
	i := skipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return
	}
	for i++; ; i++ {
		i = skipSpace(object, i)
		if i >= len(object) || object[i] != '"' {
			return
		}
		key := object[i:skipString(object, i)]
		i = skipSpace(object, i+len(key))
		if i >= len(object) || object[i] != ':' {
			return
		}
		i = skipSpace(object, i+1)
		start := i
		i = skipValue(object, i)
		f(key, valueIn(object, start, i))
		if i >= len(object) || object[i] != ',' {
			return
		}
	}
}

// valueIn returns data[start:end] without the white space at its end, which skipValue skips too.
func valueIn(data []byte, start, end int) json.RawMessage {
	for end > start && (data[end-1] == ' ' || data[end-1] == '\n' || data[end-1] == '\t' || data[end-1] == '\r') {
		end--
	}
	return json.RawMessage(data[start:end:end])
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && data[i] <= ' ' && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i.
func skipString(data []byte, i int) int {
	for j := i + 1; ; {
		n := bytes.IndexByte(data[j:], '"')
		if n < 0 {
			return len(data)
		}
		j += n
		escapes := 0
		for k := j - 1; k > i && data[k] == '\\'; k-- {
			escapes++
		}
		j++
		if escapes%2 == 0 {
			return j
		}
	}
}

// skipValue returns the index of the comma, brace or bracket that ends the value at i, after any white space.
func skipValue(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			i = skipString(data, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

// Depth returns how deeply a checked value is nested: 0 for a string or a number, 1 for an object or array of
// those.
func Depth(value []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '"':
			i = skipString(value, i) - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// AppendString appends s as a JSON string. It escapes only what must be escaped, not HTML characters. Invalid
// UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	// The error only reports that something was replaced.
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// AppendCompact appends a JSON value without the white space outside its strings. All other bytes stay as
// sent, so numbers keep their spelling. The value must be valid JSON.
func AppendCompact(dst, value []byte) []byte {
	for i := 0; i < len(value); {
		switch value[i] {
		case ' ', '\n', '\t', '\r':
			i++
		case '"':
			end := skipString(value, i)
			dst = append(dst, value[i:end]...)
			i = end
		default:
			dst = append(dst, value[i])
			i++
		}
	}
	return dst
}

// AppendObject appends members, whose values must be valid, as a JSON object.
func AppendObject(dst []byte, members []Member) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, m.Name)
		dst = append(dst, ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

// Object returns what [AppendObject] appends, in parts. The values are not copied.
func Object(members []Member) [][]byte {
	parts := make([][]byte, 0, 2*len(members)+1)
	before := "{"
	for _, m := range members {
		parts = append(parts, append(AppendString([]byte(before), m.Name), ':'), m.Value)
		before = ","
	}
	if len(members) == 0 {
		return append(parts, []byte("{}"))
	}
	return append(parts, []byte("}"))
}

// String decodes a JSON string that [Parse], [Members] or [Elements] has
// already checked, and reports whether the value is one. Invalid UTF-8 becomes
// U+FFFD.
func String(value json.RawMessage) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	return unquote(value), true
}
