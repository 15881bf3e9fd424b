package welcome

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// offerPrograms has buttons that lead to the page of a program get the program itself, where that can be, and say how far that is.
func (s *Screen) offerPrograms(view *View) {
	if s.actions.Program == nil {
		return
	}
	offer := func(button *Button, lines *[]Line) {
		if button.Action != ActionGet {
			return
		}
		label, doing := s.actions.Program(programOf(button.With))
		if label != "" {
			button.Text = label
		}
		if doing != "" && lines != nil {
			*lines = []Line{{Text: doing, State: theme.StateWorking}}
		}
	}
	for _, list := range [][]Row{view.Rows, view.Failed} {
		for i := range list {
			for b := range list[i].Buttons {
				offer(&list[i].Buttons[b], &list[i].Lines)
			}
		}
	}
	for i := range view.Others {
		offer(&view.Others[i], nil)
	}
}

// offerRepairs has servers that were tried and do not work offer what corrects the file.
func (s *Screen) offerRepairs(rows []Row) {
	if s.actions.Repair == nil {
		return
	}
	for i := range rows {
		at := slices.IndexFunc(rows[i].Buttons, func(b Button) bool { return b.Action == ActionTry })
		if at < 0 {
			continue
		}
		name := rows[i].Buttons[at].With
		if title, _ := s.actions.Repair(s.model.bring.toolbox, name); title != "" {
			rows[i].Buttons = slices.Insert(rows[i].Buttons, at, Button{Text: title, Action: ActionRepair, With: name})
		}
	}
}

// programOf is the id of the program that a page tells how to get, as in engine/manage/runtimes; empty for other pages.
func programOf(page string) string {
	for _, needs := range []catalogue.Needs{catalogue.NeedsNode, catalogue.NeedsUV} {
		if page == needs.Link() {
			return string(needs)
		}
	}
	return ""
}

// get gets a program, or opens the page that tells how.
func (s *Screen) get(page string) {
	if id := programOf(page); id == "" || s.actions.GetProgram == nil || !s.actions.GetProgram(id, func() { s.tryWith(id) }) {
		s.actions.OpenURL(page)
	}
}

// tryWith tries the servers again that missed a program which is there now.
func (s *Screen) tryWith(id string) {
	for _, t := range []*trials{&s.model.example.trials, &s.model.bring.trials} {
		for _, trial := range t.list {
			missed := trial.now.Problem != nil && trial.now.Problem.Kind == status.KindProgram && string(catalogue.NeedsOf(trial.Command)) == id
			if trial.ended && missed && !trial.waits {
				trial.begun, trial.ended = false, false
			}
		}
		s.tryNext(t)
	}
	s.draw()
}
