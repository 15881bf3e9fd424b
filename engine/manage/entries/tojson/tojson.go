// Package tojson converts TOML and YAML to JSON. Names keep the order of the text; comments and white space are left
// out.
//
// It reads the syntax trees of go-toml and go-yaml, since their decoders do not keep the order of all names.
package tojson

import (
	"bytes"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Error is a mistake in a text. Message has the words of the library that reads it. Line and Column begin at 1; they
// are 0 if the place is not known.
type Error struct {
	Line, Column int
	Message      string
}

func (e *Error) Error() string { return e.Message }

// value is an object, a list, or the JSON of anything else.
type value struct {
	kind    kind
	json    string
	items   []*value
	names   []string
	members map[string]*value
	origin  origin // for TOML
}

type kind int

const (
	scalar kind = iota
	list
	object
)

func null() *value          { return &value{json: "null"} }
func of(literal any) *value { return &value{json: string(jsonc.Value(literal))} }

// asWritten matches a number that is the same in JSON. It stays as it is, since a version 1.10 is not 1.1.
var asWritten = lazyregexp.New(`^-?(?:0|[1-9][0-9]*)\.[0-9]+$`)

// isText reports whether v is a string.
func (v *value) isText() bool { return strings.HasPrefix(v.json, `"`) }

// put sets the member with this name.
func (v *value) put(name string, member *value) {
	if v.members == nil {
		v.members = map[string]*value{}
	}
	if v.members[name] == nil {
		v.names = append(v.names, name)
	}
	v.members[name] = member
}

// text returns v as JSON.
func (v *value) text() []byte {
	var b bytes.Buffer
	v.write(&b, 0)
	return b.Bytes()
}

// write writes v as JSON. It leaves out values that are nested so deeply that [jsonc.Parse] refuses the text anyway.
func (v *value) write(b *bytes.Buffer, depth int) {
	items, names := v.items, v.names
	if depth > jsonc.MaxDepth {
		items, names = nil, nil
	}
	switch v.kind {
	case scalar:
		b.WriteString(v.json)
	case list:
		b.WriteByte('[')
		for i, item := range items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b, depth+1)
		}
		b.WriteByte(']')
	case object:
		b.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsonc.Quote(name) + ":")
			v.members[name].write(b, depth+1)
		}
		b.WriteByte('}')
	}
}
