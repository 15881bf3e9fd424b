package toolboxes

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// This file turns what the user can do with toolboxes and servers into operations on the file. All functions are pure.
// Most return operations for the configuration that a View shows, and what to select then.

// Rename renames a toolbox or a server. It returns no operations if the name stays the same.
func (v View) Rename(choice model.Choice, to string) ([]edit.Op, model.Choice) {
	switch {
	case choice.Server == "" && choice.Toolbox != to:
		return []edit.Op{edit.RenameToolbox{Name: choice.Toolbox, To: to}}, model.Choice{Toolbox: to}
	case choice.Server != "" && choice.Server != to:
		return []edit.Op{edit.RenameServer{Toolbox: choice.Toolbox, Name: choice.Server, To: to}},
			model.Choice{Toolbox: choice.Toolbox, Server: to}
	}
	return nil, choice
}

// CheckName returns a text that says why a toolbox or a server cannot have a name, or "" if it can. It is called for
// every typed letter. A choice without a toolbox is a new toolbox.
func (v View) CheckName(choice model.Choice, name string) string {
	what := "toolbox"
	if choice.Server != "" {
		what = "server"
	}
	if err := edit.CheckName(what, name); err != nil {
		return kit.Sentence(kit.SayError(err))
	}
	if choice.Server == "" && name != choice.Toolbox && v.has(model.Choice{Toolbox: name}) {
		return lang.L("There is a toolbox called “{{.Name}}” already.", map[string]any{"Name": name})
	}
	if choice.Server != "" && name != choice.Server && v.has(model.Choice{Toolbox: choice.Toolbox, Server: name}) {
		return lang.L("There is a server called “{{.Name}}” in this toolbox already.", map[string]any{"Name": name})
	}
	return ""
}

// Describe sets a toolbox's description. An empty one is removed from the file.
func (v View) Describe(toolbox, description string) []edit.Op {
	t, _, ok := v.find(model.Choice{Toolbox: toolbox})
	if !ok || v.Toolboxes[t].Description == description {
		return nil
	}
	target, field := model.Choice{Toolbox: toolbox}, []string{"description"}
	if description == "" {
		return []edit.Op{edit.ClearField{Target: target, Field: field}}
	}
	return []edit.Op{edit.SetField{Target: target, Field: field, Value: jsonc.Value(description)}}
}

// Duplicate adds a copy of a toolbox or a server below the original.
func (v View) Duplicate(choice model.Choice) ([]edit.Op, model.Choice) {
	if choice.Server == "" {
		to := edit.CopyName(choice.Toolbox, v.toolboxNames())
		return []edit.Op{edit.DuplicateToolbox{Name: choice.Toolbox, To: to}}, model.Choice{Toolbox: to}
	}
	to := edit.CopyName(choice.Server, v.serverNames(choice.Toolbox))
	return []edit.Op{edit.DuplicateServer{Toolbox: choice.Toolbox, Name: choice.Server, To: to}},
		model.Choice{Toolbox: choice.Toolbox, Server: to}
}

// Remove deletes a toolbox or a server. told is a text that says so.
func (v View) Remove(choice model.Choice) (ops []edit.Op, told string) {
	if choice.Server == "" {
		return []edit.Op{edit.RemoveToolbox{Name: choice.Toolbox}},
			lang.L("Deleted “{{.Name}}”", map[string]any{"Name": shortName(choice.Toolbox)})
	}
	return []edit.Op{edit.RemoveServer{Toolbox: choice.Toolbox, Name: choice.Server}},
		lang.L("Deleted “{{.Name}}”", map[string]any{"Name": shortName(choice.Server)})
}

// Shift moves a toolbox or a server by some places, up if by is negative and down if it is positive, but not beyond
// the end. A server stays in its toolbox. Shift returns no operations if the thing is there already.
func (v View) Shift(choice model.Choice, by int) []edit.Op {
	t, s, ok := v.find(choice)
	if !ok {
		return nil
	}
	if choice.Server == "" {
		if to := min(max(t+by, 0), len(v.Toolboxes)-1); to != t {
			return []edit.Op{edit.MoveToolbox{Name: choice.Toolbox, At: beside(v.Toolboxes[to].Name, by)}}
		}
		return nil
	}
	servers := v.Toolboxes[t].Servers
	if to := min(max(s+by, 0), len(servers)-1); to != s {
		return []edit.Op{edit.MoveServer{Toolbox: choice.Toolbox, Name: choice.Server, At: beside(servers[to].Name, by)}}
	}
	return nil
}

func beside(name string, by int) edit.Position {
	if by < 0 {
		return edit.Position{Before: name}
	}
	return edit.Position{After: name}
}

// relocate moves or copies a server to a toolbox: before another server, or to the end. If the name is taken there, a
// copy gets another name, but a move is refused, because it would change the name of a server without asking. refused
// says why.
func (v View) relocate(server, to model.Choice, copied bool) (ops []edit.Op, now model.Choice, refused string) {
	at := edit.Position{Before: to.Server}
	into := to.Toolbox
	if into == server.Toolbox {
		into = "" // it stays in its toolbox
	}
	if copied {
		name := server.Server
		if v.has(model.Choice{Toolbox: to.Toolbox, Server: name}) {
			name = edit.CopyName(name, v.serverNames(to.Toolbox))
		}
		if to.Server == "" {
			// Without a position the copy would be placed below its original if that is in the same toolbox.
			if names := v.serverNames(to.Toolbox); len(names) > 0 {
				at = edit.Position{After: names[len(names)-1]}
			}
		}
		now = model.Choice{Toolbox: to.Toolbox, Server: name}
		return []edit.Op{edit.DuplicateServer{Toolbox: server.Toolbox, Name: server.Server, ToToolbox: into, To: name,
			At: at}}, now, ""
	}
	now = model.Choice{Toolbox: to.Toolbox, Server: server.Server}
	if into != "" && v.has(now) {
		return nil, server, lang.L("“{{.Toolbox}}” has a server called “{{.Server}}” already. Rename one of them first.",
			map[string]any{"Toolbox": shortName(to.Toolbox), "Server": shortName(server.Server)})
	}
	return []edit.Op{edit.MoveServer{Toolbox: server.Toolbox, Name: server.Server, ToToolbox: into, At: at}}, now, ""
}

func (v View) toolboxNames() []string {
	names := make([]string, len(v.Toolboxes))
	for i, toolbox := range v.Toolboxes {
		names[i] = toolbox.Name
	}
	return names
}

func (v View) serverNames(toolbox string) []string {
	t, _, ok := v.find(model.Choice{Toolbox: toolbox})
	if !ok {
		return nil
	}
	var names []string
	for _, server := range v.Toolboxes[t].Servers {
		names = append(names, server.Name)
	}
	return names
}
