package edit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Target says whose field is meant: a server's, a toolbox's when Server is empty, the file's own when both are.
type Target struct {
	Toolbox string `json:"toolbox,omitempty"`
	Server  string `json:"server,omitempty"`
}

// SetField gives a field a value, and makes it when it isn't there. Of arrays and objects what stays the
// same stays untouched, with its comments.
//
// A server's "transport" is set under "type" where the entry has that instead.
type SetField struct {
	Target
	Field []string        `json:"field"` // for example ["command"], or ["env", "TOKEN"]
	Value json.RawMessage `json:"value"` // without comments
}

// ClearField takes a field out, with its comments. A server's "transport" goes under "type" as well.
type ClearField struct {
	Target
	Field []string `json:"field"`
}

// RenameField gives a field another name, in its place.
type RenameField struct {
	Target
	Field []string `json:"field"`
	To    string   `json:"to"` // the new last name
}

func (SetField) Kind() string    { return "set-field" }
func (ClearField) Kind() string  { return "clear-field" }
func (RenameField) Kind() string { return "rename-field" }

func (o SetField) String() string   { return "set " + describe(append(o.place().path, o.Field...)) }
func (o ClearField) String() string { return "clear " + describe(append(o.place().path, o.Field...)) }
func (o RenameField) String() string {
	return fmt.Sprintf("rename %s to %q", describe(append(o.place().path, o.Field...)), o.To)
}

// Value makes the value of a [SetField] from what encoding/json takes: strings, numbers, lists of
// strings. It panics when that is something that JSON has no words for.
func Value(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("edit: a value that JSON doesn't have: %v", err))
	}
	return text
}

func (t Target) place() place {
	switch {
	case t.Toolbox == "":
		return rootPlace()
	case t.Server == "":
		return toolboxPlace(t.Toolbox)
	}
	return serverPlace(t.Toolbox, t.Server)
}

// maxFieldDepth is how many names a field may have, so that the file is never nested too deeply.
const maxFieldDepth = 10

func (t Target) check(field []string) error {
	switch {
	case t.Toolbox == "" && t.Server != "":
		return refuse(ErrInvalid, "the server %q is given without its toolbox", t.Server)
	case len(field) == 0:
		return refuse(ErrInvalid, "no field is given")
	case len(field) > maxFieldDepth:
		return refuse(ErrInvalid, "the field %q is nested too deeply", strings.Join(field[:maxFieldDepth], "."))
	case t.Toolbox == "" && field[0] == "toolboxes", t.Toolbox != "" && t.Server == "" && field[0] == "mcpServers":
		return refuse(ErrInvalid, "%q is not a field; there are operations for what it holds", field[0])
	}
	for _, key := range field {
		if !utf8.ValidString(key) {
			return refuse(ErrInvalid, "the field name %q is not UTF-8 text", key)
		}
	}
	return nil
}

// parent returns the object that a field is in, and the field's place.
func (t Target) parent(field []string) (parent place, key string) {
	parent = t.place()
	for _, key := range field[:len(field)-1] {
		parent = parent.member(key)
	}
	return parent, field[len(field)-1]
}

// spelling returns which of the names of a field an object has. There are two for the transport.
func spelling(keys []string, r role, key string) string {
	if r == roleServer && key == "transport" && !slices.Contains(keys, key) && slices.Contains(keys, "type") {
		return "type"
	}
	return key
}

func (o SetField) apply(d *draft) error {
	if err := o.check(o.Field); err != nil {
		return err
	}
	value, err := parseValue("the value", o.Value, false)
	if err != nil {
		return err
	}
	if _, err := d.need(o.place()); err != nil {
		return err
	}
	parent, key := o.parent(o.Field)
	object, err := d.container(parent)
	if err != nil {
		return err
	}
	key = spelling(object.keys(), parent.role, key)
	member, _, err := d.member(object, key)
	if err != nil {
		return err
	}
	if member == nil {
		return d.add(parent, key, value, -1, false)
	}
	return d.assign(member.value, parent.role.member(key), value)
}

func (o SetField) expect(m *model) {
	parent, key := o.parent(o.Field)
	object := m.at(parent)
	key = spelling(object.keys(), parent.role, key)
	if i := object.index(key); i >= 0 {
		object.members[i] = &model{key: key, name: object.members[i].name, from: parseNode(o.Value, 0), match: equal}
		return
	}
	i, _ := usualAmong(object.keys(), parent.role, key)
	object.insert(i, newMember(key, parseNode(o.Value, 0), equal))
}

func (o ClearField) apply(d *draft) error {
	if err := o.check(o.Field); err != nil {
		return err
	}
	parent, key := o.parent(o.Field)
	object, err := d.need(parent)
	if err != nil {
		return err
	}
	first := spelling(object.keys(), parent.role, key)
	if err := d.remove(parent, first); err != nil {
		return err
	}
	if object, err = d.need(parent); err != nil {
		return err
	}
	if second := spelling(object.keys(), parent.role, key); second != first && second != key {
		return d.remove(parent, second)
	}
	return nil
}

func (o ClearField) expect(m *model) {
	parent, key := o.parent(o.Field)
	object := m.at(parent)
	object.remove(key)
	if parent.role == roleServer && key == "transport" {
		object.remove("type")
	}
}

func (o RenameField) apply(d *draft) error {
	if err := o.check(o.Field); err != nil {
		return err
	}
	last := len(o.Field) - 1
	if err := o.check(append(slices.Clone(o.Field[:last]), o.To)); err != nil {
		return err
	}
	parent, key := o.parent(o.Field)
	return d.rename(parent, "field", key, o.To)
}

func (o RenameField) expect(m *model) {
	parent, key := o.parent(o.Field)
	m.rename(parent, key, o.To)
}

func (o SetField) touches() []place {
	if len(o.Field) == 0 {
		return nil // it will be refused
	}
	parent, key := o.parent(o.Field)
	if parent.role == roleServer && key == "transport" {
		return []place{parent.member(key), parent.member("type")}
	}
	return []place{parent.member(key)}
}

func (o ClearField) touches() []place  { return SetField{o.Target, o.Field, nil}.touches() }
func (o RenameField) touches() []place { return nil }
