package toolboxes

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// This file turns what the user does with the tree, the page and the cards into calls of the Program.

// edit applies operations. As soon as wanted is in a View, it is selected.
func (s *Screen) edit(ops []edit.Op, wanted model.Choice) { s.editThen(ops, wanted, nil) }

// editThen is like edit, and calls failed if nothing was changed. failed may be nil; the reason is shown to the user
// in any case.
func (s *Screen) editThen(ops []edit.Op, wanted model.Choice, failed func()) {
	if len(ops) == 0 {
		return
	}
	s.notice.hide()
	s.awaited.wanted = wanted
	s.program.Edit(ops, func(err error) {
		if err == nil {
			return
		}
		s.awaited.wanted = model.Choice{}
		s.sayFailure(err)
		if failed != nil {
			failed()
		}
	})
}

// turn switches a setting of a toolbox or a server on or off.
func (s *Screen) turn(choice model.Choice, setting string, on bool) {
	s.edit(edit.Turn(choice, setting, on), model.Choice{})
}

// pick selects a toolbox or a server.
func (s *Screen) pick(choice model.Choice, by pickedBy) {
	if !s.view.has(choice) || by == byMenu && s.kept.Entered {
		return // Opening a menu must not close the settings that the user works on.
	}
	if s.shown != (model.Choice{}) && s.shown != choice {
		s.program.Leave()
	}
	s.awaited.lost, s.awaited.wanted = model.Choice{}, model.Choice{}
	s.kept.Selected = choice
	switch {
	case choice.Server == "":
		s.kept.Entered = false
	case by == byClick || by == toOpen:
		s.kept.Entered = true
	}
	s.tree.show(s.view, s.rows, s.kept.Selected)
	s.showChoice(by != byClick)
	if row := s.tree.rowOf(choice); s.kept.Entered && row != noRow && s.rows[row].Tool != "" {
		s.program.ShowTool(choice, s.rows[row].Tool)
	}
}

// foldRow hides the servers of a toolbox in the tree, or shows them.
func (s *Screen) foldRow(toolbox string, folded bool) {
	if folded {
		s.kept.Folded[toolbox] = true
		if s.kept.Selected.Toolbox == toolbox && s.kept.Selected.Server != "" && !s.kept.Entered {
			s.kept.Selected.Server = ""
		}
	} else {
		delete(s.kept.Folded, toolbox)
	}
	s.fill()
}

// renamed applies a name that the user has typed. The zero Choice stands for a new toolbox.
func (s *Screen) renamed(choice model.Choice, to string) {
	if choice.Toolbox == "" {
		made := model.Choice{Toolbox: to}
		s.editThen([]edit.Op{edit.AddToolbox{Name: to}}, made, func() { s.rename(model.Choice{}, to) })
		return
	}
	ops, now := s.view.Rename(choice, to)
	wanted := model.Choice{}
	if s.kept.Selected == choice {
		wanted = now
	} else if choice.Server == "" && s.kept.Selected.Toolbox == choice.Toolbox {
		wanted = model.Choice{Toolbox: to, Server: s.kept.Selected.Server}
	}
	s.editThen(ops, wanted, func() { s.rename(choice, to) })
}

// named is called when the user has edited a name in the tree. A user who has made a toolbox is then asked what it is
// for, unless something else has the keyboard already.
func (s *Screen) named(choice model.Choice, to string, saved, left bool) {
	made := choice.Toolbox == "" || choice == s.awaited.purpose
	switch s.awaited.purpose = (model.Choice{}); {
	case left || !made:
	case saved:
		s.awaited.purpose = model.Choice{Toolbox: to}
	default:
		s.awaited.purpose = choice
	}
	if saved {
		s.renamed(choice, to)
	}
	s.askPurpose()
}

// askPurpose asks what a new toolbox is for, once it is there.
func (s *Screen) askPurpose() {
	t, _, ok := s.view.find(s.awaited.purpose)
	if !ok || s.awaited.name != (model.Choice{}) || s.tree.naming.on {
		return
	}
	asked := s.awaited.purpose
	s.awaited.purpose = model.Choice{}
	if s.kept.Selected == asked && s.view.Toolboxes[t].Description == "" {
		s.page.head.describe("")
	}
}

// rename lets the user change a name in the tree. The field begins with the text typed, or with the name if typed is
// empty.
func (s *Screen) rename(choice model.Choice, typed string) {
	if choice.Server != "" && s.kept.Folded[choice.Toolbox] {
		delete(s.kept.Folded, choice.Toolbox)
	}
	if s.search.Text != "" && s.tree.rowOf(choice) == noRow {
		s.search.SetText("")
	}
	s.fill()
	s.tree.rename(choice, typed)
}

// NewToolbox lets the user type the name of a new toolbox.
func (s *Screen) NewToolbox() {
	if len(s.view.Toolboxes) == 0 {
		s.firstToolbox()
		return
	}
	if s.search.Text != "" {
		s.search.SetText("")
	}
	s.tree.rename(model.Choice{}, "")
}

// firstToolbox adds the first toolbox. There is no tree yet to type its name in, so it gets a name that the user can
// change there afterwards.
func (s *Screen) firstToolbox() {
	if s.view.Broken {
		return
	}
	made := model.Choice{Toolbox: "my-tools"}
	s.awaited.name, s.awaited.purpose = made, made
	s.edit([]edit.Op{edit.AddToolbox{Name: made.Toolbox}}, made)
}

// describe sets a toolbox's description to the text that the user has typed.
func (s *Screen) describe(toolbox, description string) {
	s.editThen(s.view.Describe(toolbox, description), model.Choice{}, func() { s.page.head.describe(description) })
}

