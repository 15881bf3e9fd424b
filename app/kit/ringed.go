package kit

import (
	"slices"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// ringInset is the distance of a ring from the edge of its widget, in pixels.
const ringInset = 2

// ringedRenderer adds a ring to a widget of Fyne while the widget has the focus. Fyne only tints the widget, which is
// hard to see.
type ringedRenderer struct {
	fyne.WidgetRenderer
	widget fyne.Widget
	color  func() fyne.ThemeColorName // returns the colour of the ring; empty for none
	edge   bool                       // draw the ring at the edge
	ring   *ring                      // nil until it is needed
}

func newRingedRenderer(renderer fyne.WidgetRenderer, widget fyne.Widget,
	color func() fyne.ThemeColorName) *ringedRenderer {
	return &ringedRenderer{WidgetRenderer: renderer, widget: widget, color: color}
}

// now returns the colour of the ring, or "" if there is none. A disabled widget has none.
func (r *ringedRenderer) now() fyne.ThemeColorName {
	if d, ok := r.widget.(fyne.Disableable); ok && d.Disabled() {
		return ""
	}
	return r.color()
}

func (r *ringedRenderer) Objects() []fyne.CanvasObject {
	objects, color := r.WidgetRenderer.Objects(), r.now()
	if color == "" {
		return objects
	}
	if r.ring == nil { // Refresh was not called yet
		r.ring = newRing(color, theme.SizeFieldRadius)
		r.place(r.widget.Size())
	}
	return append(slices.Clip(objects), r.ring)
}

func (r *ringedRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.place(size)
}

func (r *ringedRenderer) place(size fyne.Size) {
	if r.ring != nil {
		// A checkbox is often as wide as the page, so the ring is only as wide as its label.
		if _, wide := r.widget.(*Check); wide {
			size.Width = min(size.Width, r.MinSize().Width)
		}
		inset := float32(ringInset)
		if r.edge {
			inset = 0
		}
		r.ring.Move(fyne.NewSquareOffsetPos(inset))
		r.ring.Resize(size.SubtractWidthHeight(2*inset, 2*inset))
	}
}

func (r *ringedRenderer) Refresh() {
	if color := r.now(); color != "" {
		if r.ring == nil {
			r.ring = newRing(color, theme.SizeFieldRadius)
		}
		r.ring.color = color
		r.ring.Refresh()
		r.Layout(r.widget.Size())
	}
	r.WidgetRenderer.Refresh()
}

// newEdgedRenderer is like newRingedRenderer, with the ring at the edge of a field. Fyne only changes the colour of
// the edge, which is hard to see.
func newEdgedRenderer(renderer fyne.WidgetRenderer, widget fyne.Widget,
	color func() fyne.ThemeColorName) *ringedRenderer {
	r := newRingedRenderer(renderer, widget, color)
	r.edge = true
	return r
}
