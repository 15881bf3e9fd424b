package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Box is a coloured background for another object, perhaps with an outline.
type Box struct {
	widget.BaseWidget
	style   BoxStyle
	content fyne.CanvasObject
}

// BoxStyle is the look of a Box.
type BoxStyle struct {
	Fill   fyne.ThemeColorName // the background; empty for none
	Line   fyne.ThemeColorName // the outline; empty for none
	Width  float32             // of the outline, in pixels; 0 means 1
	Radius fyne.ThemeSizeName  // of the corners; empty for square corners
}

// NewBox returns content with a background. content may be nil.
func NewBox(style BoxStyle, content fyne.CanvasObject) *Box {
	b := &Box{style: style, content: content}
	b.ExtendBaseWidget(b)
	return b
}

// SetLine changes the colour of the outline.
func (b *Box) SetLine(line fyne.ThemeColorName) {
	if b.style.Line == line {
		return
	}
	b.style.Line = line
	b.Refresh()
}

// NewFrame returns content with the background of a card, without space around it.
func NewFrame(content fyne.CanvasObject) *Box {
	return NewBox(BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, content)
}

// NewCard returns content with the background of a card and space around it.
func NewCard(content fyne.CanvasObject) *Box {
	return NewFrame(Inset(content, GapWide, GapBlock))
}

// NewChip returns a short text in a small rounded box.
func NewChip(text *Text) *Box {
	return NewBox(BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeChipRadius}, Inset(text, GapTight, GapWide))
}

// CreateRenderer implements [fyne.Widget].
func (b *Box) CreateRenderer() fyne.WidgetRenderer {
	ground := canvas.NewRectangle(nil)
	paint := func() { b.paint(ground) }
	if b.content == nil {
		return NewDrawing(b, func() fyne.Size { return fyne.Size{} }, ground.Resize, paint, ground)
	}
	place := func(size fyne.Size) {
		ground.Resize(size)
		b.content.Resize(size)
	}
	return NewDrawing(b, b.content.MinSize, place, paint, ground, b.content)
}

func (b *Box) paint(ground *canvas.Rectangle) {
	look, variant := b.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	ground.FillColor, ground.StrokeColor, ground.StrokeWidth, ground.CornerRadius = nil, nil, 0, 0
	if b.style.Fill != "" {
		ground.FillColor = look.Color(b.style.Fill, variant)
	}
	if b.style.Line != "" {
		ground.StrokeColor, ground.StrokeWidth = look.Color(b.style.Line, variant), max(1, b.style.Width)
	}
	if b.style.Radius != "" {
		ground.CornerRadius = look.Size(b.style.Radius)
	}
}
