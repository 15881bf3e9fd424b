package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// ring is a line around a control that has the focus. On some controls, a lighter colour alone would not be noticed.
type ring struct {
	widget.BaseWidget
	color  fyne.ThemeColorName
	radius fyne.ThemeSizeName
}

// ringWidth is the width of the line, in pixels.
const ringWidth = 2

func newRing(color fyne.ThemeColorName, radius fyne.ThemeSizeName) *ring {
	r := &ring{color: color, radius: radius}
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements [fyne.Widget].
func (r *ring) CreateRenderer() fyne.WidgetRenderer {
	line := canvas.NewRectangle(color.Transparent)
	line.StrokeWidth = ringWidth
	return NewDrawing(r, line.MinSize, line.Resize, func() {
		line.StrokeColor = r.Theme().Color(r.color, fyne.CurrentApp().Settings().ThemeVariant())
		line.CornerRadius = r.Theme().Size(r.radius)
	}, line)
}
