package editor

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// textField is a field of the entry that is one text or number.
type textField struct {
	setup *setup
	name  string // in the file
	file  model.Value

	input *kit.SecretInput
	notes *notes
	box   fyne.CanvasObject

	extra func(own int) []note // what else is to be said beside so many problems; may be nil
	hide  func(problem) bool
}

func newTextField(s *setup, name, label, hint, placeholder string, small ...fyne.CanvasObject) *textField {
	f := &textField{setup: s, name: name, input: kit.NewSecretInput(placeholder), notes: newNotes(s.reveal)}
	s.listen(f.input, f.typed, f.draft, func() bool { return secret.Value(f.text()) })
	f.box = labelled(label, hint, trailed(f.input.Input, append([]fyne.CanvasObject{f.input.Eye}, small...)...), f.notes.box)
	return f
}

func (f *textField) key() string { return f.name }

func (f *textField) place() model.Place { return model.Place{Server: f.setup.target(), Field: f.name} }

func (f *textField) draft() *model.Draft { return f.setup.drafts.At(f.place()) }

// text is what stands in the field.
func (f *textField) text() string {
	if d := f.draft(); d != nil {
		return d.Now.Text
	}
	return f.file.Text
}

func (f *textField) set(text string) *model.Draft {
	return f.setup.drafts.Type(f.place(), f.setup.base, f.file, model.Value{There: true, Text: text})
}

func (f *textField) typed(text string) {
	f.set(text)
	f.setup.edited()
}

// listen connects a line of text with its draft.
func (s *setup) listen(input *kit.SecretInput, typed func(string), draft func() *model.Draft, isSecret func() bool) {
	input.OnValue = typed
	input.OnSubmitted = func(string) { s.commit() }
	input.OnEscape = func() {
		if d := draft(); d != nil {
			s.drafts.Discard(d)
			s.follow()
		} else {
			s.discardPlain()
		}
	}
	input.OnFocus = func(focused bool) {
		if focused {
			s.reveal(input.Input)
			return
		}
		input.Left(isSecret())
		s.arrange()
	}
	input.OnScroll = func(event *fyne.ScrollEvent) { s.form.page.Wheel(event) }
}

// numberText is a number as JSON has it, but for negative ones.
var numberText = lazyregexp.New(`^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

func (f *textField) local(d *model.Draft) string {
	if model.KindOf(f.name) == config.KindSeconds && d.Now.Text != "" && !numberText.MatchString(strings.TrimSpace(d.Now.Text)) {
		return lang.L("Write a number of seconds, such as 10. 0 means no limit.")
	}
	return ""
}

func (f *textField) follow(entry Entry) {
	value, _ := entry.Get(f.name)
	f.file = model.Value{There: true, Text: value.Text}
	f.setup.drafts.Follow(f.place(), f.setup.base, f.file)
}

func (f *textField) forget() {
	f.file = model.Value{}
	f.input.Forget()
}

func (f *textField) show(problems []problem) []problem {
	own, others := mine(problems, memberPath(f.name))
	text := f.text()
	f.input.Show(text, secret.Value(text))
	if !f.box.Visible() {
		return problems
	}
	say := f.setup.draftNotes(f.draft(), f.file, func(v model.Value) string { return masked(v.Text, secret.Value) })
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
	say = append(say, f.setup.referenceNotes(text, own)...)
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

// masked is a text, or what stands for it when it is a secret.
func masked(text string, isSecret func(string) bool) string {
	if isSecret(text) {
		text = secret.Masked
	}
	return text
}

// draftNotes say why a draft is not applied, and what can be done. File is what the file has there now.
func (s *setup) draftNotes(d *model.Draft, file model.Value, words func(model.Value) string) []note {
	if d == nil {
		return nil
	}
	again := func() { d.Wanted = true; s.check() }
	back := func() { s.drafts.Discard(d); s.follow() }
	keep := act{label: lang.L("Keep mine"), do: func() { s.drafts.Keep(d, s.base, file); again() }}
	var say []note
	switch {
	case d.Clashes() && !file.There:
		say = []note{{state: theme.StateNotice, text: lang.L("Removed elsewhere while you were editing it."),
			acts: []act{keep, {label: lang.L("Take it out"), do: back}}}}
	case d.Clashes():
		say = []note{{state: theme.StateNotice, text: lang.L("Changed elsewhere while you were editing it."),
			hint: lang.L("Theirs: {{.Theirs}} · Yours: {{.Yours}}", map[string]any{"Theirs": short(words(file)), "Yours": short(words(d.Now))}),
			acts: []act{keep, {label: lang.L("Take theirs"), do: back}}}}
	case d.Err != nil:
		say = []note{{state: theme.StateWrong, text: lang.L("Not saved: {{.Reason}}", map[string]any{"Reason": kit.Line(kit.Sentence(kit.SayError(d.Err)))}),
			acts: []act{{label: lang.L("Try again"), do: again}, {label: lang.L("Put back"), do: back}}}}
	}
	if local := s.local(d); local != "" {
		say = append(say, note{state: theme.StateWrong, text: local})
	}
	return say
}

// short is a text as one repeats it in a sentence.
func short(text string) string {
	if text = kit.Cut(text, 60); text == "" {
		return lang.L("(empty)")
	}
	return kit.Quote(text)
}

// noteOf is what a diagnostic says, with its fix as a button.
func (s *setup) noteOf(p problem) note {
	said := note{state: live.OfSeverity(p.Severity), text: s.names(kit.Sentence(kit.Say(p.Message))), hint: s.names(kit.Hint(kit.Say(p.Message), kit.Say(p.Hint)))}
	if p.Fix != nil {
		said.acts = []act{{label: s.names(kit.Say(p.Fix.Title)), do: func() { s.fix(p) }}}
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
