package kit

import "fyne.io/fyne/v2"

// drawing is the renderer of a widget that gives its parts their places itself.
type drawing struct {
	of    fyne.Widget
	parts []fyne.CanvasObject
	least func() fyne.Size
	place func(size fyne.Size)
	paint func()
}

// NewDrawing gives the renderer of a widget. least is the size that it needs, place gives the parts their places, and paint has them look like what
// the widget shows in the theme as it is now. Paint is called at first and with each refresh, and may be nil.
func NewDrawing(of fyne.Widget, least func() fyne.Size, place func(size fyne.Size), paint func(), parts ...fyne.CanvasObject) fyne.WidgetRenderer {
	if paint == nil {
		paint = func() {}
	}
	paint()
	return &drawing{of, parts, least, place, paint}
}

// Destroy is for Fyne.
func (d *drawing) Destroy() {}

// Objects is for Fyne.
func (d *drawing) Objects() []fyne.CanvasObject { return d.parts }

// MinSize is for Fyne.
func (d *drawing) MinSize() fyne.Size { return d.least() }

// Layout is for Fyne.
func (d *drawing) Layout(size fyne.Size) { d.place(size) }

// Refresh is for Fyne.
func (d *drawing) Refresh() {
	d.paint()
	d.place(d.of.Size())
	for _, part := range d.parts {
		part.Refresh()
	}
}
