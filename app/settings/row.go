package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// row is a setting: its title and explanation at the left with a note and errors below them, and its control at the
// right.
type row struct {
	root    *fyne.Container
	note    *kit.Lines // a remark on the setting; often empty
	problem *kit.Lines // why the last change has failed; often empty
}

// maxLines is the most lines of an explanation.
const maxLines = 4

// newRow returns the row of a setting.
func newRow(title, explanation string, control fyne.CanvasObject) *row {
	r := &row{
		note:    kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking}),
		problem: kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}),
	}
	text := paragraphs(kit.NewParagraph(title, kit.TextStyle{}), muted(explanation), r.note, r.problem)
	r.root = kit.NewBeside(textAtLeast, text, control)
	return r
}

// say shows a note and an error. Both may be empty.
func (r *row) say(note string, err error) {
	r.note.Set(note)
	r.problem.Set(because(err))
}

// said returns the note and the error that are shown.
func (r *row) said() string { return r.note.Text() + "\n" + r.problem.Text() }

// because returns an error as a sentence, or "" for nil.
func because(err error) string {
	if err == nil {
		return ""
	}
	return kit.ErrorSentence(err)
}

// textAtLeast is the least width of the text next to a control, in pixels. If there is less room, the control goes
// below the text.
const textAtLeast = 180

// paragraphs returns a column of texts. Empty texts take no room.
func paragraphs(texts ...fyne.CanvasObject) *fyne.Container { return kit.Column(kit.GapHair, texts...) }

// muted returns an explanation.
func muted(text string) *kit.Lines {
	return kit.NewParagraph(text, kit.Small())
}

// card returns a box of rows with thin lines between them.
func card(rows ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewFrame(lined(rows...))
}

// lined returns a column of rows with thin lines between them.
func lined(rows ...fyne.CanvasObject) *fyne.Container {
	list := kit.Column(0)
	for i, row := range rows {
		if i > 0 {
			list.Add(kit.Inset(widget.NewSeparator(), 0, kit.GapBlock))
		}
		list.Add(kit.Inset(row, kit.GapWide, kit.GapBlock))
	}
	return list
}

// section is a title with cards below it.
type section struct {
	heading fyne.CanvasObject
	root    *fyne.Container
}

// self returns the section itself.
func (s *section) self() *section { return s }

func newSection(title string, cards ...fyne.CanvasObject) *section {
	s := &section{heading: kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})}
	s.root = kit.Column(kit.Gap, append([]fyne.CanvasObject{s.heading}, cards...)...)
	return s
}
