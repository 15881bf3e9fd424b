package settings

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// row is one setting: what it is called and what it means at the left, what changes it at the right, and below what went wrong.
type row struct {
	root    *fyne.Container
	note    *kit.Lines
	problem *kit.Lines
}

// maxLines is how many lines an explanation may have.
const maxLines = 4

// newRow returns the row of a setting.
func newRow(title, explanation string, control fyne.CanvasObject) *row {
	r := &row{
		note:    kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking}),
		problem: kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}),
	}
	text := paragraphs(kit.NewText(title, kit.TextStyle{Shrinks: true}), muted(explanation), r.note, r.problem)
	r.root = kit.NewBeside(textAtLeast, text, control)
	return r
}

// say shows what is odd, and what went wrong; both may be empty.
func (r *row) say(note string, err error) {
	r.note.Set(note)
	r.problem.Set(because(err))
}

// said is what say has shown.
func (r *row) said() string { return r.note.Text() + "\n" + r.problem.Text() }

// because says why something could not be done, in a sentence; nothing for no error.
func because(err error) string {
	if err == nil {
		return ""
	}
	return kit.ErrorSentence(err)
}

// textAtLeast is the width in pixels that a text beside a control has at least: below it, the control goes under the text.
const textAtLeast = 180

// paragraphs puts texts under each other. Those without text take no room.
func paragraphs(texts ...fyne.CanvasObject) *fyne.Container { return kit.Column(kit.GapHair, texts...) }

// muted returns text that explains something.
func muted(text string) *kit.Lines {
	return kit.NewParagraph(text, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
}

// card puts rows into a box, with thin lines between them.
func card(rows ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewFrame(lined(rows...))
}

// lined puts rows under each other, with thin lines between them.
func lined(rows ...fyne.CanvasObject) *fyne.Container {
	list := kit.Column(0)
	for i, row := range rows {
		if i > 0 {
			list.Add(kit.Inset(kit.NewLine(), 0, kit.GapBlock))
		}
		list.Add(kit.Inset(row, kit.GapWide, kit.GapBlock))
	}
	return list
}

// section is a heading with cards under it.
type section struct {
	heading *kit.Text
	root    *fyne.Container
}

func newSection(title string, cards ...fyne.CanvasObject) *section {
	s := &section{heading: kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})}
	s.root = kit.Column(kit.Gap, append([]fyne.CanvasObject{s.heading}, cards...)...)
	return s
}
