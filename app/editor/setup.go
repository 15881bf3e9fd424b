package editor

import (
	"errors"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/edit"
)

// quiet is how long nothing must be typed before it is saved.
const quiet = 800 * time.Millisecond

// setup is the form. What is typed is checked with every letter, and saved when the field is left, with Enter, or when
// nothing more is typed for a while; only what brings no new error is.
type setup struct {
	actions Actions
	view    View
	arrived bool // a View has been shown
	form    form
	units   []unit
	names   *strings.Replacer // see formNames

	typings   int              // counts what makes a check old
	checkedAt int              // typings when the newest answer was asked for
	checked   *config.Document // that answer; nil when there was nothing to check or it could not be

	timers  map[unit]func()
	waiting map[unit]bool // to be saved as soon as they are checked
	sending map[unit]bool
	again   map[unit]bool // to be saved once more when they are saved

	failed  string // why the last fix could not be made
	look    look
	secrets map[string]secretState
	toTools func()

	lastSplit  string // the command that lastSplits is about
	lastSplits bool
	pasted     string // the command line as it was pasted, with its quotes
}

func newSetup(actions Actions, toTools func()) *setup {
	s := &setup{actions: actions, toTools: toTools, names: formNames()}
	s.reset()
	s.build()
	return s
}

func (s *setup) reset() {
	for _, stop := range s.timers {
		stop()
	}
	s.timers, s.waiting, s.sending, s.again = map[unit]func(){}, map[unit]bool{}, map[unit]bool{}, map[unit]bool{}
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
	if view.Problem != "" {
		s.show()
		return
	}
	if s.arrived && old.Problem == "" && old.Text == view.Text && old.document == view.document && !s.yielding() {
		s.show() // only how the server is doing has changed
		return
	}
	s.arrived = true
	s.followKind(view.Entry)
	for _, u := range s.units {
		u.follow(view.Entry)
	}
	s.form.disabled.Follow(isTrue(view.Entry, "disabled"))
	s.check()
	if old.Problem != "" {
		s.commitAll() // it had to wait
	}
}

// yielding tells whether something that was asked for is to change the fields.
func (s *setup) yielding() bool { return len(s.sending) > 0 }

// typed follows what the user has typed into a unit.
func (s *setup) typed(u unit) {
	s.failed = ""
	s.check()
	s.stop(u)
	s.timers[u] = s.actions.after(quiet, func() { s.commit(u) })
}

func (s *setup) stop(u unit) {
	if stop := s.timers[u]; stop != nil {
		stop()
	}
	delete(s.timers, u)
}

// check asks what the file would be with all that is typed.
func (s *setup) check() {
	s.typings++
	var ops []edit.Op
	for _, u := range s.units {
		ops = append(ops, u.ops(false)...)
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
	s.stop(u)
	switch {
	case !u.dirty() || s.view.Problem != "":
		return
	case s.checkedAt != s.typings:
		s.waiting[u] = true
		return
	case s.sending[u]:
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
	toolbox, server := s.view.Toolbox, s.view.Server
	u.send()
	s.sending[u] = true
	s.edit(ops, func(err error) {
		if toolbox != s.view.Toolbox || server != s.view.Server {
			if err != nil && s.actions.NotSaved != nil {
				s.actions.NotSaved(toolbox, server, err)
			}
			return
		}
		delete(s.sending, u)
		u.saved(err)
		s.check()
		if s.again[u] {
			delete(s.again, u)
			s.commit(u)
		}
	})
}

func (s *setup) edit(ops []edit.Op, done func(error)) {
	if s.actions.Edit == nil {
		done(errors.New("nothing can be saved here"))
		return
	}
	s.actions.Edit(ops, done)
}

// commitAll saves everything that can be saved.
func (s *setup) commitAll() {
	for _, u := range s.units {
		s.commit(u)
	}
}

// leave saves what waits for an answer before another entry is shown: nobody would come back to it. What cannot be saved is told.
func (s *setup) leave() {
	waiting, again := s.waiting, s.again
	s.waiting, s.again = map[unit]bool{}, map[unit]bool{}
	for _, u := range s.units {
		if !waiting[u] && !again[u] || !u.dirty() {
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
	s.arrange()
}

// replace saves operations that may change any of the fields.
func (s *setup) replace(ops []edit.Op) {
	for _, u := range s.units {
		s.stop(u)
		u.yield()
		s.sending[u] = true
	}
	toolbox, server := s.view.Toolbox, s.view.Server
	s.edit(ops, func(err error) {
		if toolbox != s.view.Toolbox || server != s.view.Server {
			return
		}
		for _, u := range s.units {
			delete(s.sending, u)
			u.saved(nil)
		}
		s.failed = ""
		if err != nil {
			s.failed = kit.Sentence(err.Error())
		}
		s.check()
	})
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

// focus gives an object the keyboard.
func (s *setup) focus(object fyne.CanvasObject) {
	canvas := fyne.CurrentApp().Driver().CanvasForObject(object)
	if focusable, ok := object.(fyne.Focusable); ok && canvas != nil {
		canvas.Focus(focusable)
	}
}

// later runs a function when what happens now is over.
func (s *setup) later(f func()) { s.actions.after(0, f) }

// forget prepares the form for another entry.
func (s *setup) forget() {
	s.reset()
	s.view, s.arrived = View{}, false
	f := &s.form
	f.switched = false
	for _, u := range s.units {
		switch u := u.(type) {
		case *textField:
			u.draft = draft{}
			u.input.Open(false)
			u.input.Left(false)
		case *arguments:
			u.forget()
		case *variables:
			u.forget()
		}
	}
	f.page.ScrollToTop()
}
