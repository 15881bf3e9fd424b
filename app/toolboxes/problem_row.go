package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// newProblem returns the row of one problem with its buttons. The buttons look up the problem by its index when they
// are pressed, since another problem that looks the same may have replaced it.
func newProblem(problem Problem, i int, s *strip) fyne.CanvasObject {
	where := kit.Facts(problem.Where, problem.Line)
	text := kit.Column(kit.GapHair,
		kit.NewText(where, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		kit.NewParagraph(problem.Message, kit.TextStyle{}))
	if problem.Hint != "" {
		text.Add(kit.NewParagraph(problem.Hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	buttons := kit.Row(kit.GapTight)
	if problem.Fix != "" {
		buttons.Add(kit.NewButton(shortName(problem.Fix), widget.MediumImportance, func() {
			s.screen.fix(s.view.Problems[i])
		}))
	}
	if s.screen.canShow(problem) {
		buttons.Add(kit.NewButton(lang.L("Show"), widget.LowImportance, func() { s.screen.showProblem(s.view.Problems[i]) }))
	}
	if len(buttons.Objects) == 0 {
		return kit.Marked(problem.State, text)
	}
	return kit.Marked(problem.State, kit.NewBeside(problemWords, text, buttons))
}

// problemWords is the least width of the text next to the buttons, in pixels.
const problemWords = 260
