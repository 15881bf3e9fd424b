package approving

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/changes"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// question is the dialog that shows all waiting entries at once.
type question struct {
	*kit.Question
	service *Service
	waiting []approval.Waiting
	problem *kit.Lines
	buttons []*kit.Button
}

const (
	questionWidth = 760 // in pixels, if there is enough room
	lineLetters   = 80  // the most characters in a line of the difference; a longer value continues in the next line
	nameLetters   = 40  // the most characters of a server's name
	mostHeight    = 360 // the most pixels for one difference; a higher one scrolls
	mostProblem   = 4   // the most lines of an error
)

// Show asks about all entries that wait for approval. It does nothing if there are none, or if the question is shown
// already.
func (s *Service) Show() {
	if s.shown == nil {
		s.ask(s.options.Model.Approval.Waiting, nil)
	}
}

// Approve approves entries as they were shown in a notification. If that fails, it calls open, which must show the
// window, and asks the user there.
func (s *Service) Approve(shown []approval.Waiting, open func()) {
	s.approve(shown, func(err error) {
		if err != nil {
			open()
		}
		if s.shown != nil || err != nil {
			s.askAgain(err)
		}
	})
}

// askAgain replaces the shown question by one about the entries that wait now. problem is the error of the last
// action, or nil.
func (s *Service) askAgain(problem error) {
	if s.shown != nil {
		s.shown.Hide()
	}
	s.mu.Lock()
	waiting := s.known.Waiting
	s.mu.Unlock()
	s.ask(waiting, problem)
}

func (s *Service) ask(waiting []approval.Waiting, problem error) {
	if len(waiting) == 0 {
		if problem != nil {
			s.Window.Fail(problem)
		}
		return
	}
	q := &question{service: s, waiting: waiting,
		problem: kit.NewLines(mostProblem, kit.TextStyle{Color: theme.ColorWrong})}
	content := kit.Column(kit.GapWide, kit.NewParagraph(about(waiting), kit.TextStyle{}))
	if problem != nil {
		q.problem.Set(kit.ErrorSentence(problem))
		content.Add(q.problem) // above the entries, because the problem is why they are shown again
	}
	for _, w := range waiting {
		content.Add(q.entry(w))
	}
	content.Add(kit.NewParagraph(lang.L(
		"“Don't ask again” ends these questions: from then on, what other programs write runs at once. The switch is in "+
			"Settings."),
		kit.Small()))
	if problem == nil {
		content.Add(q.problem)
	}
	q.Question, _ = kit.NewScrollingQuestion(live.WaitingTitle(waiting), questionWidth, content, s.Window.Window)
	q.SetOnClosed(func() { s.shown = nil })
	q.SetAgain(func() { s.ask(waiting, problem) })
	later := q.foot()
	s.shown = q
	s.Window.ShowDialog(q.Question)
	s.Window.Window.Canvas().Focus(later) // Enter, pressed without looking, changes nothing
}

// about returns a text that says why the entries wait and what the buttons do.
func about(waiting []approval.Waiting) string {
	var reasons []string
	for _, w := range waiting {
		if why := live.WhyWaiting(w.Why); !slices.Contains(reasons, why) {
			reasons = append(reasons, why)
		}
	}
	buttons := lang.L("What is shown here does not run until you approve it. “{{.Approve}}” lets it run as shown. “Later” "+
		"changes nothing.", map[string]any{"Approve": approveWord(waiting)})
	if canPutBack(waiting) {
		buttons = lang.L("What is shown here does not run until you approve it. “{{.Approve}}” lets it run as shown. "+
			"“{{.Back}}” undoes the change in the file. “Later” changes nothing.",
			map[string]any{"Approve": approveWord(waiting), "Back": backWord(waiting)})
	}
	return kit.Together(append(reasons, buttons)...)
}

// canPutBack reports whether the earlier entries are known. If they are not, putting back would remove entries that
// may be the user's own.
func canPutBack(waiting []approval.Waiting) bool {
	return !slices.ContainsFunc(waiting, func(w approval.Waiting) bool {
		return w.Why == approval.NoRecord || w.Why == approval.NewFile
	})
}

func approveWord(waiting []approval.Waiting) string {
	if len(waiting) > 1 {
		return lang.L("Approve all")
	}
	return lang.L("Approve")
}

// backWord returns the label of the button that undoes the changes.
func backWord(waiting []approval.Waiting) string {
	switch {
	case len(waiting) > 1:
		return lang.L("Undo all changes")
	case waiting[0].Old == nil:
		return lang.L("Remove")
	}
	return lang.L("Undo the change")
}

