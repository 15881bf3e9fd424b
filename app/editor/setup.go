package editor

import (
	"slices"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// setup is the form. What is typed becomes a draft. A draft is checked after every letter. It is applied on Enter and
// when the focus leaves the form, unless it would bring a new error into the file.
type setup struct {
	screen  *Screen
	program Program
	drafts  *model.Drafts
	view    View
	arrived bool             // apply was called
	entry   *jsonc.Node      // the entry when the file could last be read
	base    *config.Document // the document that entry is from
	form    form
	bar     *kit.ApplyBar
	root    fyne.CanvasObject
	units   []unit
	names   formNames

	checked checked // what the file would be with all that is typed

	opened  bool   // a problem has opened the part that says how the server starts
	failed  string // why the last edit by a button or a switch failed
	look    look
	secrets map[string]model.SecretState
	line    commandLine
}

func newSetup(screen *Screen) *setup {
	s := &setup{screen: screen, program: screen.program, drafts: screen.drafts, names: live.Fields()}
	s.reset()
	s.build()
	return s
}

func (s *setup) reset() {
	s.checked.forget()
	s.failed, s.opened, s.look = "", false, look{}
	s.secrets = map[string]model.SecretState{}
	s.view, s.arrived, s.entry, s.base = View{}, false, nil, nil
}

// typed returns the drafts of the form.
func (s *setup) typed() []*model.Draft {
	return slices.DeleteFunc(s.drafts.Of(s.view.Choice), func(d *model.Draft) bool { return d.Field == "" })
}

// apply shows a new View of the same entry.
func (s *setup) apply(view View) {
	old := s.view
	s.view = view
	switch {
	case view.Problem == "" && s.arrived && old.Problem == "" && old.Text == view.Text && old.document == view.document:
		s.show() // the entry is the same
		return
	case view.Problem == "":
		s.entry, s.base = view.Entry, view.document
	case !s.arrived:
		s.readBase()
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

// readBase takes the entry from the base of a draft, because the file cannot be read now.
func (s *setup) readBase() {
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

// follow updates all fields without typed text from the file.
func (s *setup) follow() {
	s.followRest()
	for _, u := range s.units {
		u.follow(s.entry)
	}
	s.check()
}

// followRest updates what is not a unit.
func (s *setup) followRest() {
	s.form.kind.follow(s.entry)
	s.form.followTransport(s.entry)
	keeps := s.keeps()
	s.form.common.Set(live.InCommon(keeps))
	for _, w := range s.form.switches {
		// Without the field, apps share what keeps nothing, and what was seen to keep nothing.
		w.follow(s.entry, w.field == "share" && (keeps.KeepsNothing() || s.view.Live.Process.Shared))
	}
}

// keeps returns what the server keeps of the app that uses it.
func (s *setup) keeps() config.State {
	if s.base == nil || s.base.Config == nil {
		return config.StateUnknown
	}
	if toolbox, ok := s.base.Config.Toolbox(s.view.Toolbox); ok {
		if server, ok := toolbox.Server(s.view.Server); ok {
			return server.State()
		}
	}
	return config.StateUnknown
}

// edited is called after the user has typed. It checks the text but saves nothing.
func (s *setup) edited() {
	s.failed = ""
	s.check()
}

// whenLeft applies everything when the focus has left the form. Applying each field at once would start the new
// command with the old arguments.
func (s *setup) whenLeft() {
	at := s.view.Choice
	has := func(object fyne.Focusable) bool { return s.form.page.Has(object) || s.bar.Has(object) }
	kit.WhenLeft(s.root, has, s.program.After, func() {
		if at == s.view.Choice {
			s.commit()
		}
	})
}

// moved is called when a control of the form gets or loses the focus.
func (s *setup) moved(focused bool) {
	if !focused {
		s.whenLeft()
	}
}

// changed is called after a button of the form has changed something. The focus may be in the form or nowhere.
func (s *setup) changed() {
	s.edited()
	s.whenLeft()
}

// discard restores what the file has in all fields, and reports whether that changes anything.
func (s *setup) discard() bool {
	return s.discardThose(func(*model.Draft) bool { return true })
}

// discardPlain is like discard, but keeps text that clashes or could not be saved. It is for Esc, which the user may
// press for another reason.
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
	s.form.kind.switched = false
	s.follow()
	return changed
}

// check checks what the file would be with all that is typed.
func (s *setup) check() {
	asked := s.checked.begin()
	var ops []edit.Op
	for _, d := range s.typed() {
		if s.writable(d) {
			ops = append(ops, s.ops(d)...)
		}
	}
	s.lookUp()
	if len(ops) == 0 {
		s.answer(asked, nil)
		return
	}
	s.show()
	s.program.Check(ops, func(document *config.Document) { s.answer(asked, document) })
}

func (s *setup) answer(asked int, document *config.Document) {
	if !s.checked.end(asked, document) {
		return // something was typed since then
	}
	s.show()
	s.applyThose(func(d *model.Draft) bool { return d.Wanted })
	s.screen.proceed()
}

// pending reports whether text is to be saved that waits for a check or for an earlier save.
func (s *setup) pending() bool {
	return s.view.Problem == "" && slices.ContainsFunc(s.typed(), func(d *model.Draft) bool {
		return d.Wanted && (!s.checked.newest() || d.Sending())
	})
}

// writable reports whether a draft can be written to the file.
func (s *setup) writable(d *model.Draft) bool { return !d.Held && !s.idle(d.Field) && s.local(d) == "" }

// local says why a draft cannot even be written as JSON.
func (s *setup) local(d *model.Draft) string {
	return s.unitOf(d).local(d)
}

// unitOf returns the unit of a draft of the form.
func (s *setup) unitOf(d *model.Draft) unit {
	return s.units[slices.IndexFunc(s.units, func(u unit) bool { return u.key() == d.Field })]
}

// unfinished reports whether the draft is a new row that has the focus and only a name yet.
func (s *setup) unfinished(d *model.Draft) bool {
	return d.Row > 0 && !d.Was.There && d.Now.Text == "" &&
		slices.ContainsFunc(slices.Concat(s.form.env.rows, s.form.headers.rows), func(row *variable) bool {
			return row.id == d.Row && row.typing()
		})
}

// ops returns the operations of a draft.
func (s *setup) ops(d *model.Draft) []edit.Op {
	d.More = s.switchOps(d)
	return d.Ops()
}

// commit applies everything that may be applied.
func (s *setup) commit() {
	s.applyThose(func(d *model.Draft) bool { return true })
}

// insist is commit for a user who asks to save. If a text clashes with another change, the user is asked again what to
// keep. The focus moves to text that cannot be applied.
func (s *setup) insist() {
	for _, d := range s.typed() {
		d.AskAgain()
	}
	s.commit()
	for _, d := range s.typed() {
		if d.Left() && !d.Wanted && !d.Held && !s.idle(d.Field) {
			s.unitOf(d).focus(d)
			return
		}
	}
}

// applyThose applies some drafts. Drafts with the same base become one edit, so that the server restarts only once.
func (s *setup) applyThose(which func(*model.Draft) bool) {
	var ready []*model.Draft
	waits := false
	for _, d := range s.typed() {
		switch {
		case !which(d) || !d.Left() || d.Clashes() || !s.writable(d) || s.unfinished(d):
		case s.view.Problem != "" || !s.checked.newest() || d.Sending():
			d.Wanted = true
		case s.blocked(d):
			d.Wanted = false
		case s.keepFirst(d):
			d.Wanted, waits = false, waits || d.Held
		default:
			ready = append(ready, d)
		}
	}
	if waits { // all of them become one edit once the keychain has answered
		for _, d := range ready {
			d.Wanted = true
		}
		return
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
		if len(ready) == 0 {
			ops = append(ops, s.turnOn()...)
		}
		s.drafts.Send(base, ops, nil, group...)
		s.show()
	}
}

// turnOn returns the operation that switches the server on if everything is filled in now for which an import has
// switched it off.
func (s *setup) turnOn() []edit.Op {
	if !s.entry.Member("disabled").Is(jsonc.True) {
		return nil
	}
	before, after := entryIn(s.view.document, s.view.Choice), entryIn(s.checked.document, s.view.Choice)
	if before == nil || after == nil || len(foreign.MissingIn(after)) > 0 ||
		!slices.ContainsFunc(foreign.MissingIn(before), func(m foreign.Missing) bool { return m.Blank }) {
		return nil
	}
	return edit.Turn(s.view.Choice, "disabled", false)
}

// entryIn returns the entry of a server in a document, or nil.
func entryIn(document *config.Document, at model.Choice) *config.Server {
	if document == nil || document.Config == nil {
		return nil
	}
	if toolbox, ok := document.Config.Toolbox(at.Toolbox); ok {
		if server, ok := toolbox.Server(at.Server); ok {
			return server
		}
	}
	return nil
}

// leave applies drafts that wait for a check, before another entry is shown or the window closes. last says that there
// is no later chance to save. If saving fails, the user is told.
func (s *setup) leave(last bool) {
	if s.view.Problem != "" {
		return
	}
	for _, d := range s.typed() {
		if d.Wanted && s.writable(d) {
			d.More = s.switchOps(d)
			s.drafts.Apply(d, last)
		}
	}
}

// left reports whether something is typed that is not being saved.
func (s *setup) left() bool {
	return slices.ContainsFunc(s.typed(), func(d *model.Draft) bool { return d.Left() && !s.idle(d.Field) })
}

// show draws the form.
func (s *setup) show() {
	s.form.showKind()
	rest := s.problems()
	s.lead(rest)
	for _, u := range s.units {
		rest = u.show(rest)
	}
	s.showRest(rest)
	s.bar.Set(s.left(), "")
	s.arrange()
}

// lead opens the folded parts, once for each server, in which there is a problem or something is typed.
func (s *setup) lead(problems []problem) {
	if !s.arrived || s.opened {
		return
	}
	concerns := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			own, _ := mine(problems, memberPath(name))
			return len(own) > 0 || s.drafts.At(model.Place{Server: s.view.Choice, Field: name}) != nil
		})
	}
	if concerns("command", "args", "cwd", "url") {
		s.opened = true
		s.form.how.set(true)
	}
	if concerns("startupTimeout", "callTimeout") {
		s.opened = true
		s.form.advanced.set(true)
	}
}

