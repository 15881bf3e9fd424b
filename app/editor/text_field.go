package editor

import (
	"encoding/json"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// textField is a field of the entry that is one text or number.
type textField struct {
	draft
	setup *setup
	key   string // in the file

	number   bool // it is written as a number
	optional bool // an empty one is left out of the file

	input *kit.SecretInput
	notes *notes
	box   fyne.CanvasObject

	instead func() []edit.Op     // saves more than the field alone; may be nil
	extra   func(own int) []note // what else is to be said beside so many problems; may be nil
	hide    func(problem) bool
}

func newTextField(s *setup, key, label, hint, placeholder string, small ...fyne.CanvasObject) *textField {
	f := &textField{setup: s, key: key, input: kit.NewSecretInput(placeholder), notes: newNotes(s.reveal)}
	s.listen(f.input, f, &f.draft, func() bool { return secret.Value(f.text) })
	f.box = labelled(label, hint, trailed(f.input.Input, append([]fyne.CanvasObject{f.input.Eye}, small...)...), f.notes.box)
	return f
}

// listen connects a line of text with its draft.
func (s *setup) listen(input *kit.SecretInput, u unit, d *draft, isSecret func() bool) {
	input.OnValue = func(value string) {
		d.typed(value)
		s.typed()
	}
	input.OnSubmitted = func(string) { s.commit(u) }
	input.OnEscape = func() {
		if !d.dirty() && !d.disputed() {
			s.discard()
			return
		}
		d.revert()
		input.Show(d.text, isSecret())
		s.check()
	}
	input.OnFocus = func(focused bool) {
		if focused {
			s.reveal(input.Input)
			return
		}
		input.Left(isSecret())
		s.leftField(input.Input, u)
		s.arrange()
	}
	input.OnScroll = func(event *fyne.ScrollEvent) { s.form.page.Wheel(event) }
}

// numberText is a number as JSON has it, but for negative ones.
var numberText = lazyregexp.New(`^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// local is what is wrong with the text that cannot even be written down.
func (f *textField) local() string {
	if f.number && f.dirty() && f.text != "" && !numberText.MatchString(strings.TrimSpace(f.text)) {
		return lang.L("Write a number of seconds, such as 10. 0 means no limit.")
	}
	return ""
}

func (f *textField) dirtyOps() []edit.Op {
	if f.instead != nil {
		if ops := f.instead(); ops != nil {
			return ops
		}
	}
	target := f.setup.target()
	switch {
	case f.text == "" && f.optional:
		return []edit.Op{edit.ClearField{Target: target, Field: []string{f.key}}}
	case f.number:
		return []edit.Op{edit.SetField{Target: target, Field: []string{f.key}, Value: json.RawMessage(strings.TrimSpace(f.text))}}
	}
	return []edit.Op{edit.SetField{Target: target, Field: []string{f.key}, Value: edit.Value(f.text)}}
}

func (f *textField) ops(final bool) []edit.Op {
	if !f.dirty() || f.local() != "" || final && f.disputed() {
		return nil
	}
	return f.dirtyOps()
}

func (f *textField) follow(entry Entry) {
	value, _ := entry.Get(f.key)
	f.draft.follow(value.Text)
}

func (f *textField) saved(err error) { f.draft.saved(err) }

func (f *textField) yield(begins bool) { f.draft.yield = begins }

func (f *textField) keep() (putBack func()) {
	kept := f.draft
	return func() { f.draft = kept.again() }
}

func (f *textField) show(problems []problem) []problem {
	own, others := mine(problems, memberPath(f.key))
	f.input.Show(f.text, secret.Value(f.text))
	if !f.box.Visible() {
		return problems
	}
	var say []note
	if f.disputed() {
		say = append(say, f.setup.dispute(&f.draft, secret.Value, f))
	}
	if f.reason != "" {
		say = append(say, f.setup.notSaved(f.reason, f))
	}
	if local := f.local(); local != "" {
		say = append(say, note{state: theme.StateWrong, text: local})
	}
	count := 0
	for _, p := range own {
		if f.hide == nil || !f.hide(p) {
			say = append(say, f.setup.noteOf(p))
			count++
		}
	}
	if f.extra != nil {
		say = append(say, f.extra(count)...)
	}
	say = append(say, f.setup.longNote(f.input)...)
	say = append(say, f.setup.referenceNotes(f.text, own)...)
	f.notes.set(say)
	return others
}

// longNote says where a text that is too long for its line can be changed.
func (s *setup) longNote(input *kit.SecretInput) []note {
	if !input.Long() {
		return nil
	}
	return []note{{state: theme.StateIdle, text: lang.L("This is too long for a line. Change it on the JSON tab.")}}
}

// dispute asks which of two texts is to be kept.
func (s *setup) dispute(d *draft, isSecret func(string) bool, u unit) note {
	if d.gone {
		return note{state: theme.StateNotice, text: lang.L("Removed elsewhere while you were editing it."), acts: []act{
			{label: lang.L("Keep mine"), do: func() { d.keep(); s.check(); s.commit(u) }},
			{label: lang.L("Take it out"), do: func() { d.take(); d.base, d.text = "", ""; s.check() }},
		}}
	}
	theirs, yours := *d.theirs, d.text
	if isSecret(theirs) {
		theirs = secret.Masked
	}
	if isSecret(yours) {
		yours = secret.Masked
	}
	return note{
		state: theme.StateNotice, text: lang.L("Changed elsewhere while you were editing it."),
		hint: lang.L("Theirs: {{.Theirs}} · Yours: {{.Yours}}", map[string]any{"Theirs": short(theirs), "Yours": short(yours)}),
		acts: []act{
			{label: lang.L("Keep mine"), do: func() { d.keep(); s.check(); s.commit(u) }},
			{label: lang.L("Take theirs"), do: func() { d.take(); s.check() }},
		},
	}
}

// short is a text as one repeats it in a sentence.
func short(text string) string {
	text = kit.Line(text)
	if text == "" {
		return lang.L("(empty)")
	}
	if runes := []rune(text); len(runes) > 60 {
		text = string(runes[:60]) + "…"
	}
	return kit.Quote(text)
}

// notSaved says why a text stays unsaved.
func (s *setup) notSaved(reason string, u unit) note {
	return note{state: theme.StateWrong, text: lang.L("Not saved: {{.Reason}}", map[string]any{"Reason": kit.Line(reason)}), acts: []act{
		{label: lang.L("Try again"), do: func() { s.commit(u) }},
		{label: lang.L("Put back"), do: func() { u.revert(); s.check() }},
	}}
}

// noteOf is what a diagnostic says, with its fix as a button.
func (s *setup) noteOf(p problem) note {
	said := note{state: stateOf(p.Severity), text: s.names.Replace(kit.Sentence(kit.Say(p.Message))), hint: s.names.Replace(kit.Hint(kit.Say(p.Message), kit.Say(p.Hint)))}
	if p.Fix != nil {
		said.acts = []act{{label: s.names.Replace(kit.Say(p.Fix.Title)), do: func() { s.fix(p) }}}
	}
	return said
}

// referenceNotes tell whether the references of a text have a value now.
func (s *setup) referenceNotes(text string, problems []problem) []note {
	var say []note
	for i, reference := range config.References(text) {
		if i == maxReferences {
			break
		}
		words := map[string]any{"Name": short(reference.Name)}
		switch {
		case reference.Keyring:
			switch s.hasSecret(reference.Name) {
			case secretThere:
				say = append(say, note{state: theme.StateConnected, text: lang.L("{{.Name}} is in your keychain.", words)})
			case secretMissing:
				say = append(say, note{state: theme.StateWrong, text: lang.L("Your keychain has no {{.Name}}.", words),
					hint: lang.L("Type the value here and tick “Keep in keychain”.")})
			default:
				say = append(say, note{state: theme.StateIdle, text: lang.L("{{.Name}} is read from your keychain when the server starts.", words)})
			}
		case s.actions.Env == nil:
		default:
			value, set := s.actions.Env(reference.Name)
			switch {
			case set && (value != "" || !reference.HasDefault):
				say = append(say, note{state: theme.StateConnected, text: lang.L("The variable {{.Name}} has a value now.", words)})
			case reference.HasDefault:
				say = append(say, note{state: theme.StateIdle, text: lang.L("The variable {{.Name}} has no value now, so its default is used.", words)})
			case slices.ContainsFunc(problems, func(p problem) bool { return p.Unset(reference.Name) }):
			default:
				say = append(say, note{state: theme.StateNotice, text: lang.L("The variable {{.Name}} has no value now.", words)})
			}
		}
	}
	return say
}

// maxReferences is how many references of one text are told of.
const maxReferences = 5
