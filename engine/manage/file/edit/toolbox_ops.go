package edit

import (
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// AddToolbox adds a toolbox without servers.
type AddToolbox struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"` // not written if empty
	At          Position `json:"at,omitzero"`
}

// RenameToolbox renames a toolbox and keeps its place.
type RenameToolbox struct {
	Name string `json:"name"`
	To   string `json:"to"`
}

// MoveToolbox moves a toolbox to another place in the order.
type MoveToolbox struct {
	Name string   `json:"name"`
	At   Position `json:"at,omitzero"`
}

// DuplicateToolbox copies a toolbox with all its servers, to below the original or to where At says.
type DuplicateToolbox struct {
	Name string   `json:"name"`
	To   string   `json:"to"` // the name of the copy
	At   Position `json:"at,omitzero"`
}

// RemoveToolbox removes a toolbox with its servers and comments.
type RemoveToolbox struct {
	Name string `json:"name"`
}

func (o AddToolbox) String() string       { return Says(o).String() }
func (o RenameToolbox) String() string    { return Says(o).String() }
func (o MoveToolbox) String() string      { return Says(o).String() }
func (o DuplicateToolbox) String() string { return Says(o).String() }
func (o RemoveToolbox) String() string    { return Says(o).String() }

func (o AddToolbox) value() *jsonc.Node {
	entry := struct {
		Description string         `json:"description,omitempty"`
		Servers     map[string]any `json:"mcpServers"`
	}{o.Description, map[string]any{}}
	text, err := json.Marshal(entry)
	if err != nil { // a string can always be marshalled
		text = []byte(`{"mcpServers":{}}`)
	}
	return jsonc.Parse(text).Root
}

func (o AddToolbox) apply(d *draft) error {
	if err := CheckName("toolbox", o.Name); err != nil {
		return err
	}
	return d.addNamed(toolboxesPath(), "toolbox", o.Name, o.value(), o.At)
}

func (o RenameToolbox) apply(d *draft) error {
	if o.Name != o.To {
		if err := CheckName("toolbox", o.To); err != nil {
			return err
		}
	}
	return d.rename(toolboxesPath(), "toolbox", o.Name, o.To)
}

func (o MoveToolbox) apply(d *draft) error {
	if _, err := d.need(toolboxPath(o.Name)); err != nil {
		return err
	}
	return d.move(toolboxesPath(), toolboxesPath(), o.Name, o.At)
}

func (o DuplicateToolbox) apply(d *draft) error {
	if err := CheckName("toolbox", o.To); err != nil {
		return err
	}
	if _, err := d.need(toolboxPath(o.Name)); err != nil {
		return err
	}
	return d.duplicate(toolboxesPath(), toolboxesPath(), "toolbox", o.Name, o.To, o.At)
}

func (o RemoveToolbox) apply(d *draft) error { return d.remove(toolboxPath(o.Name)) }
