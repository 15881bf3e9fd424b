package file

import (
	"context"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// Screen draws a View. Call its methods only on the goroutine of the window.
type Screen struct {
	program Program
	kept    *model.Opened
	view    View

	text    *textTab
	history *historyTab
	preview *preview // covers the text; nil if there is none

	root        *fyne.Container
	name        *kit.Text
	path        *kit.Text
	tabs        *kit.Choice
	body        *kit.Stage
	instead     *fyne.Container // shown for a file that is missing or cannot be read
	insteadText string          // the text of instead
}

const (
	tabText = iota
	tabHistory
)

// New returns a screen. It is empty until Apply is called. kept says which tab is open.
func New(program Program, kept *model.Opened) *Screen {
	s := &Screen{program: program, kept: kept, instead: container.NewStack(), body: kit.NewStage()}
	s.text = newTextTab(program, s)
	s.history = newHistoryTab(program)

	s.name = kit.NewText("", kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true})
	s.path = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	s.tabs = kit.NewChoice(lang.L("Text"), lang.L("History"))
	if kept.History {
		s.tabs.Follow(tabHistory)
		s.history.show(true)
	}
	s.tabs.OnChosen = func(int) { s.showTab() }
	back := kit.NewIconButton(base.NavigateBackIcon(), lang.L("Back to the toolboxes"), program.Back)
	more := kit.NewMenuButton(lang.L("More about the file"), s.menu)
	head := kit.Row(kit.Gap, back, kit.Rest(kit.Column(kit.GapHair, s.name, s.path)), kit.NewFullChoice(s.tabs), more)
	s.root = kit.Inset(kit.Column(kit.GapWide, head, kit.Rest(s.body.Root)), kit.GapWide, kit.GapEdge)
	return s
}

func (s *Screen) menu() *fyne.Menu {
	return fyne.NewMenu("",
		fyne.NewMenuItem(lang.L("Open it in another program"), s.program.OpenFile),
		fyne.NewMenuItem(lang.L("Open folder"), s.program.OpenFolder))
}

// Object returns the content of the screen.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View. Typed text and the caret are kept.
func (s *Screen) Apply(view View) {
	s.view = view
	s.name.Set(filepath.Base(view.Path))
	s.path.Set(kit.ShortPath(filepath.Dir(view.Path), view.Home))
	s.text.apply(view)
	s.history.apply(view)
	if s.preview != nil && s.preview.conflict && s.text.theirs == nil {
		s.closePreview()
	}
	s.draw()
}

// draw puts the current content into the body.
func (s *Screen) draw() {
	var object fyne.CanvasObject = s.text.root
	switch {
	case s.tabs.Chosen() == tabHistory:
		object = s.history.root
	case s.preview != nil:
		object = s.preview.root
	case s.noText():
		s.drawInstead()
		object = s.instead
	}
	if s.preview != nil && object == s.preview.root {
		s.body.ShowOnce(object)
	} else {
		s.body.Show(object)
	}
}

// noText reports whether there is no text to show.
func (s *Screen) noText() bool {
	switch {
	case s.view.Now == nil:
		return !s.text.dirty()
	case s.text.base == nil:
		return !s.text.secrets.scanning
	}
	return s.text.base.Source == nil && !s.text.dirty() && s.text.theirs == nil
}

// drawInstead shows why there is no text, and what can be done.
func (s *Screen) drawInstead() {
	title, text := lang.L("No file yet"),
		lang.L("It is made with your first toolbox. You can also make an empty one now, or bring back an earlier version "+
			"from the history.")
	problem := s.view.Now == nil
	if problem {
		title, text = lang.L("The file cannot be read"), ""
		if s.view.Problem != nil {
			text = kit.ErrorSentence(s.view.Problem)
		}
	}
	if s.text.reason != "" {
		text = kit.Together(text, kit.Sentence(s.text.reason))
	}
	if s.insteadText == title+text {
		return
	}
	s.insteadText = title + text
	state := theme.StateIdle
	var buttons []fyne.CanvasObject
	if problem {
		state = theme.StateWrong
	} else {
		buttons = append(buttons, kit.NewButton(lang.L("Make the file"), widget.HighImportance, s.text.make),
			kit.NewButton(lang.L("History"), widget.MediumImportance, s.ShowHistory))
	}
	buttons = append(buttons, kit.NewButton(lang.L("Open folder"), widget.MediumImportance, s.program.OpenFolder))
	words := kit.Column(kit.Gap, kit.NewParagraph(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true}),
		kit.NewParagraph(text, kit.TextStyle{Color: theme.ColorMuted}), kit.NewFlow(kit.Gap, buttons...))
	s.instead.Objects = []fyne.CanvasObject{kit.NewMiddle(kit.WidthNote, kit.NewCard(kit.Marked(state, words)))}
	s.instead.Refresh()
}

// Find opens the search line if the text is shown. Ctrl+F calls it.
func (s *Screen) Find(canvas fyne.Canvas) {
	if s.body.Shown() == s.text.root {
		s.text.find.open(canvas)
		s.text.root.Refresh()
	}
}

// Goto shows the text, gives it the focus and puts the caret at a position of the file. Both numbers count from 1.
func (s *Screen) Goto(line, column int) {
	s.ShowText()
	s.text.goTo(line, column)
}

// ShowText shows the text.
func (s *Screen) ShowText() {
	s.closePreview()
	s.tabs.Follow(tabText)
	s.showTab()
}

// ShowHistory shows the versions of the file.
func (s *Screen) ShowHistory() {
	s.tabs.Follow(tabHistory)
	s.showTab()
}

