package edit

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Op is one operation on the file. It names what it changes and does not depend on a position in the file, so
// it can be shown, and done again on other bytes.
type Op interface {
	// String describes the operation in words, without values, which may be secret.
	String() string

	// apply makes the changes to the text.
	apply(*draft) error
}

// Position says where in its container something is put. At most one field is set. The zero value is the
// usual place: at the end, or below the original for a copy.
type Position struct {
	Before string `json:"before,omitempty"` // the name that comes after it
	After  string `json:"after,omitempty"`  // the name that comes before it
}

// resolve returns the place among keys. usual is the index for the zero Position.
func (p Position) resolve(keys []string, usual int) (jsonc.Position, error) {
	switch {
	case p.Before != "" && p.After != "":
		return jsonc.Position{}, refuse(ErrInvalid, words.New("edit.one_position"))
	case p == Position{}:
		return jsonc.Position{Index: usual, After: true}, nil
	}
	name := p.Before + p.After
	index := slices.Index(keys, name)
	if index < 0 {
		return jsonc.Position{}, refuse(ErrNotFound,
			words.New("edit.nothing_beside", "Name", words.Quoted(name), "Available", list(keys)))
	}
	if p.After != "" {
		return jsonc.Position{Index: index + 1, After: true}, nil
	}
	return jsonc.Position{Index: index}, nil
}
