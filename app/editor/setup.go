package editor

import (
	"bytes"
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
	s := &setup{actions: actions, toTools: toTools}
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

// unsaved tells whether something is typed that the file has not.
func (s *setup) unsaved() bool { return slices.ContainsFunc(s.units, unit.dirty) }

// blocked tells whether a unit would bring an error into the file.
func (s *setup) blocked(u unit) bool {
	switch u := u.(type) {
	case *textField:
		return u.local() != "" || u.disputed() || s.newErrors(memberPath(u.key))
	case *arguments:
		return s.newErrors(".args")
	}
	return false // a table looks at each of its rows
}

func (s *setup) rowHasErrors(v *variables, row *variable) bool {
	return row.name.text != "" && s.newErrors(memberPath(v.key)+memberPath(row.name.text))
}

// newErrors tells whether what is typed brings errors to a place that the file has not there.
func (s *setup) newErrors(at string) bool {
	if s.checked == nil {
		return false
	}
	old := map[string]int{}
	for _, p := range s.locate(s.view.Diagnostics, s.view.document) {
		if within(p.at, at) {
			old[p.Message]++
		}
	}
	for _, p := range s.locate(entryDiagnostics(s.checked.Diagnostics, s.view.Toolbox, s.view.Server), s.checked) {
		if within(p.at, at) && p.Severity == config.SeverityError {
			if old[p.Message]--; old[p.Message] < 0 {
				return true
			}
		}
	}
	return false
}

// locate gives diagnostics their place within the entry.
func (s *setup) locate(diagnostics []config.Diagnostic, document *config.Document) []problem {
	entry := config.ServerPath(s.view.Toolbox, s.view.Server)
	found := make([]problem, 0, len(diagnostics))
	for _, diagnostic := range diagnostics {
		found = append(found, problem{diagnostic, strings.TrimPrefix(diagnostic.Path, entry), document})
	}
	return found
}

// problems are those to be shown: of what is typed as far as it is known, else of the file.
func (s *setup) problems() []problem {
	if s.checked == nil {
		return s.locate(slices.Concat(s.view.Diagnostics, s.view.Warnings), s.view.document)
	}
	found := s.locate(entryDiagnostics(s.checked.Diagnostics, s.view.Toolbox, s.view.Server), s.checked)
	for _, p := range s.locate(s.view.Warnings, s.view.document) {
		// What was found out about the computer is about the file, not about what is typed.
		if !s.dirtyAt(p.at) {
			p.Fix = nil
			found = append(found, p)
		}
	}
	return found
}

func (s *setup) dirtyAt(at string) bool {
	return slices.ContainsFunc(s.units, func(u unit) bool {
		switch u := u.(type) {
		case *textField:
			return within(at, memberPath(u.key)) && u.dirty()
		case *arguments:
			return within(at, ".args") && u.dirty()
		case *variables:
			return within(at, memberPath(u.key)) && u.dirty()
		}
		return false
	})
}

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

// fix makes what a diagnostic offers: what the entry says then takes the place of what it says now, which keeps every line
// that stays the same. What is typed and not saved yet is saved with it.
func (s *setup) fix(p problem) {
	source, err := config.ApplyChanges(p.document.Source, p.Fix.Changes)
	if err != nil {
		return
	}
	text, err := edit.ServerText(source, s.view.Toolbox, s.view.Server)
	op := edit.ReplaceServer{Toolbox: s.view.Toolbox, Name: s.view.Server, Text: text}
	result, err2 := edit.Apply(p.document.Source, op)
	if err != nil || err2 != nil || !bytes.Equal(result.Source, source) {
		// It changes more than this entry, such as its name.
		if s.actions.OpenFile != nil {
			s.actions.OpenFile()
		}
		return
	}
	s.replace([]edit.Op{op})
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
			s.failed = sentence(err.Error())
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

// secretName is a name for a secret in the keychain that no other entry of the file uses.
func (s *setup) secretName(variable string) string {
	name := strings.TrimSpace(strings.ReplaceAll(kit.Line(variable), "}", ""))
	if s.view.document == nil || !bytes.Contains(s.view.document.Source, []byte("${keyring:"+name+"}")) {
		return name
	}
	return strings.TrimSpace(strings.ReplaceAll(kit.Line(s.view.Toolbox+"/"+s.view.Server+"/"+name), "}", ""))
}

// secretState is whether the keychain has a secret.
type secretState int

const (
	secretUnknown secretState = iota
	secretThere
	secretMissing
)

func (s *setup) hasSecret(name string) secretState {
	state, known := s.secrets[name]
	if !known && s.actions.HasSecret != nil {
		s.secrets[name] = secretUnknown
		asked := s.secrets
		s.actions.HasSecret(name, func(has bool, err error) {
			switch {
			case err != nil:
			case has:
				asked[name] = secretThere
			default:
				asked[name] = secretMissing
			}
			s.later(s.show)
		})
		state = s.secrets[name]
	}
	return state
}

func (s *setup) forgetSecret(name string) { delete(s.secrets, name) }

// look is what was found out about the program.
type look struct {
	asked bool
	key   string
	done  bool
	path  string
	err   error
}

// lookUp asks where the program is that the form names now.
func (s *setup) lookUp() {
	if s.actions.LookPath == nil || s.form.command == nil || !s.program() {
		return
	}
	server := config.Server{Name: s.view.Server, Transport: config.TransportStdio, Command: s.form.command.text, Cwd: s.form.cwd.text}
	for _, row := range s.form.env.rows {
		server.Env = append(server.Env, config.Variable{Name: row.name.text, Value: row.value.text})
	}
	key := server.Command + "\x00" + server.Cwd
	for _, variable := range server.Env {
		if strings.EqualFold(variable.Name, "PATH") {
			key += "\x00" + variable.Value
		}
	}
	if s.look.asked && s.look.key == key {
		return
	}
	s.look = look{asked: true, key: key}
	if strings.TrimSpace(server.Command) == "" {
		return
	}
	s.actions.LookPath(server, func(path string, err error) {
		if s.look.key == key {
			s.look.done, s.look.path, s.look.err = true, path, err
			s.later(s.show)
		}
	})
}

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
			u.input.Left(false)
		case *arguments:
			u.base, u.rows, u.sent, u.again, u.reason = nil, nil, nil, false, ""
		case *variables:
			u.rows = nil
		}
	}
	f.page.ScrollToTop()
}
