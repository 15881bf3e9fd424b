package file

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// textPane is what can be seen of the text: what there is to say above it, the code, what is wrong below it, and the buttons.
type textPane struct {
	root     *fyne.Container
	banner   *banner
	find     *finder
	code     *kit.CodeEntry
	problems *problems
	icon     *widget.Icon
	word     *kit.Text
	reveal   *kit.Button
	bar      *kit.ApplyBar

	repairAll func() // shows what repairing everything would do
	compare   func() // shows the difference in a conflict
}

func newTextPane(t *textTab) *textPane {
	l := &textPane{banner: newBanner(), code: kit.NewCodeEntry()}
	l.problems = newProblems(func() { l.repairAll() })
	l.icon = widget.NewIcon(nil)
	l.word = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall})
	l.reveal = kit.NewButton(lang.L("Show secrets"), widget.MediumImportance, func() { t.setClear(!t.clear) })
	l.bar = kit.NewApplyBar(t.commit, t.giveUp, l.reveal)
	l.find = newFinder(l.code, func() { l.root.Refresh(); t.focus() })
	bar := kit.Row(kit.GapBlock, kit.MarkedBy(l.icon, l.word), kit.Rest(l.bar.Root))
	l.root = kit.Column(kit.GapWide, l.banner.root, l.find.root, kit.Rest(l.code), l.problems.root, bar)
	return l
}

// draw shows everything as it is.
func (t *textTab) draw() {
	if t.base == nil {
		return
	}
	hidden := !t.clear && len(t.masking.masks) > 0
	t.code.SetReadOnly(len(t.text) > maxTyped)
	if t.explained() { // else what is shown is about the text before; the next is on its way
		found := t.diagnostics()
		t.code.SetMarks(t.marks(found))
		var fix func(config.Diagnostic)
		if t.theirs == nil && len(t.text) <= maxTyped {
			fix = t.fix
		}
		t.problems.show(found, fix, func(d config.Diagnostic) { t.goTo(d.Line, d.Column) })
		t.banner.show(t.notice())
	} else if t.theirs != nil || t.reason != "" || t.touched {
		t.banner.show(t.notice())
	}

	state, word := t.state()
	t.icon.SetResource(state.Icon())
	t.word.SetStyle(word, kit.TextStyle{Size: theme.SizeSmall, Color: state.Color()})
	hint := lang.L("Esc, then Tab leaves the text.")
	if hidden {
		hint = lang.N("{{.Count}} secrets hidden", len(t.masking.masks), map[string]any{"Count": len(t.masking.masks)})
	}
	t.bar.Set(t.dirty(), hint)
	t.actions.Typed(t.dirty())
	if t.theirs != nil || t.sending || t.diagnosed() && !t.mayBeSaved() {
		t.bar.Refuse()
	}
	kit.SetVisible(t.reveal, t.clear || hidden)
	if t.clear {
		t.reveal.SetText(lang.L("Hide secrets"))
	} else {
		t.reveal.SetText(lang.L("Show secrets"))
	}
	t.root.Refresh()
}

// state is how the text stands to the file.
func (t *textTab) state() (theme.State, string) {
	switch {
	case t.sending:
		return theme.StateWorking, lang.L("Saving…")
	case t.theirs != nil, t.reason != "", t.view.Unsaved && !t.dirty():
		return theme.StateWrong, lang.L("Not saved")
	case t.dirty() && !t.diagnosed():
		return theme.StateWorking, lang.L("Checking…")
	case t.dirty() && t.good():
		return theme.StateConnected, lang.L("Can be used")
	case t.dirty(), !t.document.Valid():
		return theme.StateWrong, lang.L("Cannot be used")
	}
	return theme.StateConnected, lang.L("Saved")
}

