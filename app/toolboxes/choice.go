package toolboxes

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// find returns the indexes of a choice in the View. For a toolbox, server is noServer.
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
		return 0, 0, false // Names are unique, so there is no other.
	}
	return 0, 0, false
}

// server returns a server of the View, or nil.
func (v View) server(choice model.Choice) *Server {
	t, s, ok := v.find(choice)
	if !ok || s == noServer {
		return nil
	}
	return &v.Toolboxes[t].Servers[s]
}

// has reports whether the View contains a choice.
func (v View) has(choice model.Choice) bool {
	_, _, ok := v.find(choice)
	return ok
}

// follow finds in a later View what was chosen in an earlier one, even if the two Views show that it was renamed or
// moved. If it is gone, follow returns its nearest neighbour and false.
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
	// It was moved to another toolbox if that toolbox has the name only now.
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

// followToolbox returns the later name of the toolbox at an index, or false if the toolbox is gone.
func followToolbox(before, after View, place int) (string, bool) {
	name := before.Toolboxes[place].Name
	if after.has(model.Choice{Toolbox: name}) {
		return name, true
	}
	// It was renamed if the number of toolboxes is the same and there is a new name at the old index.
	if len(before.Toolboxes) == len(after.Toolboxes) {
		if now := after.Toolboxes[place].Name; !before.has(model.Choice{Toolbox: now}) {
			return now, true
		}
	}
	return "", false
}

// followServer returns the later name of the server at an index. toolbox is the later name of its toolbox. It returns
// false if the server is gone.
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

// first returns the first toolbox, or the zero Choice if there is none.
func (v View) first() model.Choice {
	if len(v.Toolboxes) == 0 {
		return model.Choice{}
	}
	return model.Choice{Toolbox: v.Toolboxes[0].Name}
}
