package edit

import (
	"slices"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Op is one operation on the file. It names what it is about and does not say where that stands, so it
// can be shown, and done again on other bytes.
type Op interface {
	// String says in words what the operation does, without values, which may be secret.
	String() string

	// apply makes the changes to the text.
	apply(*draft) error
}

// Position says where in its container something goes. At most one field is set; the zero value is
// the usual place, which is at the end, and for a duplicate below the original.
type Position struct {
	Before string `json:"before,omitempty"` // the name of the one that comes after it
	After  string `json:"after,omitempty"`  // the name of the one that comes before it
}

// resolve returns the place among keys.
func (p Position) resolve(keys []string, usual int) (jsonc.Place, error) {
	switch {
	case p.Before != "" && p.After != "":
		return jsonc.Place{}, refuse(ErrInvalid, words.New("edit.one_position"))
	case p == Position{}:
		return jsonc.Place{Index: usual, After: true}, nil
	}
	name := p.Before + p.After
	index := slices.Index(keys, name)
	if index < 0 {
		return jsonc.Place{}, refuse(ErrNotFound, words.New("edit.nothing_beside", "Name", strconv.Quote(name), "Available", list(keys)))
	}
	if p.After != "" {
		return jsonc.Place{Index: index + 1, After: true}, nil
	}
	return jsonc.Place{Index: index}, nil
}
