package kit

import "fyne.io/fyne/v2"

// drawing is the renderer of a widget that places its own parts.
type drawing struct {
	of    fyne.Widget
	parts []fyne.CanvasObject
	least func() fyne.Size
	place func(size fyne.Size)
	paint func()
}

// NewDrawing returns a renderer for a widget. least returns the smallest size, place places the parts, and paint updates their look from the widget
// and the current theme. paint is called at once and at each refresh; it may be nil.
func NewDrawing(of fyne.Widget, least func() fyne.Size, place func(size fyne.Size), paint func(), parts ...fyne.CanvasObject) fyne.WidgetRenderer {
	if paint == nil {
		paint = func() {}
	}
	paint()
	return &drawing{of, parts, least, place, paint}
}

// Destroy implements [fyne.WidgetRenderer].
func (d *drawing) Destroy() {}

// Objects implements [fyne.WidgetRenderer].
func (d *drawing) Objects() []fyne.CanvasObject { return d.parts }

// MinSize implements [fyne.WidgetRenderer].
func (d *drawing) MinSize() fyne.Size { return d.least() }

// Layout implements [fyne.WidgetRenderer].
func (d *drawing) Layout(size fyne.Size) { d.place(size) }

// Refresh implements [fyne.WidgetRenderer].
func (d *drawing) Refresh() {
	d.paint()
	d.place(d.of.Size())
	for _, part := range d.parts {
		part.Refresh()
	}
}
