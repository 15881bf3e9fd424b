package edit

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Target says whose field is meant: the field of a server, of a toolbox if Server is empty, or of the whole
// file if both are empty.
type Target struct {
	Toolbox string `json:"toolbox,omitempty"`
	Server  string `json:"server,omitempty"`
}

// SetField sets a field, and adds it if it does not exist. The unchanged parts of arrays and objects keep
// their text and comments.
//
// If a server's entry has "type" instead of "transport", setting "transport" sets "type".
type SetField struct {
	Target
	Field []string        `json:"field"` // for example ["command"], or ["env", "TOKEN"]
	Value json.RawMessage `json:"value"` // without comments
}

// ClearField removes a field with its comments. A server's "transport" is removed under the name "type" too.
type ClearField struct {
	Target
	Field []string `json:"field"`
}

// Turn returns the operation that sets a field to true, or removes it if on is false: a field that is off is
// not written.
func Turn(target Target, field string, on bool) []Op {
	if on {
		return []Op{SetField{Target: target, Field: []string{field}, Value: json.RawMessage("true")}}
	}
	return []Op{ClearField{Target: target, Field: []string{field}}}
}

// RenameField renames a field and keeps its place.
type RenameField struct {
	Target
	Field []string `json:"field"`
	To    string   `json:"to"` // the new last name
}

func (o SetField) String() string    { return Says(o).String() }
func (o ClearField) String() string  { return Says(o).String() }
func (o RenameField) String() string { return Says(o).String() }

func (t Target) path() jsonc.Path {
	switch {
	case t.Toolbox == "":
		return nil
	case t.Server == "":
		return toolboxPath(t.Toolbox)
	}
	return serverPath(t.Toolbox, t.Server)
}

// maxFieldDepth is the largest number of names in the path of a field. It keeps the file from being nested
// too deeply.
const maxFieldDepth = 10

func (t Target) check(field []string) error {
	switch {
	case t.Toolbox == "" && t.Server != "":
		return refuse(ErrInvalid, words.New("edit.server_without_toolbox", "Server", words.Quoted(t.Server)))
	case len(field) == 0:
		return refuse(ErrInvalid, words.New("edit.no_field"))
	case len(field) > maxFieldDepth:
		return refuse(ErrInvalid, words.New("edit.field_too_deep", "Field",
			words.Quoted(strings.Join(field[:maxFieldDepth], "."))))
	case t.Toolbox == "" && field[0] == "toolboxes", t.Toolbox != "" && t.Server == "" && field[0] == "mcpServers":
		return refuse(ErrInvalid, words.New("edit.no_single_field", "Field", words.Quoted(field[0])))
	}
	for _, key := range field {
		if !utf8.ValidString(key) {
			return refuse(ErrInvalid, words.New("edit.field_not_utf8", "Field", words.Quoted(key)))
		}
	}
	return nil
}

// spelling returns the path of a field with the name that the object uses for it. Only the transport has two
// names.
func (d *draft) spelling(path jsonc.Path) jsonc.Path {
	object := path.Parent()
	if path.Last().Key == "transport" && isServer(object) && d.text.Root().At(path) == nil &&
		d.text.Root().At(object.Member("type")) != nil {
		return object.Member("type")
	}
	return path
}

func (o SetField) apply(d *draft) error {
	if err := o.check(o.Field); err != nil {
		return err
	}
	value, err := parseValue(words.New("edit.the_value"), o.Value, false)
	if err != nil {
		return err
	}
	if _, err := d.need(o.Target.path()); err != nil {
		return err
	}
	path := o.path()
	if _, err := d.container(path.Parent()); err != nil {
		return err
	}
	return d.explain(d.text.Set(d.spelling(path), value), path)
}

func (o ClearField) apply(d *draft) error {
	if err := o.check(o.Field); err != nil {
		return err
	}
	path := o.path()
	first := d.spelling(path)
	if err := d.remove(first); err != nil {
		return err
	}
	if second := d.spelling(path); d.text.Root().At(second) != nil {
		return d.remove(second)
	}
	return nil
}

func (o RenameField) apply(d *draft) error {
	if err := o.check(o.Field); err != nil {
		return err
	}
	last := len(o.Field) - 1
	if err := o.check(append(slices.Clone(o.Field[:last]), o.To)); err != nil {
		return err
	}
	return d.rename(o.path().Parent(), "field", o.Field[last], o.To)
}

func (o SetField) path() jsonc.Path    { return append(o.Target.path(), jsonc.Keys(o.Field...)...) }
func (o ClearField) path() jsonc.Path  { return append(o.Target.path(), jsonc.Keys(o.Field...)...) }
func (o RenameField) path() jsonc.Path { return append(o.Target.path(), jsonc.Keys(o.Field...)...) }
