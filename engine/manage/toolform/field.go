package toolform

import (
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// Kind says how a field is filled in.
type Kind int

// The kinds of fields.
const (
	KindString  Kind = iota // text of one line
	KindText                // text of several lines
	KindNumber              // any number
	KindInteger             // a whole number
	KindBoolean             // yes or no
	KindChoice              // one of Options
	KindArray               // any number of Item
	KindMap                 // any number of Item, each under a name that is also filled in
	KindObject              // Fields
	KindUnion               // one of Alternatives
	KindNull                // nothing but null
	KindRaw                 // any JSON
)

// Field is one field of a form. Its texts come from the server: they can be hostile and of any length, and
// have line breaks. A field is not changed after it was made.
type Field struct {
	Name        string // its key; empty for the root, for items and for alternatives
	Title       string
	Description string
	Kind        Kind
	Required    bool
	Nullable    bool // null is allowed too

	Default  json.RawMessage   // nil if there is none
	Examples []json.RawMessage // some of the examples in the schema

	Format string // of text: date, date-time, time, uri, email and others
	Media  string // contentMediaType

	// Limits as written in the schema, which are shown beside the field; [Form.Check] knows all others, too.
	Minimum, Maximum string // empty if there is none
	MaxLength        int    // NoLimit if there is none

	Options      []Option // of KindChoice
	Fields       []*Field // of KindObject, in the schema's order
	Item         *Field   // of KindArray and KindMap
	Alternatives []*Field // of KindUnion

	branch []int // of an alternative: its places in oneOf or anyOf
}

// NoLimit means that a length is not limited.
const NoLimit = -1

// Option is one value of a choice.
type Option struct {
	Value json.RawMessage
	Title string // the server's title, else the value

	node *jsonc.Node // of Value
}

// Label returns the field's title, or else its name.
func (f *Field) Label() string {
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}

// field returns the field of an object with this name, or nil.
func (f *Field) field(name string) *Field {
	for _, field := range f.Fields {
		if field.Name == name {
			return field
		}
	}
	return nil
}
