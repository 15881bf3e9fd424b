package editor

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// setup is the form. What is typed is a draft, which is checked with every letter and applied with Enter and when the field is left; only
// what brings no new error is.
type setup struct {
	actions Actions
	drafts  *model.Drafts
	view    View
	arrived bool             // a View has been shown
	entry   Entry            // as the file had it when it could last be read
	base    *config.Document // that file
	form    form
	bar     *kit.ApplyBar
	root    fyne.CanvasObject
	units   []unit
	names   func(text string) string // see formNames

	typings   int              // counts what makes a check old
	checkedAt int              // typings when the newest answer was asked for
	checked   *config.Document // that answer; nil when there was nothing to check or it could not be

	failed  string // why the last fix could not be made
	look    look
	secrets map[string]secretState
	toTools func()
	// answered is called when it has become known whether what is typed can be saved.
	answered func()

	lastSplit  string // the command that lastSplits is about
	lastSplits bool
	pasted     string // the command line as it was pasted, with its quotes
}

func newSetup(actions Actions, drafts *model.Drafts, toTools func()) *setup {
	s := &setup{actions: actions, drafts: drafts, toTools: toTools, names: formNames(), answered: func() {}}
	s.reset()
	s.build()
	return s
}

func (s *setup) reset() {
	s.typings++
	s.checkedAt, s.checked, s.failed, s.look = s.typings, nil, "", look{}
	s.secrets = map[string]secretState{}
	s.view, s.arrived, s.entry, s.base = View{}, false, Entry{}, nil
}

func (s *setup) target() edit.Target {
	return edit.Target{Toolbox: s.view.Toolbox, Server: s.view.Server}
}

// typed are the drafts of the form.
func (s *setup) typed() []*model.Draft {
	return slices.DeleteFunc(s.drafts.Of(s.target()), func(d *model.Draft) bool { return d.Field == "" })
}

// apply takes up another View of the same entry.
func (s *setup) apply(view View) {
	old := s.view
	s.view = view
	switch {
	case view.Problem == "" && s.arrived && old.Problem == "" && old.Text == view.Text && old.document == view.document:
		s.show() // only how the server is doing has changed
		return
	case view.Problem == "":
		s.entry, s.base = view.Entry, view.document
	case !s.arrived:
		s.typedIn()
	}
	if !s.arrived {
		s.arrived = true
		s.switchBack()
		for _, d := range s.typed() {
			d.Wanted = d.Wanted || d.Err != nil && !d.Clashes()
		}
	}
	s.follow()
}

// typedIn takes the entry from the file in which something was typed, while the file of today cannot be read.
func (s *setup) typedIn() {
	for _, d := range s.typed() {
		if d.Base == nil {
			continue
		}
		if text, err := edit.ServerTextOf(d.Base, d.Server.Toolbox, d.Server.Server); err == nil {
			s.entry, s.base = readEntry(text), d.Base
			return
		}
	}
}

// follow shows what the file says where nothing is typed.
func (s *setup) follow() {
	s.followRest()
	for _, u := range s.units {
		u.follow(s.entry)
	}
	s.check()
}

// followRest takes up what the file says beside the fields.
func (s *setup) followRest() {
	s.followKind(s.entry)
	s.form.inherit.Follow(isTrue(s.entry, "inheritEnv"))
	s.form.on.Follow(!isTrue(s.entry, "disabled"))
	s.form.trust.Follow(isTrue(s.entry, "trustToolChanges"))
	s.form.askFirst.Follow(isTrue(s.entry, "askFirst"))
}

// edited follows what the user has typed. Nothing of it is saved before it is applied.
func (s *setup) edited() {
	s.failed = ""
	s.check()
}

// whenLeft applies all that is typed once the keyboard is not in the form. Until then it is kept back: somebody who goes from the command to its
// arguments would start the new command with the old ones.
func (s *setup) whenLeft() {
	at := s.target()
	has := func(object fyne.Focusable) bool { return s.form.page.Has(object) || s.bar.Has(object) }
	kit.WhenLeft(s.root, has, s.actions.After, func() {
		if at == s.target() {
			s.commit()
		}
	})
}

// moved follows the keyboard, which has come to a control of the form or gone from it.
func (s *setup) moved(focused bool) {
	if !focused {
		s.whenLeft()
	}
}

// changed follows what a button of the form has changed. The keyboard may be in the form, or nowhere.
func (s *setup) changed() {
	s.edited()
	s.whenLeft()
}

// discard puts back what the file says in all fields, and tells whether that is something else.
func (s *setup) discard() bool {
	return s.discardThose(func(*model.Draft) bool { return true })
}

// discardPlain does that for what could be applied: what clashes or could not be saved is not lost with a key that closes other things, too.
func (s *setup) discardPlain() bool {
	return s.discardThose(func(d *model.Draft) bool { return d.Err == nil })
}

func (s *setup) discardThose(which func(*model.Draft) bool) (changed bool) {
	for _, d := range s.typed() {
		if which(d) {
			changed = changed || d.Left() && !s.idle(d.Field)
			s.drafts.Discard(d)
		}
	}
	s.form.switched = false
	s.follow()
	return changed
}

