package file

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// textPane has the visible parts of the tab: the notice above the text, the code, the problems below it, and the
// buttons.
type textPane struct {
	root     *fyne.Container
	banner   *kit.Notes
	find     *finder
	code     *code.Entry
	problems *problems
	icon     *widget.Icon
	word     *kit.Text
	reveal   *kit.Button
	bar      *kit.ApplyBar
}

func newTextPane(t *textTab) *textPane {
	l := &textPane{banner: kit.NewBanner(), code: code.NewEntry()}
	l.problems = newProblems(t.screen.repairAll)
	l.icon = widget.NewIcon(nil)
	l.word = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall})
	l.reveal = kit.NewButton(lang.L("Show secrets"), widget.MediumImportance, func() { t.setClear(!t.secrets.clear) })
	l.bar = kit.NewApplyBar(t.commit, t.giveUp, l.reveal)
	l.find = newFinder(l.code, func() { l.root.Refresh(); t.focus() })
	bar := kit.Row(kit.GapBlock, kit.MarkedBy(l.icon, l.word), kit.Rest(l.bar.Root))
	l.root = kit.Column(kit.GapWide, l.banner.Root, l.find.root, kit.Rest(l.code), l.problems.root, bar)
	return l
}

// draw shows the current state.
func (t *textTab) draw() {
	if t.base == nil {
		return
	}
	hidden := !t.secrets.clear && len(t.secrets.masking.masks) > 0
	t.code.SetReadOnly(len(t.text) > maxTyped)
	if t.explained() { // otherwise keep showing the problems of the previous text until those of this text are known
		found := t.diagnostics()
		t.code.SetMarks(t.marks(found))
		var fix func(config.Diagnostic)
		if t.theirs == nil && len(t.text) <= maxTyped {
			fix = t.fix
		}
		t.problems.show(found, fix, func(d config.Diagnostic) { t.goTo(d.Line, d.Column) })
		t.banner.Set(t.notice())
	} else if t.theirs != nil || t.reason != "" || t.touched {
		t.banner.Set(t.notice())
	}

	state, word := t.state()
	t.icon.SetResource(state.Icon())
	t.word.SetStyle(word, kit.TextStyle{Size: theme.SizeSmall, Color: state.Color()})
	hint := lang.L("Esc, then Tab leaves the text.")
	if hidden {
		count := len(t.secrets.masking.masks)
		hint = lang.N("{{.Count}} secrets hidden", count, map[string]any{"Count": count})
	}
	t.bar.Set(t.dirty(), hint)
	t.program.Typed(t.dirty())
	if t.theirs != nil || t.sending || t.diagnosed() && !t.mayBeSaved() {
		t.bar.Refuse()
	}
	kit.SetVisible(t.reveal, t.secrets.clear || hidden)
	if t.secrets.clear {
		t.reveal.SetText(lang.L("Hide secrets"))
	} else {
		t.reveal.SetText(lang.L("Show secrets"))
	}
	t.root.Refresh()
}

// state returns the icon and the text that tell whether the text is saved.
func (t *textTab) state() (theme.State, string) {
	switch {
	case t.sending:
		return theme.StateWorking, lang.L("Saving…")
	case t.theirs != nil, t.reason != "", t.view.Unsaved && !t.dirty():
		return theme.StateWrong, lang.L("Not saved")
	case t.dirty() && !t.diagnosed():
		return theme.StateWorking, lang.L("Checking…")
	case t.dirty() && t.good():
		return theme.StateConnected, lang.L("OK")
	case t.dirty(), !t.document.Valid():
		return theme.StateWrong, lang.L("Cannot be used")
	}
	return theme.StateConnected, lang.L("Saved")
}

