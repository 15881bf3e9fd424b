package edit

import (
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Says returns what an operation does as a sentence, without values, which may be secret.
func Says(op Op) words.Text {
	q := strconv.Quote
	switch o := op.(type) {
	case AddToolbox:
		return words.New("edit.add_toolbox", "Name", q(o.Name))
	case RenameToolbox:
		return words.New("edit.rename_toolbox", "Name", q(o.Name), "To", q(o.To))
	case MoveToolbox:
		return words.New("edit.move_toolbox", "Name", q(o.Name))
	case DuplicateToolbox:
		return words.New("edit.duplicate_toolbox", "Name", q(o.Name), "To", q(o.To))
	case RemoveToolbox:
		return words.New("edit.remove_toolbox", "Name", q(o.Name))
	case AddServer:
		return words.New("edit.add_server", "Name", q(o.Name), "Toolbox", q(o.Toolbox))
	case RenameServer:
		return words.New("edit.rename_server", "Name", q(o.Name), "Toolbox", q(o.Toolbox), "To", q(o.To))
	case MoveServer:
		if o.toToolbox() != o.Toolbox {
			return words.New("edit.move_server_to", "Name", q(o.Name), "Toolbox", q(o.Toolbox), "To", q(o.ToToolbox))
		}
		return words.New("edit.move_server", "Name", q(o.Name), "Toolbox", q(o.Toolbox))
	case DuplicateServer:
		if o.toToolbox() != o.Toolbox {
			return words.New("edit.copy_server_to", "Name", q(o.Name), "Toolbox", q(o.Toolbox), "ToToolbox", q(o.ToToolbox), "To", q(o.To))
		}
		return words.New("edit.duplicate_server", "Name", q(o.Name), "Toolbox", q(o.Toolbox), "To", q(o.To))
	case RemoveServer:
		return words.New("edit.remove_server", "Name", q(o.Name), "Toolbox", q(o.Toolbox))
	case ReplaceServer:
		return words.New("edit.replace_server", "Name", q(o.Name), "Toolbox", q(o.Toolbox))
	case SetField:
		return words.New("edit.set", "What", describe(o.path()))
	case ClearField:
		return words.New("edit.clear", "What", describe(o.path()))
	case RenameField:
		return words.New("edit.rename_field", "What", describe(o.path()), "To", q(o.To))
	}
	return words.Text{}
}

// describe names a field for people.
func describe(path jsonc.Path) words.Text {
	names := func(from int) string {
		var keys []string
		for _, step := range path[from:] {
			keys = append(keys, step.Key)
		}
		return strconv.Quote(strings.Join(keys, "."))
	}
	switch {
	case len(path) > 4 && isServer(path[:4]):
		return words.New("edit.field_of_server", "Field", names(4), "Server", strconv.Quote(path[3].Key), "Toolbox", strconv.Quote(path[1].Key))
	case len(path) > 2 && path[0].Key == "toolboxes":
		return words.New("edit.field_of_toolbox", "Field", names(2), "Toolbox", strconv.Quote(path[1].Key))
	}
	return words.Foreign(names(0))
}

// list writes the names that there are, as far as a message has room for them, to follow the name that is not there.
func list(names []string) words.Text {
	const most = 12
	if len(names) == 0 {
		return words.New("edit.none_yet")
	}
	quoted := make([]string, 0, most)
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, strconv.Quote(name))
	}
	return words.New("edit.available", "Names", quoted, "More", max(len(names)-most, 0))
}

// already refuses a name that another toolbox or server has.
func already(what, name string) error {
	if what == "toolbox" {
		return refuse(ErrExists, words.New("edit.toolbox_exists", "Name", strconv.Quote(name)))
	}
	return refuse(ErrExists, words.New("edit.server_exists", "Name", strconv.Quote(name)))
}