// check asks what the file would be with all that is typed.
func (s *setup) check() {
	s.typings++
	var ops []edit.Op
	for _, d := range s.typed() {
		if s.sayable(d) {
			ops = append(ops, s.ops(d)...)
		}
	}
	s.lookUp()
	if len(ops) == 0 {
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
	s.applyThose(func(d *model.Draft) bool { return d.Wanted })
	s.answered()
}

// pending reports whether something is to be saved that waits for the answer of a check, or for what is being saved.
func (s *setup) pending() bool {
	return s.view.Problem == "" && slices.ContainsFunc(s.typed(), func(d *model.Draft) bool {
		return d.Wanted && (s.checkedAt != s.typings || d.Sending())
	})
}

// sayable reports whether a draft can be written into the file.
func (s *setup) sayable(d *model.Draft) bool { return !d.Held && !s.idle(d.Field) && s.local(d) == "" }

// local is what is wrong with a draft that cannot even be written down.
func (s *setup) local(d *model.Draft) string {
	for _, u := range s.units {
		if u.key() == d.Field {
			return u.local(d)
		}
	}
	return ""
}

// unfinished tells of a new row that the user is still in and that has a name only.
func (s *setup) unfinished(d *model.Draft) bool {
	return d.Row > 0 && !d.Was.There && d.Now.Text == "" &&
		slices.ContainsFunc(slices.Concat(s.form.env.rows, s.form.headers.rows), func(row *variable) bool { return row.id == d.Row && row.typing() })
}

// ops are the operations of a draft.
func (s *setup) ops(d *model.Draft) []edit.Op {
	d.More = s.switchOps(d)
	return d.Ops()
}

// commit applies all that is typed, as far as it may be.
func (s *setup) commit() {
	s.applyThose(func(d *model.Draft) bool { return true })
}

// applyThose applies some drafts. Those that were typed in the same file are one edit, so that the server starts once.
func (s *setup) applyThose(which func(*model.Draft) bool) {
	var ready []*model.Draft
	for _, d := range s.typed() {
		switch {
		case !which(d) || !d.Left() || d.Clashes() || !s.sayable(d) || s.unfinished(d):
		case s.view.Problem != "" || s.checkedAt != s.typings || d.Sending():
			d.Wanted = true
		case s.blocked(d):
			d.Wanted = false
		default:
			ready = append(ready, d)
		}
	}
	for len(ready) > 0 {
		base, ops, group := ready[0].Base, []edit.Op(nil), []*model.Draft(nil)
		ready = slices.DeleteFunc(ready, func(d *model.Draft) bool {
			if d.Base != base {
				return false
			}
			ops, group = append(ops, s.ops(d)...), append(group, d)
			return true
		})
		s.drafts.Send(base, ops, nil, group...)
		s.show()
	}
}

// leave applies what waits for an answer before another entry is shown, or before the end: nobody would come back to it. What cannot be saved
// is told.
func (s *setup) leave(last bool) {
	if s.view.Problem != "" {
		return
	}
	for _, d := range s.typed() {
		if d.Wanted && s.sayable(d) {
			d.More = s.switchOps(d)
			s.drafts.Apply(d, last)
		}
	}
}

// unsaved reports whether something is typed that is not in the file.
func (s *setup) unsaved() bool { return len(s.typed()) > 0 }

// left reports whether something is typed that is not on its way to the file.
func (s *setup) left() bool {
	return slices.ContainsFunc(s.typed(), func(d *model.Draft) bool { return d.Left() && !s.idle(d.Field) })
}

// show draws everything as it is.
func (s *setup) show() {
	s.showKind()
	rest := s.problems()
	for _, u := range s.units {
		rest = u.show(rest)
	}
	s.showRest(rest)
	s.bar.Set(s.left(), lang.L("Enter applies what you typed."))
	s.arrange()
}

// replace saves operations that have all in them that is typed in some drafts. What is typed elsewhere stays as it is.
func (s *setup) replace(ops []edit.Op, ended func(), drafts ...*model.Draft) {
	at := s.target()
	s.drafts.Send(s.base, ops, func(err error) {
		if ended != nil {
			ended()
		}
		switch {
		case at == s.target():
			s.failed = ""
			if err != nil {
				s.failed = kit.Sentence(kit.SayError(err))
			}
			s.follow() // what was clicked may not be so
		case err != nil && len(drafts) == 0:
			s.actions.NotSaved(at, err)
		}
	}, drafts...)
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
func (s *setup) later(f func()) { s.actions.After(0, f) }

// forget prepares the form for another entry. What is typed for the kind that the server is not goes.
func (s *setup) forget() {
	for _, d := range s.typed() {
		if s.idle(d.Field) {
			s.drafts.Discard(d)
		}
	}
	s.reset()
	s.form.switched = false
	for _, u := range s.units {
		u.forget()
	}
	s.form.page.ScrollToTop()
}
