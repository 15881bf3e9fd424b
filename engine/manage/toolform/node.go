package toolform

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// node is a JSON value that keeps the order of members and the spelling of numbers.
type node struct {
	kind  jsontext.Kind
	raw   string   // of a number, a string or a literal, as it was sent
	text  string   // of a string, unescaped
	names []string // of an object's members
	kids  []*node  // members or elements
}

// The kinds of JSON values, as jsontext names them.
const (
	isObject = jsontext.Kind('{')
	isArray  = jsontext.Kind('[')
	isString = jsontext.Kind('"')
	isNumber = jsontext.Kind('0')
	isTrue   = jsontext.Kind('t')
	isFalse  = jsontext.Kind('f')
	isNull   = jsontext.Kind('n')
)

// maxNesting is how deeply JSON may be nested.
const maxNesting = 100

const errTooDeep = words.Code("toolform.nested_too_deeply")

// readNode reads one JSON value. A lenient reading repairs text that is not UTF-8 and takes the last of members with the same
// name, as most programs do.
func readNode(data []byte, lenient bool) (*node, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(lenient), jsontext.AllowInvalidUTF8(lenient))
	n, err := decodeNode(decoder, 0)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, words.Code("toolform.after_its_end")
	}
	return n, nil
}

func decodeNode(decoder *jsontext.Decoder, depth int) (*node, error) {
	if depth > maxNesting {
		return nil, errTooDeep
	}
	switch kind := decoder.PeekKind(); kind {
	case isObject, isArray:
		return decodeContainer(decoder, kind, depth)
	default:
		token, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		n := &node{kind: token.Kind()}
		if n.kind == isString {
			n.text = token.String()
			n.raw = quote(n.text)
		} else {
			n.raw = token.String()
		}
		return n, nil
	}
}

func decodeContainer(decoder *jsontext.Decoder, kind jsontext.Kind, depth int) (*node, error) {
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	n := &node{kind: kind}
	for {
		switch decoder.PeekKind() {
		case '}', ']':
			_, err := decoder.ReadToken()
			return n, err
		}
		name := ""
		if kind == isObject {
			token, err := decoder.ReadToken()
			if err != nil {
				return nil, err
			}
			name = token.String()
		}
		kid, err := decodeNode(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		if kind == isObject {
			// A long list of members is not searched for each: two of a name stay two, and get finds the last.
			n.names = append(n.names, name)
		}
		n.kids = append(n.kids, kid)
	}
}

// get returns a member of an object, nil when there is none or n is something else.
func (n *node) get(name string) *node {
	if n == nil || n.kind != isObject {
		return nil
	}
	for i, have := range slices.Backward(n.names) {
		if have == name {
			return n.kids[i]
		}
	}
	return nil
}

func (n *node) is(kind jsontext.Kind) bool { return n != nil && n.kind == kind }

// string returns the text of a string, "" of anything else.
func (n *node) string() string {
	if n.is(isString) {
		return n.text
	}
	return ""
}

// integer returns a small number that counts something, and false when n is none.
func (n *node) integer() (int, bool) {
	if !n.is(isNumber) || len(n.raw) > 9 {
		return 0, false
	}
	count := 0
	if _, err := fmt.Sscanf(n.raw, "%d", &count); err != nil || fmt.Sprint(count) != n.raw || count < 0 {
		return 0, false
	}
	return count, true
}

// appendTo writes the value without space.
func (n *node) appendTo(dst []byte) []byte {
	switch n.kind {
	case isObject:
		dst = append(dst, '{')
		for i, kid := range n.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, quote(n.names[i])...)
			dst = append(dst, ':')
			dst = kid.appendTo(dst)
		}
		return append(dst, '}')
	case isArray:
		dst = append(dst, '[')
		for i, kid := range n.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = kid.appendTo(dst)
		}
		return append(dst, ']')
	}
	return append(dst, n.raw...)
}

// json returns the value without space; nil has none.
func (n *node) json() []byte {
	if n == nil {
		return nil
	}
	return n.appendTo(nil)
}

// size counts the values in n, itself included.
func (n *node) size() int {
	count := 1
	for _, kid := range n.kids {
		count += kid.size()
	}
	return count
}

// quote writes a JSON string. What is not UTF-8 is replaced.
func quote(text string) string {
	quoted, _ := jsontext.AppendQuote(nil, text)
	return string(quoted)
}

// isNumberText reports whether a text is a JSON number as it stands.
func isNumberText(text string) bool {
	value := jsontext.Value(text)
	return len(text) > 0 && text[len(text)-1] >= '0' && text[len(text)-1] <= '9' && value.IsValid() && value.Kind() == isNumber &&
		(text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))
}
