package edit

import (
	"encoding/json"
	"fmt"
	"slices"
)

// AddToolbox adds a toolbox without servers.
type AddToolbox struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"` // left out of the file when empty
	At          Position `json:"at,omitzero"`
}

// RenameToolbox gives a toolbox another name, in its place.
type RenameToolbox struct {
	Name string `json:"name"`
	To   string `json:"to"`
}

// MoveToolbox puts a toolbox elsewhere in the order.
type MoveToolbox struct {
	Name string   `json:"name"`
	At   Position `json:"at,omitzero"`
}

// DuplicateToolbox writes a toolbox with all its servers once more, below the original or where At says.
type DuplicateToolbox struct {
	Name string   `json:"name"`
	To   string   `json:"to"` // the name of the copy
	At   Position `json:"at,omitzero"`
}

// RemoveToolbox takes a toolbox out, with its servers and its comments.
type RemoveToolbox struct {
	Name string `json:"name"`
}

func (AddToolbox) Kind() string       { return "add-toolbox" }
func (RenameToolbox) Kind() string    { return "rename-toolbox" }
func (MoveToolbox) Kind() string      { return "move-toolbox" }
func (DuplicateToolbox) Kind() string { return "duplicate-toolbox" }
func (RemoveToolbox) Kind() string    { return "remove-toolbox" }

func (o AddToolbox) String() string    { return fmt.Sprintf("add toolbox %q", o.Name) }
func (o RenameToolbox) String() string { return fmt.Sprintf("rename toolbox %q to %q", o.Name, o.To) }
func (o MoveToolbox) String() string   { return fmt.Sprintf("move toolbox %q", o.Name) }
func (o DuplicateToolbox) String() string {
	return fmt.Sprintf("duplicate toolbox %q as %q", o.Name, o.To)
}
func (o RemoveToolbox) String() string { return fmt.Sprintf("remove toolbox %q", o.Name) }

func (o AddToolbox) value() *node {
	entry := struct {
		Description string         `json:"description,omitempty"`
		Servers     map[string]any `json:"mcpServers"`
	}{o.Description, map[string]any{}}
	text, err := json.Marshal(entry)
	if err != nil { // strings always can be marshalled
		text = []byte(`{"mcpServers":{}}`)
	}
	return parseNode(text, 0)
}

func (o AddToolbox) apply(d *draft) error {
	if err := CheckName("toolbox", o.Name); err != nil {
		return err
	}
	return d.addNamed(toolboxesPlace(), "toolbox", o.Name, o.value(), o.At)
}

func (o AddToolbox) expect(m *model) { m.addNamed(toolboxesPlace(), o.Name, o.value(), o.At) }

// addNamed adds a toolbox or a server.
func (d *draft) addNamed(p place, what, name string, value *node, at Position) error {
	object, err := d.container(p)
	if err != nil {
		return err
	}
	keys := object.keys()
	if slices.Contains(keys, name) {
		return refuse(ErrExists, "there is a %s %q already", what, name)
	}
	index, after, err := at.resolve(keys, len(keys))
	if err != nil {
		return err
	}
	return d.add(p, name, value, index, after)
}

func (m *model) addNamed(p place, name string, value *node, at Position) {
	object := m.at(p)
	index, _, err := at.resolve(object.keys(), len(object.members))
	if err != nil {
		return // the check will find it
	}
	object.insert(index, newMember(name, value, equal))
}

func (o RenameToolbox) apply(d *draft) error {
	if o.Name != o.To {
		if err := CheckName("toolbox", o.To); err != nil {
			return err
		}
	}
	if _, err := d.need(toolboxPlace(o.Name)); err != nil {
		return err
	}
	return d.rename(toolboxesPlace(), "toolbox", o.Name, o.To)
}

func (o RenameToolbox) expect(m *model) { m.rename(toolboxesPlace(), o.Name, o.To) }

func (o MoveToolbox) apply(d *draft) error {
	if _, err := d.need(toolboxPlace(o.Name)); err != nil {
		return err
	}
	return d.move(toolboxesPlace(), toolboxesPlace(), o.Name, o.At)
}

func (o MoveToolbox) expect(m *model) { m.move(toolboxesPlace(), toolboxesPlace(), o.Name, o.At) }

func (o DuplicateToolbox) apply(d *draft) error {
	if err := CheckName("toolbox", o.To); err != nil {
		return err
	}
	if _, err := d.need(toolboxPlace(o.Name)); err != nil {
		return err
	}
	return d.duplicate(toolboxesPlace(), toolboxesPlace(), "toolbox", o.Name, o.To, o.At)
}

func (o DuplicateToolbox) expect(m *model) {
	m.duplicate(toolboxesPlace(), toolboxesPlace(), o.Name, o.To, o.At)
}

func (o RemoveToolbox) apply(d *draft) error {
	if _, err := d.need(toolboxPlace(o.Name)); err != nil {
		return err
	}
	return d.remove(toolboxesPlace(), o.Name)
}

func (o RemoveToolbox) expect(m *model) { m.at(toolboxesPlace()).remove(o.Name) }

func (o AddToolbox) touches() []place       { return []place{toolboxPlace(o.Name)} }
func (o RenameToolbox) touches() []place    { return nil }
func (o MoveToolbox) touches() []place      { return nil }
func (o DuplicateToolbox) touches() []place { return nil }
func (o RemoveToolbox) touches() []place    { return []place{toolboxPlace(o.Name)} }
