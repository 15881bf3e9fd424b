package edit

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// AddServer adds a server to a toolbox. "mcpServers" is added if the toolbox does not have it.
type AddServer struct {
	Toolbox string          `json:"toolbox"`
	Name    string          `json:"name"`
	Entry   json.RawMessage `json:"entry"` // an object without comments; it is written in the style of the file
	At      Position        `json:"at,omitzero"`
}

// RenameServer renames a server and keeps its place.
type RenameServer struct {
	Toolbox string `json:"toolbox"`
	Name    string `json:"name"`
	To      string `json:"to"`
}

// MoveServer moves a server, with its comments, to another place in the order or into another toolbox.
type MoveServer struct {
	Toolbox   string   `json:"toolbox"`
	Name      string   `json:"name"`
	ToToolbox string   `json:"toToolbox,omitempty"` // empty means the same toolbox
	At        Position `json:"at,omitzero"`
}

// DuplicateServer copies a server, to below the original or to where At says.
type DuplicateServer struct {
	Toolbox   string   `json:"toolbox"`
	Name      string   `json:"name"`
	ToToolbox string   `json:"toToolbox,omitempty"` // empty means the same toolbox
	To        string   `json:"to"`                  // the name of the copy
	At        Position `json:"at,omitzero"`
}

// RemoveServer removes a server with its comments.
type RemoveServer struct {
	Toolbox string `json:"toolbox"`
	Name    string `json:"name"`
}

// ReplaceServer replaces a server's entry by text: JSON with comments as somebody typed it. The first line is
// not indented; the other lines are indented as if the entry stood at the left edge. See [ServerText].
type ReplaceServer struct {
	Toolbox string `json:"toolbox"`
	Name    string `json:"name"`
	Text    string `json:"text"`
}

func (o AddServer) String() string { return Says(o).String() }

func (o RenameServer) String() string { return Says(o).String() }

func (o MoveServer) String() string { return Says(o).String() }

func (o DuplicateServer) String() string { return Says(o).String() }

func (o RemoveServer) String() string { return Says(o).String() }

func (o ReplaceServer) String() string { return Says(o).String() }

func (o MoveServer) toToolbox() string      { return cmp.Or(o.ToToolbox, o.Toolbox) }
func (o DuplicateServer) toToolbox() string { return cmp.Or(o.ToToolbox, o.Toolbox) }

func (o AddServer) apply(d *draft) error {
	if err := CheckName("server", o.Name); err != nil {
		return err
	}
	value, err := parseEntry(o.Entry, false)
	if err != nil {
		return err
	}
	if _, err := d.need(toolboxPath(o.Toolbox)); err != nil {
		return err
	}
	return d.addNamed(serversPath(o.Toolbox), "server", o.Name, value, o.At)
}

func parseEntry(text []byte, comments bool) (*jsonc.Node, error) {
	value, err := parseValue(words.New("edit.the_entry"), text, comments)
	if err == nil && value.Kind != jsonc.Object {
		err = refuse(ErrInvalid, words.New("edit.entry_no_group", "Kind", config.KindName(byte(value.Kind))))
	}
	return value, err
}

func (o RenameServer) apply(d *draft) error {
	if o.Name != o.To {
		if err := CheckName("server", o.To); err != nil {
			return err
		}
	}
	return d.rename(serversPath(o.Toolbox), "server", o.Name, o.To)
}

func (o MoveServer) apply(d *draft) error {
	for _, p := range []jsonc.Path{serverPath(o.Toolbox, o.Name), toolboxPath(o.toToolbox())} {
		if _, err := d.need(p); err != nil {
			return err
		}
	}
	return d.move(serversPath(o.Toolbox), serversPath(o.toToolbox()), o.Name, o.At)
}

func (o DuplicateServer) apply(d *draft) error {
	if err := CheckName("server", o.To); err != nil {
		return err
	}
	for _, p := range []jsonc.Path{serverPath(o.Toolbox, o.Name), toolboxPath(o.toToolbox())} {
		if _, err := d.need(p); err != nil {
			return err
		}
	}
	return d.duplicate(serversPath(o.Toolbox), serversPath(o.toToolbox()), "server", o.Name, o.To, o.At)
}

func (o RemoveServer) apply(d *draft) error { return d.remove(serverPath(o.Toolbox, o.Name)) }

func (o ReplaceServer) apply(d *draft) error {
	value, err := parseEntry([]byte(o.Text), true)
	if err != nil {
		return err
	}
	path := serverPath(o.Toolbox, o.Name)
	entry, err := d.need(path)
	if err != nil {
		return err
	}
	if strings.TrimSpace(o.Text) != value.Raw() {
		return refuse(ErrInvalid, words.New("edit.text_around_entry"))
	}
	return d.explain(d.text.SetText(path, d.fit(entry, value.Raw())), path)
}
