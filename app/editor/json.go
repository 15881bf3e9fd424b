package editor

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// jsonTab shows the entry as text. The text is saved as a whole: with the button, with Ctrl+S, or when the focus
// leaves it and it has no errors. While secrets are hidden, the shown text is not the text of the entry and cannot be
// changed.
type jsonTab struct {
	program Program
	drafts  *model.Drafts
	view    View
	file    model.Value
	base    *config.Document // the document that file is from

	masked string // the text in the file with its secrets hidden; the same text if there are none
	clear  bool   // secrets are shown

	code   *code.Entry
	look   jsonLook
	drawn  bool // look was drawn
	bar    *kit.ApplyBar
	reveal *kit.Button
	notes  *kit.Notes
	list   *kit.Page
	root   fyne.CanvasObject

	problems []config.Diagnostic // with places in the text
	turn     int                 // counts how often another entry was shown
}

func newJSONTab(program Program, drafts *model.Drafts, back func()) *jsonTab {
	j := &jsonTab{program: program, drafts: drafts, code: code.NewEntry()}
	j.notes = kit.NewNotes()
	j.code.OnChanged = func(text string) {
		if j.hidden() {
			return // a text with hidden secrets is never saved
		}
		j.drafts.Type(j.place(), j.base, j.file, model.Value{There: true, Text: text})
		j.show()
	}
	j.code.OnFocusLost = func() { j.moved(false) }
	j.code.OnShortcut = kit.OnKeys(j.insist, fyne.KeyS)
	j.reveal = kit.NewButton("", widget.MediumImportance, func() {
		j.clear = !j.clear
		j.show()
	})
	j.bar = kit.NewApplyBar(j.insist, j.discard, j.reveal)
	j.bar.OnFocus(j.moved)
	j.list = kit.NewPage(j.notes.Root)
	j.list.Most = kit.NotesMost
	leave := kit.NewButtonWithIcon(lang.L("Back"), base.NavigateBackIcon(), widget.LowImportance, back)
	j.root = kit.Inset(kit.Column(kit.GapWide, kit.Row(0, kit.Flush(leave, true, false)), kit.Rest(j.code), j.list,
		j.bar.Root), kit.GapWide, kit.GapEdge)
	return j
}

// moved saves the text when the focus has left the tab. It is called when a control of the tab gets or loses the
// focus.
func (j *jsonTab) moved(focused bool) {
	if focused {
		return
	}
	at := j.view.Choice
	has := func(object fyne.Focusable) bool { return object == j.code.Focusable() || j.bar.Has(object) }
	kit.WhenLeft(j.root, has, j.program.After, func() {
		if at == j.view.Choice {
			j.commitRight()
		}
	})
}

func (j *jsonTab) place() model.Place { return model.Place{Server: j.view.Choice} }

func (j *jsonTab) draft() *model.Draft { return j.drafts.At(j.place()) }

func (j *jsonTab) dirty() bool { return j.draft() != nil }

// text returns the typed text, or the text in the file if nothing is typed.
func (j *jsonTab) text() string {
	if d := j.draft(); d != nil {
		return d.Now.Text
	}
	return j.file.Text
}

func (j *jsonTab) discard() {
	if d := j.draft(); d != nil {
		j.drafts.Discard(d)
	}
	j.show()
}

// hidden reports whether the text is shown with its secrets hidden.
func (j *jsonTab) hidden() bool { return !j.clear && j.masked != j.file.Text }

// apply shows a new View of the same entry.
func (j *jsonTab) apply(view View) {
	j.view = view
	if view.Problem == "" {
		typing := j.dirty() || j.code.Focused() && !j.hidden()
		j.file, j.base, j.masked = model.Value{There: true, Text: view.Text}, view.document, view.Masked
		j.drafts.Follow(j.place(), j.base, j.file)
		j.clear = j.clear || typing // do not hide text while the user edits it
	}
	j.clear = j.clear || j.dirty()
	j.show()
}

