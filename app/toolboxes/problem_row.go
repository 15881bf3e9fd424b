package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// newProblem gives one problem with its buttons. They ask for the problem by its place, since the one that they were made
// for may have been replaced by one that only looks the same.
func newProblem(problem Problem, i int, s *strip) fyne.CanvasObject {
	where := problem.Where
	if problem.Line != "" {
		where += " · " + problem.Line
	}
	text := kit.Column(2, kit.NewText(where, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		kit.NewParagraph(problem.Message, kit.TextStyle{}))
	if problem.Hint != "" {
		text.Add(kit.NewParagraph(problem.Hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	buttons := container.NewHBox()
	if problem.Fix != "" && s.canFix(problem) {
		buttons.Add(kit.NewButton(shortName(problem.Fix), widget.MediumImportance, func() { s.actions.fix(s.view.Problems[i]) }))
	}
	if s.actions.fits(problem) {
		buttons.Add(kit.NewButton(lang.L("Show"), widget.LowImportance, func() { s.actions.show(s.view.Problems[i]) }))
	}
	return container.New(&problemLayout{}, widget.NewIcon(problem.State.Icon()), text, buttons)
}

// problemLayout puts the buttons beside the words, and below them where that would leave the words too little room. Like
// words that wrap it has its height only once it has its width.
type problemLayout struct{ width float32 }

const (
	problemLeft  = 28  // of the words, in pixels
	problemWords = 260 // at least, beside buttons
)

// beside tells whether the buttons stand beside the words, and the width that is left for these.
func (l *problemLayout) beside(buttons fyne.Size) (bool, float32) {
	room := l.width - problemLeft
	if buttons.Width == 0 {
		return true, room
	}
	if left := room - buttons.Width - 12; left >= problemWords {
		return true, left
	}
	return false, room
}

func (l *problemLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	text, buttons := objects[1].MinSize(), objects[2].MinSize()
	width := problemLeft + max(text.Width, buttons.Width)
	if beside, _ := l.beside(buttons); beside {
		return fyne.NewSize(width, max(text.Height, buttons.Height))
	}
	return fyne.NewSize(width, text.Height+6+buttons.Height)
}

func (l *problemLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	mark, text, buttons := objects[0], objects[1], objects[2]
	mark.Move(fyne.NewPos(0, 1))
	mark.Resize(fyne.NewSquareSize(16))
	least := buttons.MinSize()
	beside, width := l.beside(least)
	text.Move(fyne.NewPos(problemLeft, 0))
	text.Resize(fyne.NewSize(width, text.Size().Height))
	height := text.MinSize().Height
	text.Resize(fyne.NewSize(width, height))
	buttons.Resize(least)
	if beside {
		buttons.Move(fyne.NewPos(size.Width-least.Width, 0))
	} else {
		buttons.Move(fyne.NewPos(problemLeft, height+6))
	}
}
