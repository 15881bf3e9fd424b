package welcome

import (
	"cmp"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// offerPrograms changes the labels of the buttons that get a program. If Workbench can install the program itself, the label says so, and the row
// shows the progress.
func (s *Service) offerPrograms(view *View) {
	offer := func(button *Button, lines *[]Line) {
		if button.Action != ActionGet {
			return
		}
		label, doing := s.actions.Program(button.With)
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

// offerRepairs adds a button to each server that does not work and that a change of the file would fix.
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

// get installs a product and then tries again the servers that need it. If Workbench cannot install it, get opens its web page. what is the ID of the
// product, or the web page of something else.
func (s *Service) get(what string) {
	again := func() { s.tryAgain(func(t *model.Trial) bool { return t.Misses(what) }) }
	if !s.actions.GetProgram(what, again) {
		s.actions.OpenURL(cmp.Or(config.FindProduct(what).Page, what))
	}
}