// leave is called when the tab or the entry is left. It saves the text if it has no errors, and hides the secrets if
// no typed text is left.
func (j *jsonTab) leave() {
	j.commitRight()
	if !j.dirty() {
		j.clear = false
		j.show()
	}
}

// commitRight saves the text if it has no errors.
func (j *jsonTab) commitRight() {
	if !j.wrong() {
		j.commit()
	}
}

// wrong reports whether the text has errors.
func (j *jsonTab) wrong() bool {
	return slices.ContainsFunc(j.problems, func(problem config.Diagnostic) bool {
		return problem.Severity == config.SeverityError
	})
}

// commit saves the text.
func (j *jsonTab) commit() {
	if d := j.draft(); d != nil && d.Left() && !d.Held && !j.hidden() && !d.Clashes() {
		j.drafts.Apply(d, false)
		j.show()
	}
}

// insist is commit for a user who asks to save. If the text clashes with another change, the user is asked again what
// to keep.
func (j *jsonTab) insist() {
	if d := j.draft(); d != nil {
		d.AskAgain()
	}
	j.commit()
}

// reset prepares the tab for another entry.
func (j *jsonTab) reset() {
	j.turn++
	j.view, j.file, j.base = View{}, model.Value{}, nil
	j.clear, j.masked = false, ""
}

// jsonLook is what the tab shows. Two equal values look the same.
type jsonLook struct {
	at                        model.Choice
	turn                      int
	problem                   string
	shown, text, file, masked string
	err                       error
	clear, hidden             bool
	dirty, left               bool
}

// show draws the tab.
func (j *jsonTab) show() {
	text := j.text()
	var err error
	d := j.draft()
	left := d != nil && d.Left()
	if d != nil {
		err = d.Err
	}
	if j.hidden() {
		text = j.masked
	}
	look := jsonLook{j.view.Choice, j.turn, j.view.Problem, text, j.text(), j.file.Text, j.masked, err, j.clear,
		j.hidden(), d != nil, left}
	if j.drawn && look == j.look && j.code.Text() == text {
		return
	}
	// Forget the undo history if the text is of another entry, or if hiding secrets has changed it.
	anew := !j.drawn || look.turn != j.look.turn || look.hidden != j.look.hidden
	j.drawn, j.look = true, look
	switch {
	case anew:
		j.code.SetText(text)
	case j.code.Text() != text:
		j.code.Follow(text)
	}
	j.code.SetReadOnly(j.hidden())
	j.problems = nil
	if j.view.Server != "" && j.view.Problem == "" {
		j.problems = entryProblems(j.view.Toolbox, j.view.Server, j.text())
	}
	var marks []code.Mark
	for _, problem := range j.problems {
		mark := code.Mark{Line: problem.Line, Column: problem.Column, State: live.OfDiagnostic(problem)}
		if problem.Start <= problem.End && problem.End <= len(j.text()) {
			first, _, _ := strings.Cut(j.text()[problem.Start:problem.End], "\n")
			mark.Length = utf8.RuneCountInString(first)
		}
		if j.hidden() {
			mark.Column, mark.Length = 1, 0 // columns refer to the text with secrets
		}
		marks = append(marks, mark)
	}
	j.code.SetMarks(marks)
	j.notes.Set(j.say())
	j.list.Arrange()
	hint := lang.L("Esc, then Tab leaves the text.")
	if j.hidden() {
		hint = lang.L("Show the secrets to edit.")
	}
	j.bar.Set(left && !j.hidden(), hint)
	kit.SetVisible(j.reveal, j.masked != j.file.Text)
	label := lang.L("Show secrets")
	if j.clear {
		label = lang.L("Hide secrets")
	}
	j.reveal.SetText(label)
	kit.SetEnabled(j.reveal, !j.clear || !j.dirty())
	j.root.Refresh()
}