// entry shows one server. If there are several servers, each has its own buttons.
func (q *question) entry(w approval.Waiting) fyne.CanvasObject {
	title := kit.Way(live.ShortName(w.Toolbox), kit.Beginning(kit.Line(w.Server.Name), nameLetters))
	switch {
	case w.Old != nil:
		title = kit.Facts(title, lang.L("changed"))
	case canPutBack([]approval.Waiting{w}):
		title = kit.Facts(title, lang.L("added"))
	}
	name := kit.NewText(title, kit.TextStyle{Bold: true, Shrinks: true})
	view := code.NewDifference(difference(w))
	shown := kit.NewBox(kit.BoxStyle{Line: theme.ColorLine, Radius: theme.SizeFieldRadius},
		container.NewStack(kit.NewGap(0, min(view.FullHeight(), mostHeight)), view))
	column := kit.Column(kit.GapTight, name, shown)
	for _, warning := range changes.Warnings(w) {
		column.Add(kit.NewMarked(theme.StateNotice, kit.Sentence(kit.Say(warning))))
	}
	if len(q.waiting) > 1 {
		one := []approval.Waiting{w}
		row := kit.Row(kit.Gap, q.button(approveWord(one), widget.MediumImportance, func() { q.approve(one) }))
		if canPutBack(one) {
			row.Add(q.button(backWord(one), widget.MediumImportance, func() { q.putBack(one) }))
		}
		column.Add(row)
	}
	return column
}

// foot adds the buttons to the dialog, and returns the button that changes nothing.
func (q *question) foot() *kit.Button {
	free := q.button(lang.L("Don't ask again"), widget.LowImportance, func() {
		q.busy()
		q.service.SetFree(true, func(err error) { q.done(q.waiting, err) })
	})
	later := q.button(lang.L("Later"), widget.MediumImportance, q.Hide)
	buttons := []fyne.CanvasObject{free, later}
	if canPutBack(q.waiting) {
		buttons = append(buttons, q.button(backWord(q.waiting), widget.MediumImportance, func() { q.putBack(q.waiting) }))
	}
	q.SetButtons(append(buttons, q.button(approveWord(q.waiting), widget.HighImportance, func() {
		q.approve(q.waiting)
	})))
	return later
}

func (q *question) button(label string, importance widget.Importance, tapped func()) *kit.Button {
	b := kit.NewButton(label, importance, tapped)
	q.buttons = append(q.buttons, b)
	return b
}

func (q *question) approve(which []approval.Waiting) {
	q.busy()
	q.service.approve(which, func(err error) { q.done(which, err) })
}

func (q *question) putBack(which []approval.Waiting) {
	q.busy()
	var ops []edit.Op
	for _, w := range which {
		ops = append(ops, changes.PutBack(w)...)
	}
	q.service.options.Program.Edit(ops, func(err error) { q.done(which, err) })
}

// busy disables the buttons, so that they cannot be pressed twice.
func (q *question) busy() {
	for _, b := range q.buttons {
		kit.SetEnabled(b, false)
	}
}

// done ends an action on some entries. It closes the dialog and asks about the other entries. After an error, it shows
// the error instead.
func (q *question) done(which []approval.Waiting, err error) {
	for _, b := range q.buttons {
		kit.SetEnabled(b, true)
	}
	if errors.Is(err, approval.ErrChangedAgain) {
		q.service.askAgain(err)
		return
	}
	if err != nil {
		q.problem.Set(kit.ErrorSentence(err))
		q.Refresh()
		return
	}
	q.Hide()
	q.service.ask(slices.DeleteFunc(slices.Clone(q.waiting), func(w approval.Waiting) bool {
		return slices.Contains(which, w)
	}), nil)
}

// difference returns all that would run, compared with the approved entry. A long line is continued in the next one.
func difference(w approval.Waiting) code.Difference {
	var d code.Difference
	number := 0
	for line := range strings.Lines(changes.Difference(w)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "@@") || line == "" {
			continue
		}
		sign := rune(line[0])
		number++
		indent := ""
		for part := range slices.Chunk([]rune(line[1:]), lineLetters) {
			d.Lines = append(d.Lines, code.DifferentLine{Sign: sign, Number: number, Text: indent + string(part)})
			indent = "  "
		}
		switch sign {
		case '+':
			d.Added++
		case '-':
			d.Removed++
		}
	}
	return d
}
