package editor

import "github.com/workbench-mcp/workbench-desktop/engine/manage/edit"

// Edited takes up what the user has done to servers, in this screen or elsewhere: what is typed for them and not saved gets their new
// names, or goes with them.
func (s *Screen) Edited(ops []edit.Op) {
	for _, op := range ops {
		switch op := op.(type) {
		case edit.RenameServer:
			s.Renamed(edit.Target{Toolbox: op.Toolbox, Server: op.Name}, edit.Target{Toolbox: op.Toolbox, Server: op.To})
		case edit.MoveServer:
			if op.ToToolbox != "" {
				s.Renamed(edit.Target{Toolbox: op.Toolbox, Server: op.Name}, edit.Target{Toolbox: op.ToToolbox, Server: op.Name})
			}
		case edit.RenameToolbox:
			for _, at := range s.keptOf(op.Name) {
				s.Renamed(at, edit.Target{Toolbox: op.To, Server: at.Server})
			}
		case edit.RemoveServer:
			s.removed(edit.Target{Toolbox: op.Toolbox, Server: op.Name})
		case edit.RemoveToolbox:
			for _, at := range s.keptOf(op.Name) {
				s.removed(at)
			}
		}
	}
}

// keptOf are the servers of a toolbox for which something is typed.
func (s *Screen) keptOf(toolbox string) []edit.Target {
	of := map[edit.Target]bool{s.setup.target(): true}
	for at := range s.setup.kept {
		of[at] = true
	}
	for at := range s.json.kept {
		of[at] = true
	}
	var found []edit.Target
	for at := range of {
		if at.Toolbox == toolbox {
			found = append(found, at)
		}
	}
	return found
}

// Renamed takes up that a server is called otherwise now or is in another toolbox, whoever has done that. It is to be told before a View
// under the new name is applied; told once more it does nothing.
func (s *Screen) Renamed(from, to edit.Target) {
	if from == s.setup.target() {
		for _, view := range []*View{&s.view, &s.setup.view, &s.json.view} {
			view.Toolbox, view.Server = to.Toolbox, to.Server
		}
	}
	if form, ok := s.setup.kept[from]; ok && from != to {
		delete(s.setup.kept, from)
		s.setup.kept[to] = form
		if to == s.setup.target() && !s.setup.unsaved() {
			s.setup.arrived = false
			s.setup.apply(s.setup.view)
		}
	}
	if text, ok := s.json.kept[from]; ok && from != to {
		delete(s.json.kept, from)
		s.json.kept[to] = text
		if to == s.json.at() && !s.json.dirty() {
			s.json.fresh = true
			s.json.apply(s.json.view)
		}
	}
}

func (s *Screen) removed(at edit.Target) {
	delete(s.setup.kept, at)
	delete(s.json.kept, at)
	if at == s.setup.target() {
		for _, u := range s.setup.units {
			u.revert()
		}
		s.json.revert()
	}
}