func (j *jsonTab) say() []kit.Note {
	var say []kit.Note
	if j.view.Problem != "" {
		say = append(say, kit.Note{State: theme.StateWrong, Text: j.view.Problem})
	}
	switch d := j.draft(); {
	case d == nil:
	case d.Clashes():
		say = append(say, kit.Note{State: theme.StateNotice, Text: lang.L("This was changed while you were editing it."),
			Acts: []kit.Act{
				{Label: lang.L("Use my change"), Do: func() { j.drafts.Keep(d, j.base, j.file); j.commit() }},
				{Label: lang.L("Keep what is in the file"), Do: j.discard},
			}})
	case d.Err != nil:
		say = append(say, kit.Note{State: theme.StateWrong,
			Text: lang.L("Not saved: {{.Reason}}", map[string]any{"Reason": kit.Line(kit.Sentence(kit.SayError(d.Err)))})})
	}
	for _, problem := range j.problems {
		said := kit.Note{State: live.OfDiagnostic(problem), Hint: kit.Hint(problem.Message, kit.Say(problem.Hint)),
			Text: lang.L("Line {{.Line}}: {{.Message}}",
				map[string]any{"Line": problem.Line, "Message": kit.Sentence(kit.Say(problem.Message))})}
		if problem.Fix != nil && !j.hidden() {
			said.Acts = append(said.Acts, kit.Act{Label: kit.Say(problem.Fix.Title), Do: func() {
				var changes []code.Change
				for _, change := range problem.Fix.Changes {
					changes = append(changes, code.Change{Start: change.Start, End: change.End, New: change.New})
				}
				j.code.Change(changes) // as if the user had typed it, so that it can be undone
			}})
		}
		said.Acts = append(said.Acts, kit.Act{Importance: widget.LowImportance, Label: lang.L("Show"), Do: func() {
			j.code.Goto(problem.Line, problem.Column)
			kit.Focus(j.code.Focusable())
		}})
		say = append(say, said)
	}
	return say
}

// entryProblems returns the problems of the text of an entry, with places in that text.
func entryProblems(toolbox, server, text string) []config.Diagnostic {
	head := `{"toolboxes": {` + jsonc.Quote(toolbox) + `: {"mcpServers": {` + jsonc.Quote(server) + `: `
	// The line break keeps a comment at the end of text from hiding the brackets.
	document := config.Parse("", []byte(head+text+"\n}}}}"))
	columns := utf8.RuneCountInString(head)
	var found []config.Diagnostic
	for _, diagnostic := range document.Diagnostics {
		if diagnostic.End < len(head) {
			// The problem is about the name, which is not in the text, or about the whole entry, whose place is its name.
			if diagnostic.Path != config.ServerPath(toolbox, server) {
				continue
			}
			diagnostic.Start, diagnostic.End, diagnostic.Line, diagnostic.Column = len(head), len(head)+1, 1, columns+1
			diagnostic.Fix = nil
		}
		diagnostic.Start = max(0, min(diagnostic.Start-len(head), len(text)))
		diagnostic.End = max(diagnostic.Start, min(diagnostic.End-len(head), len(text)))
		if diagnostic.Line == 1 {
			diagnostic.Column = max(1, diagnostic.Column-columns)
		}
		if last := strings.Count(text, "\n") + 1; diagnostic.Line > last {
			diagnostic.Line, diagnostic.Column = last, utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])+1
		}
		diagnostic.Fix = shifted(diagnostic.Fix, -len(head), len(text))
		found = append(found, diagnostic)
	}
	return found
}

// shifted moves a fix by a number of bytes. It returns nil if the fix reaches outside the text.
func shifted(fix *config.Fix, by, length int) *config.Fix {
	if fix == nil {
		return nil
	}
	moved := config.Fix{Title: fix.Title}
	for _, change := range fix.Changes {
		change.Start += by
		change.End += by
		if change.Start < 0 || change.End > length {
			return nil
		}
		moved.Changes = append(moved.Changes, change)
	}
	return &moved
}