// replace saves operations that include the text of some drafts. Other drafts are not changed.
func (s *setup) replace(ops []edit.Op, ended func(), drafts ...*model.Draft) {
	at := s.view.Choice
	s.drafts.Send(s.base, ops, func(err error) {
		if ended != nil {
			ended()
		}
		switch {
		case at == s.view.Choice:
			s.failed = ""
			if err != nil {
				s.failed = kit.Sentence(kit.SayError(err))
			}
			s.follow() // after an error, a switch must show what is in the file
		case err != nil && len(drafts) == 0:
			s.program.NotSaved(at, err)
		}
	}, drafts...)
}

// arrange lays out the form again.
func (s *setup) arrange() {
	s.form.page.Arrange()
}

// reveal scrolls an object into view.
func (s *setup) reveal(object fyne.CanvasObject) {
	s.form.page.Reveal(object)
}

// later runs f after the current event.
func (s *setup) later(f func()) { s.program.After(0, f) }

// forget prepares the form for another entry. Text typed for the other kind of server is dropped.
func (s *setup) forget() {
	for _, d := range s.typed() {
		if s.idle(d.Field) {
			s.drafts.Discard(d)
		}
	}
	s.reset()
	s.form.kind.switched = false
	for _, u := range s.units {
		u.forget()
	}
	s.form.page.ScrollToTop()
}
