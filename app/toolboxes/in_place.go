package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// inPlace is a text with a "✎" behind it, which becomes a field when that, or the text itself, is clicked.
type inPlace struct {
	root    *fyne.Container
	text    placeText
	pencil  *kit.Button
	shown   *fyne.Container
	field   *kit.NameEntry
	problem *kit.Lines
	onSize  func() // called when it may have another height
}

// placeText is a kit.Text or a kit.Lines.
type placeText interface {
	fyne.CanvasObject
	Set(text string)
	Full() fyne.Size
}

func newInPlace(text placeText, spoken string, begin, onSize func()) *inPlace {
	p := &inPlace{text: text, field: kit.NewNameEntry(), problem: kit.NewParagraph("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}), onSize: onSize}
	icon := base.NewColoredResource(base.DocumentCreateIcon(), theme.ColorMuted)
	p.pencil = kit.NewIconButton(icon, spoken, begin)
	p.shown = kit.NewPair(kit.Gap, newTapText(p.text, begin), kit.Sized(pencilSize, pencilSize, p.pencil))
	p.field.Hide()
	p.root = kit.Column(0, container.NewStack(p.shown, p.field), p.problem)
	return p
}

func (p *inPlace) set(text string) {
	p.text.Set(text)
	kit.Relayout(p.shown)
}

// edit makes the text a field until the change is done.
func (p *inPlace) edit(change kit.NameEdit) {
	done := change.Done
	change.Done = func(text string, saved, left bool) {
		p.field.Hide()
		p.problem.Set("")
		p.shown.Show()
		p.onSize()
		if !left {
			kit.Focus(p.pencil)
		}
		done(text, saved, left)
	}
	change.Say = func(problem string) {
		p.problem.Set(problem)
		p.root.Refresh()
		p.onSize()
	}
	p.shown.Hide()
	p.field.Show()
	p.onSize()
	p.field.Begin(change)
	kit.Focus(p.field)
}

// pencilSize is the side of the pencil's button, in pixels.
const pencilSize = 28

// tapText is a text that does something when it is clicked.
type tapText struct {
	widget.BaseWidget
	text  placeText
	onTap func()
}

func newTapText(text placeText, onTap func()) *tapText {
	t := &tapText{text: text, onTap: onTap}
	t.ExtendBaseWidget(t)
	return t
}

// Tapped is for Fyne.
func (t *tapText) Tapped(*fyne.PointEvent) { t.onTap() }

// Cursor shows that the text can be changed.
func (t *tapText) Cursor() desktop.Cursor { return desktop.TextCursor }

// Full is the size of the whole text in one line.
func (t *tapText) Full() fyne.Size { return t.text.Full() }

// CreateRenderer is for Fyne.
func (t *tapText) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.text) }
