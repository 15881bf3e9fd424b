package toolboxes

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// RepairOf returns the problem of the file whose fix helps a server that does not run; nil when there is none.
func (v View) RepairOf(at model.Choice) *config.Diagnostic {
	t, s, ok := v.find(at)
	if !ok || s == noServer {
		return nil
	}
	return v.Toolboxes[t].Servers[s].Repair
}

// find returns the places of a choice in the View; server is noServer for a toolbox.
func (v View) find(choice model.Choice) (toolbox, server int, ok bool) {
	for t := range v.Toolboxes {
		if v.Toolboxes[t].Name != choice.Toolbox {
			continue
		}
		if choice.Server == "" {
			return t, noServer, true
		}
		for s := range v.Toolboxes[t].Servers {
			if v.Toolboxes[t].Servers[s].Name == choice.Server {
				return t, s, true
			}
		}
		return 0, 0, false // names are used once
	}
	return 0, 0, false
}

// has reports whether the View has what a choice names.
func (v View) has(choice model.Choice) bool {
	_, _, ok := v.find(choice)
	return ok
}

// follow finds in a later View what was chosen in an earlier one, under its new name if the two views show that it was renamed or
// moved. When it is gone, ok is false and the choice is its nearest neighbour.
func follow(before, after View, choice model.Choice) (model.Choice, bool) {
	if after.has(choice) {
		return choice, true
	}
	t, s, known := before.find(choice)
	if !known || len(after.Toolboxes) == 0 {
		return after.first(), false
	}
	toolbox, there := followToolbox(before, after, t)
	if choice.Server == "" {
		if there {
			return model.Choice{Toolbox: toolbox}, true
		}
		return model.Choice{Toolbox: after.Toolboxes[min(t, len(after.Toolboxes)-1)].Name}, false
	}
	if there {
		if server, ok := followServer(before, after, t, s, toolbox); ok {
			return model.Choice{Toolbox: toolbox, Server: server}, true
		}
	}
	// Moved to another toolbox: the one that has the name now and did not have it before.
	for _, candidate := range after.Toolboxes {
		moved := model.Choice{Toolbox: candidate.Name, Server: choice.Server}
		if after.has(moved) && !before.has(moved) && candidate.Name != toolbox {
			return moved, true
		}
	}
	if !there {
		return model.Choice{Toolbox: after.Toolboxes[min(t, len(after.Toolboxes)-1)].Name}, false
	}
	i, _, _ := after.find(model.Choice{Toolbox: toolbox})
	if left := after.Toolboxes[i].Servers; len(left) > 0 {
		return model.Choice{Toolbox: toolbox, Server: left[min(s, len(left)-1)].Name}, false
	}
	return model.Choice{Toolbox: toolbox}, false
}

// followToolbox tells what the toolbox at a place is called later.
func followToolbox(before, after View, place int) (string, bool) {
	name := before.Toolboxes[place].Name
	if after.has(model.Choice{Toolbox: name}) {
		return name, true
	}
	// Renamed: the number is the same, and a new name stands at the old place.
	if len(before.Toolboxes) == len(after.Toolboxes) {
		if now := after.Toolboxes[place].Name; !before.has(model.Choice{Toolbox: now}) {
			return now, true
		}
	}
	return "", false
}

// followServer tells what the server at a place is called later, in the same toolbox under its name of then.
func followServer(before, after View, t, s int, toolbox string) (string, bool) {
	old := before.Toolboxes[t]
	i, _, _ := after.find(model.Choice{Toolbox: toolbox})
	now := after.Toolboxes[i]
	if after.has(model.Choice{Toolbox: toolbox, Server: old.Servers[s].Name}) {
		return old.Servers[s].Name, true
	}
	if len(old.Servers) == len(now.Servers) {
		if name := now.Servers[s].Name; !before.has(model.Choice{Toolbox: old.Name, Server: name}) {
			return name, true
		}
	}
	return "", false
}

// sameNames reports whether two Views have the same toolboxes and servers in the same order.
func sameNames(before, after View) bool {
	return slices.EqualFunc(before.Toolboxes, after.Toolboxes, func(a, b Toolbox) bool {
		return a.Name == b.Name && slices.EqualFunc(a.Servers, b.Servers, func(a, b Server) bool { return a.Name == b.Name })
	})
}

// first returns the first toolbox, or the zero Choice when there is none.
func (v View) first() model.Choice {
	if len(v.Toolboxes) == 0 {
		return model.Choice{}
	}
	return model.Choice{Toolbox: v.Toolboxes[0].Name}
}
