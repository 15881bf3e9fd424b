package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Box is a coloured ground, with an outline or without, under something else.
type Box struct {
	widget.BaseWidget
	style   BoxStyle
	content fyne.CanvasObject
}

// BoxStyle says how a Box looks.
type BoxStyle struct {
	Fill   fyne.ThemeColorName // empty: none
	Line   fyne.ThemeColorName // the outline; empty: none
	Width  float32             // of the outline, in pixels; 0: one
	Radius fyne.ThemeSizeName  // empty: square
}

// NewBox puts a ground under content, which may be nil.
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

// NewFrame is the ground of a card around what has its own space.
func NewFrame(content fyne.CanvasObject) *Box {
	return NewBox(BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, content)
}

// NewCard returns the box that things on a screen lie in: outlined and rounded, with space around content.
func NewCard(content fyne.CanvasObject) *Box {
	return NewFrame(Inset(content, GapWide, GapBlock))
}

// NewChip returns a small rounded box around a short text.
func NewChip(text *Text) *Box {
	return NewBox(BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeChipRadius}, Inset(text, GapTight, GapWide))
}

// NewLine returns a thin line, across when horizontal and down when not.
func NewLine() *Box { return NewBox(BoxStyle{Fill: theme.ColorLine}, NewGap(1, 1)) }

// CreateRenderer is for Fyne.
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
