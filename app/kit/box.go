package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Box is a coloured ground, with an outline or without, under something else.
type Box struct {
	widget.BaseWidget
	style   BoxStyle
	content fyne.CanvasObject
	alone   bool // only the box is refreshed, not what is in it
}

// BoxStyle says how a Box looks.
type BoxStyle struct {
	Fill   fyne.ThemeColorName // empty: none
	Line   fyne.ThemeColorName // the outline, one pixel; empty: none
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

// restyle refreshes the box without what is in it, and gives that.
func (b *Box) restyle() []fyne.CanvasObject {
	b.alone = true
	b.Refresh()
	b.alone = false
	if b.content == nil {
		return nil
	}
	return []fyne.CanvasObject{b.content}
}

// NewCard gives the box that things on a screen lie in: outlined and rounded, 12 pixels around content.
func NewCard(content fyne.CanvasObject) *Box {
	return NewBox(BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, Inset(content, 12, 16))
}

// NewChip gives a small rounded box around a short text.
func NewChip(text *Text) *Box {
	return NewBox(BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeChipRadius}, Inset(text, 4, 12))
}

// NewLine gives a thin line, across when horizontal and down when not.
func NewLine() *Box { return NewBox(BoxStyle{Fill: theme.ColorLine}, NewGap(1, 1)) }

// NewGap gives empty space of a size.
func NewGap(width, height float32) fyne.CanvasObject {
	gap := canvas.NewRectangle(color.Transparent)
	gap.SetMinSize(fyne.NewSize(width, height))
	return gap
}

// Inset puts space around an object: vertical above and below it, horizontal at its sides.
func Inset(object fyne.CanvasObject, vertical, horizontal float32) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(vertical, vertical, horizontal, horizontal), object)
}

// Row lays objects out beside each other, each at its own width and in the middle of the height, gap apart.
func Row(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(rowLayout{gap}, objects...)
}

// rowLayout leaves no room for what is hidden.
type rowLayout struct{ gap float32 }

func (r rowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width, height := -r.gap, float32(0)
	for _, object := range objects {
		if object.Visible() {
			least := object.MinSize()
			width, height = width+r.gap+least.Width, max(height, least.Height)
		}
	}
	return fyne.NewSize(max(0, width), height)
}

func (r rowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for _, object := range objects {
		if !object.Visible() {
			continue
		}
		least := object.MinSize()
		object.Move(fyne.NewPos(x, float32(int(max(0, size.Height-least.Height)/2)))) // between two pixels it would be blurred
		object.Resize(least)
		x += least.Width + r.gap
	}
}

// Column lays objects out under each other, gap apart.
func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(gap), objects...)
}

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
	if r.box.content != nil && !r.box.alone {
		r.box.content.Refresh()
	}
}

func (r *boxRenderer) restyle() {
	look, variant := r.box.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	style := r.box.style
	if style.Fill != "" {
		r.ground.FillColor = look.Color(style.Fill, variant)
	}
	if style.Line != "" {
		r.ground.StrokeColor, r.ground.StrokeWidth = look.Color(style.Line, variant), 1
	}
	if style.Radius != "" {
		r.ground.CornerRadius = look.Size(style.Radius)
	}
}