// notice is the one thing that matters most now.
func (t *textTab) notice() notice {
	const medium, quiet = widget.MediumImportance, widget.LowImportance
	switch {
	case t.theirs != nil:
		text := lang.L("Another program changed the same lines while you were typing. Nothing is lost: choose which version to keep.")
		keep, leave := lang.L("Keep mine"), lang.L("Take theirs")
		if t.theirs.Source == nil {
			text = lang.L("The file was removed while you were typing. You can make it again with your text.")
			keep, leave = lang.L("Make it again"), lang.L("Leave it removed")
		}
		return notice{state: theme.StateWrong, text: text, buttons: []button{
			{lang.L("Show the difference"), widget.HighImportance, func() { t.compare() }},
			{keep, medium, func() { t.decide(true) }},
			{leave, medium, func() { t.decide(false) }},
		}}
	case t.touched && !t.clear:
		return notice{state: theme.StateKey, text: lang.L("This is a hidden secret. Show the secrets to change or remove it."), buttons: []button{
			{lang.L("Show secrets"), medium, func() { t.setClear(true); t.focus() }},
		}}
	case t.reason != "":
		return notice{state: theme.StateWrong, text: lang.L("Not saved: {{.Reason}}", map[string]any{"Reason": kit.Sentence(t.reason)}), buttons: []button{
			{lang.L("Try again"), medium, t.commit},
			{lang.L("Discard my changes"), quiet, t.giveUp},
		}}
	case t.dirty():
		return t.unsavedNotice()
	case !t.document.Valid():
		return t.brokenNotice()
	case len(t.text) > maxTyped:
		return notice{state: theme.StateIdle, text: lang.L("This file is larger than 2 MiB, so it can only be read here."), buttons: []button{{lang.L("Open it in another program"), medium, t.actions.OpenFile}}}
	}
	return notice{}
}

// unsavedNotice says why what is typed is not saved.
func (t *textTab) unsavedNotice() notice {
	giveUp := button{lang.L("Discard my changes"), widget.LowImportance, t.giveUp}
	if offset, stray := strayMask(t.base.Source, t.text); stray {
		line, column := placeAt(t.text, offset)
		return notice{state: theme.StateWrong,
			text:    lang.L("Not saved: the dots in line {{.Line}} stand for a hidden secret.", map[string]any{"Line": line}),
			hint:    lang.L("Type the secret itself in their place, or a reference such as ${NAME}."),
			buttons: []button{{lang.L("Show"), widget.MediumImportance, func() { t.goTo(line, column) }}, giveUp}}
	}
	if t.document.Valid() {
		return notice{}
	}
	first := t.document.Errors()[0]
	return notice{state: theme.StateWrong,
		text: lang.L("Not saved: {{.Problems}}. The last working version stays in use.", map[string]any{"Problems": t.errorCount()}),
		buttons: []button{
			{lang.L("Go to the first"), widget.MediumImportance, func() { t.goTo(first.Line, first.Column) }},
			giveUp,
		}}
}

// brokenNotice says what is wrong with a file that somebody else has broken, and how it is repaired.
func (t *textTab) brokenNotice() notice {
	first := t.document.Errors()[0]
	s := notice{state: theme.StateWrong,
		text: lang.L("The file cannot be used as it is. {{.Problem}}", map[string]any{"Problem": problemText(first)}),
		hint: lang.L("The last working version stays in use. Your file won't change unless you edit it."),
	}
	if first.Fix != nil {
		s.buttons = append(s.buttons, button{kit.Say(first.Fix.Title), widget.HighImportance, func() { t.fix(t.document.Errors()[0]) }})
	}
	s.buttons = append(s.buttons, button{lang.L("Show"), widget.MediumImportance, func() { t.goTo(first.Line, first.Column) }})
	return s
}

// marks are the problems at their places in what is shown.
func (t *textTab) marks(found []config.Diagnostic) []kit.Mark {
	var marks []kit.Mark
	shown := t.code.Text()
	for _, problem := range found[:min(len(found), 4*maxProblems)] {
		start, end := t.masking.shown(problem.Start), t.masking.shown(problem.End)
		if start > len(shown) || end > len(shown) || end < start {
			continue
		}
		mark := kit.Mark{State: live.OfSeverity(problem.Severity)}
		mark.Line, mark.Column = placeAt(shown, start)
		first, _, _ := strings.Cut(shown[start:end], "\n")
		mark.Length = utf8.RuneCountInString(first)
		marks = append(marks, mark)
	}
	return marks
}
