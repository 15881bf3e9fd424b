package settings

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// row is one setting: what it is called and what it means at the left, what changes it at the right, and below what went wrong.
type row struct {
	root    *fyne.Container
	words   *kit.Lines // what it means
	note    *kit.Lines
	problem *kit.Lines
}

// maxLines is how many lines an explanation may have.
const maxLines = 4

// newRow gives a setting; control may be nil.
func newRow(title, explanation string, control fyne.CanvasObject) *row {
	r := &row{
		note:    kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking}),
		problem: kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}),
	}
	r.words = kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	r.words.Set(explanation)
	text := paragraphs(kit.NewText(title, kit.TextStyle{Shrinks: true}), r.words, r.note, r.problem)
	r.root = fitted(text, control)
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
	text := strings.TrimSpace(kit.SayError(err))
	first, size := utf8.DecodeRuneInString(text)
	if size > 0 && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// flush lets what has no ground of its own end where other controls do: there is space around its text.
func flush(control fyne.CanvasObject) fyne.CanvasObject {
	return container.New(layout.NewCustomPaddedLayout(0, 0, 0, -8), control)
}

// paragraphs puts texts under each other. Those without text take no room.
func paragraphs(texts ...fyne.CanvasObject) *fyne.Container {
	return container.New(paragraphLayout{}, texts...)
}

type paragraphLayout struct{}

// paragraphGap is the space between two texts, in pixels.
const paragraphGap = 3

func (paragraphLayout) MinSize(texts []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, text := range texts {
		least := text.MinSize()
		if !text.Visible() || least.Height == 0 {
			continue
		}
		if size.Height > 0 {
			size.Height += paragraphGap
		}
		size = fyne.NewSize(max(size.Width, least.Width), size.Height+least.Height)
	}
	return size
}

func (paragraphLayout) Layout(texts []fyne.CanvasObject, size fyne.Size) {
	top := float32(0)
	for _, text := range texts {
		// The height of text that wraps is known only once it has its width.
		text.Resize(fyne.NewSize(size.Width, text.Size().Height))
		height := text.MinSize().Height
		text.Resize(fyne.NewSize(size.Width, height))
		if !text.Visible() || height == 0 {
			continue
		}
		text.Move(fyne.NewPos(0, top))
		top += height + paragraphGap
	}
}

// fitted puts a control beside a text: in the middle of its height, at its own width.
func fitted(text, control fyne.CanvasObject) *fyne.Container {
	if control == nil {
		return container.New(besideLayout{}, text)
	}
	return container.New(besideLayout{}, text, control)
}

// besideLayout is that of [fitted].
type besideLayout struct{}

const (
	besideGap   = 20
	textAtLeast = 180 // below this, the control goes under the text
)

// stacked tells whether the control is under the text at a width.
func (besideLayout) stacked(objects []fyne.CanvasObject, width float32) bool {
	return len(objects) > 1 && width > 0 && width-besideGap-objects[1].MinSize().Width < textAtLeast
}

func (l besideLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	text := objects[0].MinSize()
	if len(objects) == 1 || !objects[1].Visible() {
		return text
	}
	control := objects[1].MinSize()
	if width := objects[0].Size().Width; width > 0 && objects[1].Position().Y > 0 && objects[1].Position().X == 0 {
		return fyne.NewSize(control.Width, text.Height+8+control.Height)
	}
	return fyne.NewSize(control.Width, max(text.Height, control.Height))
}

func (l besideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	text := objects[0]
	text.Move(fyne.NewPos(0, 0))
	if len(objects) == 1 || !objects[1].Visible() {
		text.Resize(size)
		return
	}
	control := objects[1]
	want := control.MinSize()
	if l.stacked(objects, size.Width) {
		text.Resize(fyne.NewSize(size.Width, text.Size().Height))
		height := text.MinSize().Height
		text.Resize(fyne.NewSize(size.Width, height))
		control.Move(fyne.NewPos(0, height+8))
		control.Resize(fyne.NewSize(min(want.Width, size.Width), want.Height))
		return
	}
	width := max(0, size.Width-besideGap-want.Width)
	text.Resize(fyne.NewSize(width, text.Size().Height))
	height := text.MinSize().Height
	text.Resize(fyne.NewSize(width, height))
	text.Move(fyne.NewPos(0, max(0, (size.Height-height)/2)))
	control.Move(fyne.NewPos(size.Width-want.Width, max(0, (size.Height-want.Height)/2)))
	control.Resize(want)
}

// card puts rows into a box, with thin lines between them.
func card(rows ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, lined(rows...))
}

// lined puts rows under each other, with thin lines between them.
func lined(rows ...fyne.CanvasObject) *fyne.Container {
	list := kit.Column(0)
	for i, row := range rows {
		if i > 0 {
			list.Add(kit.Inset(kit.NewLine(), 0, 16))
		}
		list.Add(kit.Inset(row, 12, 16))
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
	s.root = kit.Column(8, append([]fyne.CanvasObject{s.heading}, cards...)...)
	return s
}

func setVisible(object fyne.CanvasObject, visible bool) {
	if visible {
		object.Show()
	} else {
		object.Hide()
	}
}
