package toolform

import (
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Kind is what a field of a form is filled in with.
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
	KindMap                 // any number of Item, each under a name that is filled in too
	KindObject              // Fields
	KindUnion               // one of Alternatives
	KindNull                // nothing but null
	KindRaw                 // anything, written as JSON; Why says why
)

// Field is one thing to be filled in. Texts are the server's: hostile, of any length, with line breaks. A field is not changed
// once made.
type Field struct {
	Name        string // its key; empty for the whole, for items and for alternatives
	Title       string
	Description string
	Kind        Kind
	Required    bool
	Nullable    bool // null is allowed too
	ReadOnly    bool // the schema says that it is not for callers to set
	Deprecated  bool

	Default  json.RawMessage   // nil: none
	Examples []json.RawMessage // as the schema gives them, a few

	Format  string // of text: date, date-time, time, uri, email and others
	Pattern string
	Media   string // contentMediaType

	// Limits as the schema spells them, empty when there are none. Above and Below are exclusive.
	Minimum, Maximum, Above, Below, MultipleOf string
	MinLength, MaxLength, MinItems, MaxItems   int // NoLimit when there is none
	Unique                                     bool

	Options      []Option // of KindChoice
	Fields       []*Field // of KindObject, in the schema's order
	Item         *Field   // of KindArray and KindMap
	Alternatives []*Field // of KindUnion
	Closed       bool     // of KindObject: nothing but Fields is allowed

	Why words.Text // of KindRaw: what of the schema is beyond a form, as the rest of a sentence; empty when anything goes

	branch []int // of an alternative: the places in oneOf or anyOf that it stands for
}

// NoLimit says that a length or count has no limit.
const NoLimit = -1

// Option is one value that can be chosen.
type Option struct {
	Value json.RawMessage
	Title string // the server's word for it, else the value
}

// Label is the field's title, else its name.
func (f *Field) Label() string {
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}

// HasLimits reports whether a count or length is limited.
func (f *Field) HasLimits() bool {
	return f.MinLength != NoLimit || f.MaxLength != NoLimit || f.MinItems != NoLimit || f.MaxItems != NoLimit ||
		f.Minimum+f.Maximum+f.Above+f.Below+f.MultipleOf != ""
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
