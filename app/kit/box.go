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
	r := &boxRenderer{box: b, ground: canvas.NewRectangle(nil)}
	r.restyle()
	return r
}

type boxRenderer struct {
	box    *Box
	ground *canvas.Rectangle
}

func (r *boxRenderer) Destroy() {}

func (r *boxRenderer) Objects() []fyne.CanvasObject {
	if r.box.content == nil {
		return []fyne.CanvasObject{r.ground}
	}
	return []fyne.CanvasObject{r.ground, r.box.content}
}

func (r *boxRenderer) MinSize() fyne.Size {
	if r.box.content == nil {
		return fyne.Size{}
	}
	return r.box.content.MinSize()
}

func (r *boxRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	if r.box.content != nil {
		r.box.content.Resize(size)
	}
}

func (r *boxRenderer) Refresh() {
	r.restyle()
	r.ground.Refresh()
	if r.box.content != nil {
		r.box.content.Refresh()
	}
}

func (r *boxRenderer) restyle() {
	look, variant := r.box.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	style := r.box.style
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth, r.ground.CornerRadius = nil, nil, 0, 0
	if style.Fill != "" {
		r.ground.FillColor = look.Color(style.Fill, variant)
	}
	if style.Line != "" {
		r.ground.StrokeColor, r.ground.StrokeWidth = look.Color(style.Line, variant), max(1, style.Width)
	}
	if style.Radius != "" {
		r.ground.CornerRadius = look.Size(style.Radius)
	}
}
