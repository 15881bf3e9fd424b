package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// InPlace is a text with a pencil button. A click on either replaces the text by a field to edit it.
type InPlace struct {
	Root    *fyne.Container // the line and the problem below it
	Line    *fyne.Container // the text, or the field instead of it
	Problem *Lines          // why the typed text cannot be used
	Field   *NameEntry      // visible only during an edit
	Pencil  *Button
	text    placeText
	shown   *fyne.Container // the text and the pencil
	onSize  func()          // called when the height may have changed
}

// placeText is a [Text] or a [Lines].
type placeText interface {
	fyne.CanvasObject
	Set(text string)
	Full() fyne.Size
}

// NewInPlace returns a text that can be edited in place. spoken is the text of the pencil for screen readers. begin is
// called on a click and should call [InPlace.Edit]. onSize is called when the height may have changed.
func NewInPlace(text placeText, spoken string, begin, onSize func()) *InPlace {
	p := &InPlace{text: text, Field: NewNameEntry(),
		Problem: NewParagraph("", TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}), onSize: onSize}
	icon := base.NewColoredResource(base.DocumentCreateIcon(), theme.ColorMuted)
	p.Pencil = NewIconButton(icon, spoken, begin)
	p.shown = Row(Gap, newTapText(p.text, begin), Sized(pencilSize, pencilSize, p.Pencil))
	p.Field.Hide()
	p.Line = container.NewStack(p.shown, p.Field)
	p.Root = Column(0, p.Line, p.Problem)
	return p
}

// Set changes the text.
func (p *InPlace) Set(text string) {
	p.text.Set(text)
	Relayout(p.shown)
}

// Edit replaces the text by a field until the edit is done. It sets change.Say itself.
func (p *InPlace) Edit(change NameEdit) {
	done := change.Done
	change.Done = func(text string, saved, left bool) {
		p.Field.Hide()
		p.Problem.Set("")
		p.shown.Show()
		p.onSize()
		if !left {
			Focus(p.Pencil)
		}
		done(text, saved, left)
	}
	change.Say = func(problem string) {
		p.Problem.Set(problem)
		p.Root.Refresh()
		p.onSize()
	}
	p.shown.Hide()
	p.Field.Show()
	p.onSize()
	p.Field.Begin(change)
	Focus(p.Field)
}

// Full returns the width of the whole text and the pencil, in pixels.
func (p *InPlace) Full() float32 { return p.text.Full().Width + Gap + pencilSize }

// pencilSize is the width and height of the pencil, in pixels.
const pencilSize = 28

// tapText is a text that can be clicked.
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

// Tapped implements [fyne.Tappable].
func (t *tapText) Tapped(*fyne.PointEvent) { t.onTap() }

// Cursor shows that the text can be edited.
func (t *tapText) Cursor() desktop.Cursor { return desktop.TextCursor }

// Full returns the size of the whole text on one line.
func (t *tapText) Full() fyne.Size { return t.text.Full() }

// CreateRenderer implements [fyne.Widget].
func (t *tapText) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.text) }