func (s *Screen) duplicate(choice model.Choice) {
	ops, made := s.view.Duplicate(choice)
	s.edit(ops, made)
}

// remove deletes a toolbox or a server without asking, and offers to undo that.
func (s *Screen) remove(choice model.Choice) {
	if !s.view.has(choice) {
		return
	}
	ops, told := s.view.Remove(choice)
	s.notice.hide()
	s.program.Edit(ops, func(err error) {
		s.sayFailure(err)
		if err == nil {
			s.program.Undoable(told)
		}
	})
}

// shifting has the moves by the keyboard that wait until another move is saved.
type shifting struct {
	busy bool
	next []move
}

// move is a toolbox or a server, and by how many places to move it.
type move struct {
	choice model.Choice
	by     int
}

// shift moves a toolbox or a server by some places. Keys can come faster than a large file is saved, and each move
// starts where the previous one ended. So moves that come while another is saved wait for it. Moves of the same thing
// in a row become one.
func (s *Screen) shift(choice model.Choice, by int) {
	if s.shifting.busy {
		if last := len(s.shifting.next) - 1; last >= 0 && s.shifting.next[last].choice == choice {
			s.shifting.next[last].by += by
		} else {
			s.shifting.next = append(s.shifting.next, move{choice, by})
		}
		return
	}
	ops := s.view.Shift(choice, by)
	if len(ops) == 0 {
		return
	}
	s.notice.hide()
	s.awaited.wanted = model.Choice{}
	s.shifting = shifting{busy: true}
	s.program.Edit(ops, func(err error) {
		next := s.shifting.next
		s.shifting = shifting{}
		s.sayFailure(err)
		if err != nil {
			return
		}
		for _, move := range next { // the first starts at once; the others wait for it
			s.shift(move.choice, move.by)
		}
	})
}

// moved returns what to select after something was moved or copied from one place to another. It returns the zero
// Choice if the settings of another server are open.
func (s *Screen) moved(from, now model.Choice) model.Choice {
	if s.kept.Entered && s.kept.Selected != from {
		return model.Choice{}
	}
	return now
}

// dropped applies a drag of a toolbox or a server, or the same move by a menu.
func (s *Screen) dropped(what model.Choice, landing Landing, copied bool) {
	ops, now, refused := s.view.Drop(what, landing, copied)
	if refused != "" {
		s.notice.show(refused)
		return
	}
	s.edit(ops, s.moved(what, now))
}

// treeKey applies a key to the selection of the tree.
func (s *Screen) treeKey(event *fyne.KeyEvent) bool {
	if event.Name == fyne.KeyEscape {
		if s.search.Text != "" {
			s.search.SetText("")
			return true
		}
		return s.Back()
	}
	return s.choiceKey(s.kept.Selected, event)
}

// choiceKey applies a key to a toolbox or a server.
func (s *Screen) choiceKey(choice model.Choice, event *fyne.KeyEvent) bool {
	if !s.view.has(choice) {
		return false
	}
	switch {
	case event.Name == fyne.KeyF2:
		s.rename(choice, "")
	case kit.Deletes(event.Name):
		s.remove(choice)
	default:
		return false
	}
	return true
}

// Paste adds the content of the clipboard to the toolbox that is shown.
func (s *Screen) Paste() {
	if text, ok := kit.Pasted(fyne.CurrentApp().Clipboard()); ok {
		s.program.Paste(text, s.kept.Selected.Toolbox)
	}
}

// fix does what the button of a problem says.
func (s *Screen) fix(problem Problem) {
	if problem.Offer == model.OfferFix {
		s.program.ApplyFix(problem.Diagnostic, s.sayFailure)
	} else {
		s.Mend(problem.At) // also installs a missing program
	}
}

// Mend does what [Server.FixWord] says for a server.
func (s *Screen) Mend(choice model.Choice) {
	switch server := s.view.server(choice); {
	case server == nil:
	case !server.Lacks() && server.Repair != nil:
		s.program.ApplyFix(*server.Repair, s.sayFailure)
	default:
		s.program.Fix(choice)
	}
}

// startAll starts the servers of a toolbox that are not running, as their cards do.
func (s *Screen) startAll(toolbox string) {
	if t, _, ok := s.view.find(model.Choice{Toolbox: toolbox}); ok {
		for _, server := range s.view.Toolboxes[t].startable() {
			s.program.Start(server)
		}
	}
}

// stopAll stops the running servers of a toolbox.
func (s *Screen) stopAll(toolbox string) {
	if t, _, ok := s.view.find(model.Choice{Toolbox: toolbox}); ok {
		s.program.StopAll(s.view.Toolboxes[t].stoppable())
	}
}

func (s *Screen) repairAll() { s.program.FixAll(s.sayFailure) }

func (s *Screen) sayFailure(err error) {
	if err != nil {
		s.notice.show(kit.Sentence(kit.SayError(err)))
	}
}

// canShow reports whether showProblem has something to show.
func (s *Screen) canShow(problem Problem) bool {
	return problem.Kind == model.OfComputer || problem.Kind == model.OfServer || problem.Diagnostic.Code != ""
}

// showProblem goes to the place of a problem: what the doctor has found, the server that does not run, the field of a
// server, or the position in the file.
func (s *Screen) showProblem(problem Problem) {
	switch {
	case problem.Kind == model.OfComputer:
		s.program.ShowComputer()
		return
	case problem.Kind == model.OfServer:
		s.Select(problem.At)
		return
	case problem.Field != "" && !s.view.Broken && s.view.has(problem.At):
		s.program.ShowField(problem.At, problem.Field)
		return
	}
	s.program.ShowProblem(problem.Diagnostic)
}
