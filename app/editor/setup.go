package editor

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// setup is the form. What is typed is checked with every letter, and saved with Enter and when the field is left; only what brings no new
// error is.
type setup struct {
	actions Actions
	view    View
	arrived bool // a View has been shown
	form    form
	bar     *applyBar
	root    fyne.CanvasObject
	units   []unit
	names   *strings.Replacer // see formNames

	typings   int              // counts what makes a check old
	checkedAt int              // typings when the newest answer was asked for
	checked   *config.Document // that answer; nil when there was nothing to check or it could not be

	waiting map[unit]bool // to be saved as soon as they are checked
	sending map[unit]int  // how much of them is being saved
	sends   map[unit]int  // how often they were sent
	again   map[unit]bool // to be saved once more when they are saved
	visit   *visit
	kept    map[edit.Target]*leftForm // what is typed for other entries and not saved

	failed  string // why the last fix could not be made
	look    look
	secrets map[string]secretState
	toTools func()

	lastSplit  string // the command that lastSplits is about
	lastSplits bool
	pasted     string // the command line as it was pasted, with its quotes
}

func newSetup(actions Actions, toTools func()) *setup {
	s := &setup{actions: actions, toTools: toTools, names: formNames(), visit: &visit{}, kept: map[edit.Target]*leftForm{}}
	s.reset()
	s.build()
	return s
}

func (s *setup) reset() {
	s.waiting, s.again = map[unit]bool{}, map[unit]bool{}
	s.sending, s.sends = map[unit]int{}, map[unit]int{}
	s.typings++
	s.checkedAt, s.checked, s.failed, s.look = s.typings, nil, "", look{}
	s.secrets = map[string]secretState{}
}

func (s *setup) target() edit.Target {
	return edit.Target{Toolbox: s.view.Toolbox, Server: s.view.Server}
}

// apply takes up another View of the same entry.
func (s *setup) apply(view View) {
	old := s.view
	s.view = view
	back := !s.arrived && s.putBack()
	if view.Problem != "" {
		s.show()
		return
	}
	if s.arrived && old.Problem == "" && old.Text == view.Text && old.document == view.document && !s.yielding() {
		s.show() // only how the server is doing has changed
		return
	}
	s.arrived = true
	s.followRest(view.Entry)
	for _, u := range s.units {
		u.follow(view.Entry)
	}
	s.check()
	if old.Problem != "" || back {
		s.commitAll() // it had to wait
	}
}

// followRest takes up what the file says beside the fields.
func (s *setup) followRest(entry Entry) {
	s.followKind(entry)
	s.form.disabled.Follow(isTrue(entry, "disabled"))
}

// yielding tells whether something that was asked for is to change the fields.
func (s *setup) yielding() bool {
	return slices.ContainsFunc(s.units, func(u unit) bool { return s.sending[u] > 0 })
}

// typed follows what the user has typed. Nothing of it is saved before it is applied.
func (s *setup) typed() {
	s.failed = ""
	s.check()
}

// leftField applies a unit when the keyboard has left a line of it. While another program is in front the line still has it.
func (s *setup) leftField(line fyne.Focusable, u unit) {
	s.later(func() {
		if !kit.HoldsKeyboard(line) {
			s.bar.leave(func() { s.commit(u) })
		}
	})
}

// discard puts back what the file says in all fields, and tells whether that is something else.
func (s *setup) discard() bool {
	changed := s.left()
	for _, u := range s.units {
		if u.dirty() {
			delete(s.waiting, u)
			u.revert()
		}
	}
	s.form.switched = false
	s.followKind(s.view.Entry)
	s.check()
	return changed
}

// check asks what the file would be with all that is typed.
func (s *setup) check() {
	s.typings++
	var ops []edit.Op
	for _, u := range s.units {
		if !s.idle(u) {
			ops = append(ops, u.ops(false)...)
		}
	}
	s.lookUp()
	if len(ops) == 0 || s.actions.Check == nil {
		s.answer(s.typings, nil)
		return
	}
	s.show()
	asked := s.typings
	s.actions.Check(ops, func(document *config.Document) { s.answer(asked, document) })
}

func (s *setup) answer(asked int, document *config.Document) {
	if asked != s.typings {
		return // something was typed since
	}
	s.checkedAt, s.checked = asked, document
	s.show()
	waiting := s.waiting
	s.waiting = map[unit]bool{}
	for _, u := range s.units {
		if waiting[u] {
			s.commit(u)
		}
	}
}

// commit saves a unit, if it may be.
func (s *setup) commit(u unit) {
	switch {
	case !u.left() || s.idle(u) || s.view.Problem != "":
		return
	case s.checkedAt != s.typings:
		s.waiting[u] = true
		return
	case s.sending[u] > 0:
		s.again[u] = true
		return
	case s.blocked(u):
		return
	}
	if ops := u.ops(true); len(ops) > 0 {
		s.save(ops, u)
	}
}