// notice returns the most important message.
func (t *textTab) notice() []kit.Note {
	switch {
	case t.theirs != nil:
		text := lang.L("Another program changed the same part of the file. Nothing is lost: choose which version to keep.")
		keep, leave := lang.L("Use my change"), lang.L("Keep what is in the file")
		if t.theirs.Source == nil {
			text = lang.L("The file was removed while you were typing. You can make it again with your text.")
			keep, leave = lang.L("Make the file"), lang.L("Leave it removed")
		}
		return []kit.Note{{State: theme.StateWrong, Text: text, Acts: []kit.Act{
			{Label: lang.L("Show the difference"), Importance: widget.HighImportance, Do: t.screen.compare},
			{Label: keep, Do: func() { t.decide(true) }},
			{Label: leave, Do: func() { t.decide(false) }},
		}}}
	case t.touched && !t.secrets.clear:
		return []kit.Note{{State: theme.StateKey,
			Text: lang.L("This is a hidden secret. Show the secrets to change or remove it."), Acts: []kit.Act{
				{Label: lang.L("Show secrets"), Do: func() { t.setClear(true); t.focus() }},
			}}}
	case t.reason != "":
		return []kit.Note{{State: theme.StateWrong,
			Text: lang.L("Not saved: {{.Reason}}", map[string]any{"Reason": kit.Sentence(t.reason)}), Acts: []kit.Act{
				{Label: lang.L("Try again"), Do: t.commit},
				{Label: lang.L("Discard my changes"), Importance: widget.LowImportance, Do: t.giveUp},
			}}}
	case t.dirty():
		return t.unsavedNotice()
	case !t.document.Valid():
		return t.brokenNotice()
	case len(t.text) > maxTyped:
		return []kit.Note{{State: theme.StateIdle,
			Text: lang.L("This file is larger than 2 MiB, so it can only be read here."),
			Acts: []kit.Act{{Label: lang.L("Open it in another program"), Do: t.program.OpenFile}}}}
	}
	return nil
}

// unsavedNotice says why the typed text is not saved.
func (t *textTab) unsavedNotice() []kit.Note {
	giveUp := kit.Act{Label: lang.L("Discard my changes"), Importance: widget.LowImportance, Do: t.giveUp}
	if offset, stray := strayMask(t.base.Source, t.text); stray {
		line, column := placeAt(t.text, offset)
		return []kit.Note{{State: theme.StateWrong,
			Text: lang.L("Not saved: the dots in line {{.Line}} stand for a hidden secret.", map[string]any{"Line": line}),
			Hint: lang.L("Type the secret itself in their place, or a reference such as ${NAME}."),
			Acts: []kit.Act{{Label: lang.L("Show"), Do: func() { t.goTo(line, column) }}, giveUp}}}
	}
	if len(t.text) > maxTyped {
		return []kit.Note{{State: theme.StateWrong,
			Text: lang.L("This file is larger than 2 MiB, so it can only be read here."), Acts: []kit.Act{giveUp}}}
	}
	if t.base.Valid() || t.document.Valid() {
		return nil // the problems below the text say what is wrong; a banner above would move the text while the user types
	}
	return t.brokenNotice()
}

// brokenNotice says what is wrong with a file that another program has broken, and how to repair it.
func (t *textTab) brokenNotice() []kit.Note {
	first := t.document.Errors()[0]
	said := kit.Note{State: theme.StateWrong,
		Text: kit.Together(lang.L("The file cannot be used as it is."), problemText(first)),
		Hint: lang.L("The last working version stays in use. Your file won't change unless you edit it."),
	}
	if first.Fix != nil {
		said.Acts = append(said.Acts, kit.Act{Label: kit.Say(first.Fix.Title), Importance: widget.HighImportance,
			Do: func() { t.fix(t.document.Errors()[0]) }})
	}
	said.Acts = append(said.Acts, kit.Act{Label: lang.L("Show"), Do: func() { t.goTo(first.Line, first.Column) }})
	return []kit.Note{said}
}

// marks returns the problems at their positions in the visible text.
func (t *textTab) marks(found []config.Diagnostic) []code.Mark {
	var marks []code.Mark
	shown := t.code.Text()
	for _, problem := range found[:min(len(found), 4*maxProblems)] {
		start, end := t.secrets.masking.shown(problem.Start), t.secrets.masking.shown(problem.End)
		if start > len(shown) || end > len(shown) || end < start {
			continue
		}
		mark := code.Mark{State: live.OfDiagnostic(problem)}
		mark.Line, mark.Column = placeAt(shown, start)
		first, _, _ := strings.Cut(shown[start:end], "\n")
		mark.Length = utf8.RuneCountInString(first)
		marks = append(marks, mark)
	}
	return marks
}
