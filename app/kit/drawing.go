package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// drawing is the renderer of a widget that places its own parts.
type drawing struct {
	of    fyne.Widget
	parts []fyne.CanvasObject
	least func() fyne.Size
	place func(size fyne.Size)
	paint func()
}

// NewDrawing returns a renderer for a widget. least returns the smallest size, place places the parts, and paint
// updates their look from the widget and the current theme. paint is called at once and at each refresh; it may be
// nil.
func NewDrawing(of fyne.Widget, least func() fyne.Size, place func(size fyne.Size), paint func(),
	parts ...fyne.CanvasObject) fyne.WidgetRenderer {
	if paint == nil {
		paint = func() {}
	}
	paint()
	return &drawing{of, parts, least, place, paint}
}

// sketch is the renderer of a widget whose objects change.
type sketch struct {
	of      fyne.Widget
	least   func() fyne.Size
	draw    func(objects []fyne.CanvasObject) []fyne.CanvasObject
	objects []fyne.CanvasObject
}

// NewSketch returns a renderer for a widget that has objects only for what is visible, or that changes often and
// refreshes only those objects that have changed. least returns the smallest size. draw places the objects, paints
// them with the current theme, and appends them to its argument. draw is called at once if the widget has a size, when
// the size has changed, and at each refresh.
func NewSketch(of fyne.Widget, least func() fyne.Size,
	draw func(objects []fyne.CanvasObject) []fyne.CanvasObject) fyne.WidgetRenderer {
	s := &sketch{of: of, least: least, draw: draw}
	if !of.Size().IsZero() {
		s.Layout(of.Size())
	}
	return s
}

// Pool has the objects of one kind in a sketch. Each drawing reuses the objects of the previous one.
type Pool[T fyne.CanvasObject] struct {
	made []T
	used int // how many of made are part of the current drawing
}

// Next adds an object to the drawing, if necessary one made by create.
func (p *Pool[T]) Next(create func() T) T {
	if p.used == len(p.made) {
		p.made = append(p.made, create())
	}
	p.used++
	return p.made[p.used-1]
}

// Take returns objects followed by those of the drawing, and begins the next drawing.
func (p *Pool[T]) Take(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, object := range p.made[:p.used] {
		objects = append(objects, object)
	}
	p.used = 0
	return objects
}

// NewRectangle returns a rectangle for [Fill].
func NewRectangle() *canvas.Rectangle { return canvas.NewRectangle(nil) }

// NewCanvasText returns an empty text for a drawing.
func NewCanvasText() *canvas.Text { return canvas.NewText("", nil) }

// Fill moves, resizes and fills a rectangle.
func Fill(object *canvas.Rectangle, position fyne.Position, size fyne.Size, fill color.Color) {
	object.FillColor = fill
	object.Move(position)
	object.Resize(size)
	object.Refresh()
}

// Destroy implements [fyne.WidgetRenderer].
func (s *sketch) Destroy() {}

// Objects implements [fyne.WidgetRenderer].
func (s *sketch) Objects() []fyne.CanvasObject { return s.objects }

// MinSize implements [fyne.WidgetRenderer].
func (s *sketch) MinSize() fyne.Size { return s.least() }

// Layout implements [fyne.WidgetRenderer].
func (s *sketch) Layout(fyne.Size) { s.objects = s.draw(s.objects[:0]) }

// Refresh implements [fyne.WidgetRenderer].
func (s *sketch) Refresh() {
	s.Layout(s.of.Size())
	canvas.Refresh(s.of)
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