func (s *Screen) showTab() {
	history := s.tabs.Chosen() == tabHistory
	s.kept.History = history
	if history {
		s.text.leave()
	}
	s.history.show(history)
	s.draw()
}

// Commit saves the typed text if possible. Ctrl+S calls it.
func (s *Screen) Commit() { s.text.commit() }

// Undo undoes the last change of the text by typing or repairing, if the text is shown. It reports whether there was
// one. The text need not have the focus: after a click on a repair nothing has it. Undo does not undo anything older
// than the last edit made elsewhere in the window.
func (s *Screen) Undo() bool { return s.step(s.text.code.Undo) }

// Redo redoes what Undo has undone.
func (s *Screen) Redo() bool { return s.step(s.text.code.Redo) }

// step undoes or redoes. If the text does not have the focus, the result is saved.
func (s *Screen) step(step func() bool) bool {
	if s.body.Shown() != s.text.root || !s.text.newest() || !step() {
		return false
	}
	if !s.text.code.Focused() {
		s.text.soon()
	}
	return true
}

// Unsaved reports whether there is typed text that is neither saved nor being saved, and would be lost if the window
// closed.
func (s *Screen) Unsaved() bool { return s.text.unsaved() }

// Leave is called when another screen is shown. It saves a usable text and hides the secrets.
func (s *Screen) Leave() {
	s.closePreview()
	s.text.leave()
}

// Back closes the preview, and reports whether there was one. Esc calls it.
func (s *Screen) Back() bool {
	open := s.preview != nil
	s.closePreview()
	return open
}

// closePreview shows the text again.
func (s *Screen) closePreview() {
	if s.preview != nil {
		s.preview = nil
		s.draw()
	}
}

// showPreview shows a preview instead of the text.
func (s *Screen) showPreview(p *preview) {
	s.preview = p
	s.draw()
	kit.Focus(p.main)
}

// repairAll previews the repair of all problems.
func (s *Screen) repairAll() {
	before := s.text.text
	name := s.view.Path
	var fixed config.Fixed
	s.program.Background(func() { fixed = config.FixAll(name, []byte(before)) }, func() {
		if s.text.text != before || s.tabs.Chosen() != tabText {
			return // the text has changed, or the user looks at the history now
		}
		s.text.secrets.known.learn(fixed.Source)
		words := repairs(fixed.Applied)
		if left := fixed.Errors(); len(left) > 0 {
			words = append(words, kit.Note{State: theme.StateWrong, Text: problemsLeft(left, fixed.Stopped)})
			if !fixed.Stopped {
				words = append(words, kit.Note{State: theme.StateWrong, Text: problemText(left[0])})
			}
		}
		known := s.text.secrets.known
		diff := code.Compare([]byte(known.maskText(before)), []byte(known.maskText(string(fixed.Source))))
		s.showPreview(newPreview(lang.L("Repair everything"), words, diff, s.closePreview,
			kit.Act{Label: lang.L("Repair"), Importance: widget.HighImportance, Do: func() {
				s.closePreview()
				if s.text.text == before {
					s.text.replace(string(fixed.Source))
				}
			}}))
	})
}

// problemsLeft says which problems a repair leaves. If the repair has stopped early, the next repair may solve some of
// them.
func problemsLeft(left []config.Diagnostic, stopped bool) string {
	if stopped {
		return lang.N("{{.Count}} problems are left. Repair again to go on.", len(left), map[string]any{"Count": len(left)})
	}
	return lang.N("Repaired what can be repaired. {{.Count}} problems are left for you.", len(left),
		map[string]any{"Count": len(left)})
}

// maxTitles is the most repairs that are named.
const maxTitles = 4

// repairs says what is repaired, in a line for each.
func repairs(applied []config.Diagnostic) []kit.Note {
	var notes []kit.Note
	for i, problem := range applied {
		note := kit.Note{State: theme.StateConnected, Text: lang.L("Line {{.Line}}: {{.Message}}",
			map[string]any{"Line": problem.Line, "Message": kit.Sentence(kit.Say(problem.Fix.Title))})}
		if i == maxTitles {
			note.Text = lang.L("and {{.Count}} more", map[string]any{"Count": len(applied) - i})
			return append(notes, note)
		}
		notes = append(notes, note)
	}
	return notes
}

// compare shows how the text differs from the file in a conflict.
func (s *Screen) compare() {
	theirs, mine := s.text.theirs, s.text.text
	if theirs == nil {
		return
	}
	var file, text []byte
	s.program.With(func(_ context.Context, st *store.Store) error {
		file, text = st.HideSecrets(theirs.Source), st.HideSecrets([]byte(mine))
		return nil
	}, func(err error) {
		if err != nil || s.text.theirs == nil || s.text.text != mine {
			return
		}
		// In a broken text, the store may miss secrets that the screen knows from an earlier text.
		rest := func(text []byte) []byte {
			shown, _ := s.text.secrets.known.mask(string(text), true)
			return []byte(shown)
		}
		diff := code.Compare(rest(file), rest(text))
		words := []kit.Note{{State: theme.StateNotice,
			Text: lang.L("Lines with − are in the file now, lines with + are what you typed.")}}
		p := newPreview(lang.L("Your text against the file"), words, diff, s.closePreview,
			kit.Act{Label: lang.L("Keep what is in the file"), Do: func() { s.closePreview(); s.text.decide(false) }},
			kit.Act{Label: lang.L("Use my change"), Importance: widget.HighImportance, Do: func() {
				s.closePreview()
				s.text.decide(true)
			}})
		p.conflict = true
		s.showPreview(p)
	})
}