// save saves operations for a unit.
func (s *setup) save(ops []edit.Op, u unit) {
	u.send()
	s.sending[u]++
	s.sends[u]++
	newest := s.sends[u]
	s.editHere(ops, func(err error) {
		s.sending[u]--
		if newest == s.sends[u] { // else what was sent since has this in it
			u.saved(err)
		}
		s.check()
		s.commitAgain(u)
	}, u)
}

// commitAgain saves a unit that was to be saved while it was being saved.
func (s *setup) commitAgain(u unit) {
	if s.again[u] {
		delete(s.again, u)
		s.commit(u)
	}
}

// editHere saves operations. Done is only called if the entry is shown all the time; otherwise it is told when they could not be
// saved, and what was typed into the units that they save is kept.
func (s *setup) editHere(ops []edit.Op, done func(error), units ...unit) {
	at, visit := s.target(), s.visit
	if s.actions.Edit == nil {
		done(errors.New("nothing can be saved here"))
		return
	}
	s.actions.Edit(ops, func(err error) {
		switch {
		case visit == s.visit:
			done(err)
		case err != nil:
			s.keepUnsaved(at, visit, units)
			if s.actions.NotSaved != nil {
				s.actions.NotSaved(at.Toolbox, at.Server, err)
			}
		}
	})
}

// commitAll saves everything that can be saved.
func (s *setup) commitAll() {
	for _, u := range s.units {
		s.commit(u)
	}
}

// leave saves what waits for an answer before another entry is shown: nobody would come back to it. What cannot be saved is told.
func (s *setup) leave() {
	if s.view.Problem != "" {
		return
	}
	waiting, again := s.waiting, s.again
	s.waiting, s.again = map[unit]bool{}, map[unit]bool{}
	for _, u := range s.units {
		if !waiting[u] && !again[u] || !u.dirty() || s.idle(u) {
			continue
		}
		if field, ok := u.(*textField); ok && field.disputed() {
			continue
		}
		if ops := u.ops(true); len(ops) > 0 {
			s.save(ops, u)
		}
	}
}

// unsaved tells whether something is typed that the file has not.
func (s *setup) unsaved() bool { return slices.ContainsFunc(s.units, unit.dirty) }

// show draws everything as it is.
func (s *setup) show() {
	s.showKind()
	rest := s.problems()
	for _, u := range s.units {
		rest = u.show(rest)
	}
	s.showRest(rest)
	s.bar.set(s.left(), lang.L("Enter applies a field, and so does leaving it."))
	s.arrange()
}

// replace saves operations that change fields. What is typed in others stays as it is.
func (s *setup) replace(ops []edit.Op) {
	var keys []string
	for _, op := range ops {
		switch op := op.(type) {
		case edit.SetField:
			keys = append(keys, op.Field[0])
		case edit.ClearField:
			keys = append(keys, op.Field[0])
		}
	}
	var changed []unit
	for _, u := range s.units {
		if slices.Contains(keys, keyOf(u)) {
			changed = append(changed, u)
		}
	}
	s.replaceIn(changed, ops)
}

// replaceIn saves operations that change units, and say all of what is typed in them.
func (s *setup) replaceIn(changed []unit, ops []edit.Op) {
	for _, u := range changed {
		u.yield(true)
		s.sending[u]++
	}
	s.editHere(ops, func(err error) {
		for _, u := range changed {
			s.sending[u]--
			u.yield(false)
		}
		if err != nil && s.view.Problem == "" { // what was clicked is not so
			s.followRest(s.view.Entry)
		}
		s.done(err)
		for _, u := range changed {
			s.commitAgain(u)
		}
	})
}

// done takes up how something ended that is not about a field alone.
func (s *setup) done(err error) {
	s.failed = ""
	if err != nil {
		s.failed = kit.Sentence(kit.SayError(err))
	}
	s.check()
}

// arrange lays the form out again.
func (s *setup) arrange() {
	if s.form.page != nil {
		s.form.page.Arrange()
	}
}

// reveal brings an object into sight.
func (s *setup) reveal(object fyne.CanvasObject) {
	if s.form.page != nil {
		s.form.page.Reveal(object)
	}
}

// later runs a function when what happens now is over.
func (s *setup) later(f func()) { s.actions.after(0, f) }

// forget prepares the form for another entry.
func (s *setup) forget() {
	s.keepForm()
	s.reset()
	s.view, s.arrived = View{}, false
	f := &s.form
	f.switched = false
	for _, u := range s.units {
		switch u := u.(type) {
		case *textField:
			u.draft = draft{}
			u.input.Forget()
		case *arguments:
			u.forget()
		case *variables:
			u.forget()
		}
	}
	f.page.ScrollToTop()
}
