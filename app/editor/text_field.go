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
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// textField is a field with one text or number.
type textField struct {
	setup *setup
	name  string      // the name of the setting in the file
	file  model.Value // the value in the file

	input *kit.SecretInput
	notes *kit.Notes
	box   fyne.CanvasObject
}

func newTextField(s *setup, name, hint, placeholder string, small ...fyne.CanvasObject) *textField {
	f := &textField{setup: s, name: name, input: kit.NewSecretInput(placeholder), notes: kit.NewNotes()}
	s.listen(f.input, f.typed, f.draft, func() bool { return secret.Value(f.text()) }, nil)
	f.box = labelled(s.form.labels[name], hint,
		trailed(f.input.Input, append([]fyne.CanvasObject{f.input.Eye}, small...)...), f.notes.Root)
	return f
}

func (f *textField) key() string { return f.name }

func (f *textField) place() model.Place {
	return model.Place{Server: f.setup.view.Choice, Field: f.name}
}

func (f *textField) draft() *model.Draft { return f.setup.drafts.At(f.place()) }

// text returns the text of the field.
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

// listen connects an input with its draft. left is called a little after the input has lost the focus; it may be nil.
func (s *setup) listen(input *kit.SecretInput, typed func(string), draft func() *model.Draft, isSecret func() bool,
	left func()) {
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
		if left != nil {
			s.later(left)
		}
	}
}

func (f *textField) focus(*model.Draft) {
	of := f.setup.form.how
	if model.KindOf(f.name) == config.KindSeconds {
		of = f.setup.form.advanced
	}
	of.set(true)
	kit.Focus(f.input.Input)
}

// numberText matches a JSON number that is not negative.
var numberText = lazyregexp.New(`^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

func (f *textField) local(d *model.Draft) string {
	if model.KindOf(f.name) == config.KindSeconds && d.Now.Text != "" &&
		!numberText.MatchString(strings.TrimSpace(d.Now.Text)) {
		return lang.L("Write a number of seconds, such as 10. 0 means no limit.")
	}
	return ""
}

func (f *textField) follow(entry *jsonc.Node) {
	f.file = model.Value{There: true, Text: textOf(entry.Member(f.name))}
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
	count, command := 0, f.name == "command" // it has notes of its own
	for _, p := range own {
		if !command || !f.setup.line.splits(f.text()) || p.Severity == config.SeverityError {
			say = append(say, f.setup.noteOf(p))
			count++
		}
	}
	if command {
		say = append(say, f.setup.commandNotes(count)...)
	}
	say = append(say, f.setup.longNote(f.input)...)
	say = append(say, f.setup.referenceNotes("", text, own)...)
	f.notes.Set(say)
	return others
}

// longNote says where to change a text that is too long for its line.
func (s *setup) longNote(input *kit.SecretInput) []kit.Note {
	if !input.Long() {
		return nil
	}
	return []kit.Note{{State: theme.StateIdle, Text: lang.L("This is too long for a line."),
		Acts: []kit.Act{{Label: lang.L("As JSON"), Do: func() { s.screen.Choose(model.TabJSON) }}}}}
}

// masked returns text, or dots if it is a secret.
func masked(text string, isSecret func(string) bool) string {
	if isSecret(text) {
		text = secret.Masked
	}
	return text
}

// draftNotes returns notes that say why a draft is not applied, with buttons that settle it. file is the current value
// in the file. words returns a value as text.
func (s *setup) draftNotes(d *model.Draft, file model.Value, words func(model.Value) string) []kit.Note {
	if d == nil {
		return nil
	}
	again := func() { d.Wanted = true; s.check() }
	back := func() { s.drafts.Discard(d); s.follow() }
	keep := kit.Act{Label: lang.L("Use my change"), Do: func() { s.drafts.Keep(d, s.base, file); again() }}
	var say []kit.Note
	switch {
	case d.Clashes() && !file.There:
		say = []kit.Note{{State: theme.StateNotice, Text: lang.L("This was changed while you were editing it."),
			Acts: []kit.Act{keep, {Label: lang.L("Remove"), Do: back}}}}
	case d.Clashes():
		say = []kit.Note{{State: theme.StateNotice, Text: lang.L("This was changed while you were editing it."),
			Hint: lang.L("In the file: {{.Theirs}} · Yours: {{.Yours}}",
				map[string]any{"Theirs": short(words(file)), "Yours": short(words(d.Now))}),
			Acts: []kit.Act{keep, {Label: lang.L("Keep what is in the file"), Do: back}}}}
	case d.Err != nil:
		say = []kit.Note{{State: theme.StateWrong,
			Text: lang.L("Not saved: {{.Reason}}", map[string]any{"Reason": kit.Line(kit.Sentence(kit.SayError(d.Err)))}),
			Acts: []kit.Act{{Label: lang.L("Try again"), Do: again}, {Label: lang.L("Discard my changes"), Do: back}}}}
	}
	if local := s.local(d); local != "" {
		say = append(say, kit.Note{State: theme.StateWrong, Text: local})
	}
	return say
}

// short returns text, cut and quoted, for use in a sentence.
func short(text string) string {
	if text = kit.Cut(text, 60); text == "" {
		return lang.L("(empty)")
	}
	return kit.Quote(text)
}

// noteOf returns a note for a problem, with its fix as a button.
func (s *setup) noteOf(p problem) kit.Note {
	said := kit.Note{State: live.OfDiagnostic(p.Diagnostic), Text: kit.Sentence(s.names.say(p.Message)),
		Hint: kit.Hint(p.Message, s.names.say(p.Hint))}
	if p.Fix != nil {
		said.Acts = []kit.Act{{Label: s.names.say(p.Fix.Title), Do: func() { s.fix(p) }}}
	}
	return said
}

// notesOf returns notes for problems.
func (s *setup) notesOf(problems []problem) []kit.Note {
	var say []kit.Note
	for _, p := range problems {
		say = append(say, s.noteOf(p))
	}
	return say
}

// referenceNotes says whether the references in a text have a value now. of is the variable of the entry's env that
// has the text, or "".
func (s *setup) referenceNotes(of, text string, problems []problem) []kit.Note {
	var say []kit.Note
	for i, reference := range config.References(text) {
		if i == maxReferences {
			break
		}
		words := map[string]any{"Name": short(reference.Name)}
		switch {
		case reference.Keyring:
			switch s.hasSecret(reference.Name) {
			case model.SecretPresent: // that is where keys are
			case model.SecretMissing:
				say = append(say, kit.Note{State: theme.StateWrong, Text: lang.L("Your keychain has no {{.Name}}.", words)})
			}
		default:
			_, set := s.variable(of, reference.Name)
			switch {
			case set || reference.HasDefault:
			case slices.ContainsFunc(problems, func(p problem) bool {
				return p.Unset() == reference.Name
			}): // the note of that problem says it
			default:
				say = append(say, kit.Note{State: theme.StateNotice,
					Text: lang.L("The variable {{.Name}} has no value now.", words)})
			}
		}
	}
	return say
}

// variable returns the value that a reference has: that of the entry's own env, or the one outside. Within its own
// value, a variable means the one outside. of is the variable that has the reference, or "".
func (s *setup) variable(of, name string) (value string, set bool) {
	document := s.checked.document
	if document == nil {
		document = s.view.document
	}
	if server := entryIn(document, s.view.Choice); server != nil && !config.SameVariable(of, name) {
		if own, ok := server.Variable(name); ok {
			return own.Value, true
		}
	}
	return s.program.Env(name)
}

// maxReferences is how many references of a text have notes.
const maxReferences = 5
