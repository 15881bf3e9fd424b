package edit

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Says returns what an operation does as a sentence, without values, which may be secret.
func Says(op Op) words.Text {
	q := words.Quoted
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
			return words.New("edit.copy_server_to", "Name", q(o.Name), "Toolbox", q(o.Toolbox), "ToToolbox", q(o.ToToolbox),
				"To", q(o.To))
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
	names := func(from int) words.Text {
		var keys []string
		for _, step := range path[from:] {
			keys = append(keys, step.Key)
		}
		return words.Quoted(strings.Join(keys, "."))
	}
	switch {
	case len(path) > 4 && isServer(path[:4]):
		return words.New("edit.field_of_server", "Field", names(4), "Server", words.Quoted(path[3].Key), "Toolbox",
			words.Quoted(path[1].Key))
	case len(path) > 2 && path[0].Key == "toolboxes":
		return words.New("edit.field_of_toolbox", "Field", names(2), "Toolbox", words.Quoted(path[1].Key))
	}
	return names(0)
}

// list returns the existing names, as many as fit into a message. The text follows the name that does not
// exist.
func list(names []string) words.Text {
	const most = 12
	if len(names) == 0 {
		return words.New("edit.none_yet")
	}
	quoted := words.QuotedEach(names[:min(most, len(names))]...)
	return words.New("edit.available", "Names", words.List(quoted...), "More", max(len(names)-most, 0))
}

// already returns the error for a name that another toolbox or server has.
func already(what, name string) error {
	if what == "toolbox" {
		return refuse(ErrExists, words.New("edit.toolbox_exists", "Name", words.Quoted(name)))
	}
	return refuse(ErrExists, words.New("edit.server_exists", "Name", words.Quoted(name)))
}
