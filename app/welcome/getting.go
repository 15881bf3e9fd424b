package welcome

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
)

// offerPrograms has buttons that lead to the page of a program get the program itself, where that can be, and say how far that is.
func (s *Service) offerPrograms(view *View) {
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
func (s *Service) offerRepairs(rows []Row) {
	for i := range rows {
		at := slices.IndexFunc(rows[i].Buttons, func(b Button) bool { return b.Action == ActionTry })
		if at < 0 {
			continue
		}
		name := rows[i].Buttons[at].With
		if title, _ := s.actions.Repair(s.steps.Bring.Toolbox, name); title != "" {
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

// get gets a program, or opens the page that tells how. The servers that missed it are tried again then.
func (s *Service) get(page string) {
	id := programOf(page)
	again := func() { s.tryAgain(func(t *model.Trial) bool { return t.Misses(id) }) }
	if id == "" || !s.actions.GetProgram(id, again) {
		s.actions.OpenURL(page)
	}
}
