package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// ring is the line around what has the keyboard, where a tint of the accent would not be seen.
type ring struct {
	widget.BaseWidget
	color  fyne.ThemeColorName
	radius fyne.ThemeSizeName
}

const ringWidth = 2

func newRing(color fyne.ThemeColorName, radius fyne.ThemeSizeName) *ring {
	r := &ring{color: color, radius: radius}
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer is for Fyne.
func (r *ring) CreateRenderer() fyne.WidgetRenderer {
	line := canvas.NewRectangle(color.Transparent)
	line.StrokeWidth = ringWidth
	renderer := &ringRenderer{WidgetRenderer: widget.NewSimpleRenderer(line), ring: r, line: line}
	renderer.style()
	return renderer
}

type ringRenderer struct {
	fyne.WidgetRenderer
	ring *ring
	line *canvas.Rectangle
}

func (r *ringRenderer) style() {
	variant := fyne.CurrentApp().Settings().ThemeVariant()
	r.line.StrokeColor = r.ring.Theme().Color(r.ring.color, variant)
	r.line.CornerRadius = r.ring.Theme().Size(r.ring.radius)
}

func (r *ringRenderer) Refresh() {
	r.style()
	r.line.Refresh()
}
