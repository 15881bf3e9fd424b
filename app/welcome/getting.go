package welcome

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
)

// offerPrograms changes the buttons that open the web page of a program: where Workbench can install the program itself, they do so and show the
// progress.
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

// offerRepairs adds a button to the servers that do not work and that a change of the file would fix.
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

// programOf returns the id of the program that a web page is about, as in engine/manage/runtimes. It is empty for other pages.
func programOf(page string) string {
	for _, needs := range []catalogue.Needs{catalogue.NeedsNode, catalogue.NeedsUV} {
		if page == needs.Link() {
			return string(needs)
		}
	}
	return ""
}

// get installs a program and then tries again the servers that need it. If Workbench cannot install it, get opens its web page.
func (s *Service) get(page string) {
	id := programOf(page)
	again := func() { s.tryAgain(func(t *model.Trial) bool { return t.Misses(id) }) }
	if id == "" || !s.actions.GetProgram(id, again) {
		s.actions.OpenURL(page)
	}
}
