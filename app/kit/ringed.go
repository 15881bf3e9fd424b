package kit

import (
	"slices"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// ringInset is how far within the edges of a widget its ring is, in pixels.
const ringInset = 2

// ringedRenderer adds to a widget of Fyne's the ring that it has while it has the keyboard: Fyne's tint of the accent is hardly seen on
// the ground of a button, and not at all by everybody.
type ringedRenderer struct {
	fyne.WidgetRenderer
	widget fyne.Widget
	color  func() fyne.ThemeColorName // empty: no ring
	edge   bool                       // the ring is at the edge
	ring   *ring                      // made when it is first seen
}

func newRingedRenderer(renderer fyne.WidgetRenderer, widget fyne.Widget, color func() fyne.ThemeColorName) *ringedRenderer {
	return &ringedRenderer{WidgetRenderer: renderer, widget: widget, color: color}
}

// now is the colour of the ring; empty when there is none, as on what is disabled.
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
	if r.ring == nil { // nobody has refreshed the widget
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
		// A box to be ticked is often as wide as the page.
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

// newEdgedRenderer puts the ring where a field has its edge: Fyne gives that another colour, as light as before.
func newEdgedRenderer(renderer fyne.WidgetRenderer, widget fyne.Widget, color func() fyne.ThemeColorName) *ringedRenderer {
	r := newRingedRenderer(renderer, widget, color)
	r.edge = true
	return r
}
