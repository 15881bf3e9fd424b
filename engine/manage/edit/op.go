package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// Op is one operation on the file. It names what it is about and does not say where that stands, so it
// can be kept, shown, and done again on other bytes.
type Op interface {
	// Kind is the operation's name in JSON, for example "add-server".
	Kind() string

	// String says in words what the operation does, without values, which may be secret.
	String() string

	// apply makes the changes to the text.
	apply(*draft) error
}

// Position says where in its container something goes. At most one field is set; the zero value is
// the usual place, which is at the end, and for a duplicate below the original.
type Position struct {
	// Index counts from 0, and in a move without the thing that is moved. Names are better when the
	// operation is kept for later.
	Index *int `json:"index,omitempty"`

	Before string `json:"before,omitempty"` // the name of the one that comes after it
	After  string `json:"after,omitempty"`  // the name of the one that comes before it
}

// At is the position with an index.
func At(index int) Position { return Position{Index: &index} }

// resolve returns the place among keys.
func (p Position) resolve(keys []string, usual int) (jsonc.Place, error) {
	set := 0
	for _, given := range []bool{p.Index != nil, p.Before != "", p.After != ""} {
		if given {
			set++
		}
	}
	switch {
	case set > 1:
		return jsonc.Place{}, refuse(ErrInvalid, "a position has only one of index, before and after")
	case p.Index != nil:
		if *p.Index < 0 || *p.Index > len(keys) {
			return jsonc.Place{}, refuse(ErrInvalid, "there is no position %d; it must be from 0 to %d", *p.Index, len(keys))
		}
		return jsonc.Place{Index: *p.Index, After: *p.Index == len(keys)}, nil
	case set == 0:
		return jsonc.Place{Index: usual, After: true}, nil
	}
	name := p.Before + p.After
	index := slices.Index(keys, name)
	if index < 0 {
		return jsonc.Place{}, refuse(ErrNotFound, "there is no %q here that something could be put before or after%s", name, list(keys))
	}
	if p.After != "" {
		return jsonc.Place{Index: index + 1, After: true}, nil
	}
	return jsonc.Place{Index: index}, nil
}

// Ops are operations, one after the other. In JSON each is an object with its kind under "op".
type Ops []Op

// MarshalJSON writes the operations so that UnmarshalJSON reads them.
func (ops Ops) MarshalJSON() ([]byte, error) {
	list := make([]json.RawMessage, len(ops))
	for i, op := range ops {
		fields, err := json.Marshal(op)
		if err != nil {
			return nil, fmt.Errorf("writing operation %d: %w", i, err)
		}
		kind := fmt.Appendf(nil, `{"op":%q`, op.Kind())
		if len(fields) > len("{}") {
			kind = append(kind, ',')
		}
		list[i] = append(kind, fields[1:]...)
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads operations. Unknown kinds and unknown members are errors.
func (ops *Ops) UnmarshalJSON(data []byte) error {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("reading operations: %w", err)
	}
	*ops = make(Ops, len(list))
	for i, fields := range list {
		op, err := unmarshalOp(fields)
		if err != nil {
			return fmt.Errorf("reading operation %d: %w", i, err)
		}
		(*ops)[i] = op
	}
	return nil
}

func unmarshalOp(fields map[string]json.RawMessage) (Op, error) {
	var kind string
	if err := json.Unmarshal(fields["op"], &kind); err != nil {
		return nil, refuse(ErrInvalid, `it has no "op" that says what to do`)
	}
	delete(fields, "op")
	switch kind {
	case AddToolbox{}.Kind():
		return decodeOp[AddToolbox](fields)
	case RenameToolbox{}.Kind():
		return decodeOp[RenameToolbox](fields)
	case MoveToolbox{}.Kind():
		return decodeOp[MoveToolbox](fields)
	case DuplicateToolbox{}.Kind():
		return decodeOp[DuplicateToolbox](fields)
	case RemoveToolbox{}.Kind():
		return decodeOp[RemoveToolbox](fields)
	case AddServer{}.Kind():
		return decodeOp[AddServer](fields)
	case RenameServer{}.Kind():
		return decodeOp[RenameServer](fields)
	case MoveServer{}.Kind():
		return decodeOp[MoveServer](fields)
	case DuplicateServer{}.Kind():
		return decodeOp[DuplicateServer](fields)
	case RemoveServer{}.Kind():
		return decodeOp[RemoveServer](fields)
	case ReplaceServer{}.Kind():
		return decodeOp[ReplaceServer](fields)
	case SetField{}.Kind():
		return decodeOp[SetField](fields)
	case ClearField{}.Kind():
		return decodeOp[ClearField](fields)
	case RenameField{}.Kind():
		return decodeOp[RenameField](fields)
	}
	return nil, refuse(ErrInvalid, "there is no operation %q", kind)
}

func decodeOp[T Op](fields map[string]json.RawMessage) (Op, error) {
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	var op T
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&op); err != nil {
		return nil, refuse(ErrInvalid, "%s: %v", op.Kind(), err)
	}
	return op, nil
}
