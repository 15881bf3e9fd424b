package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// scrollStep is how far an arrow key scrolls, in pixels. scrollRest is the height that stays visible when a page key
// scrolls, so that the user sees where the text goes on.
const (
	scrollStep = 40
	scrollRest = 32
)

// ScrollByKey scrolls with the arrow keys, the page keys, Home and End, for users without a mouse. Of the parts that
// can scroll, it scrolls the innermost one that contains the focus or, if there is none, the largest one. It reports
// whether it has used the key.
func ScrollByKey(canvas fyne.Canvas, event *fyne.KeyEvent) bool {
	const far = 1 << 24
	var by fyne.Delta
	page := false
	switch event.Name {
	case fyne.KeyUp:
		by.DY = scrollStep
	case fyne.KeyDown:
		by.DY = -scrollStep
	case fyne.KeyLeft:
		by.DX = scrollStep
	case fyne.KeyRight:
		by.DX = -scrollStep
	case fyne.KeyPageUp:
		by.DY, page = 1, true
	case fyne.KeyPageDown:
		by.DY, page = -1, true
	case fyne.KeyHome:
		by.DY = far
	case fyne.KeyEnd:
		by.DY = -far
	default:
		return false
	}
	scroll := scrollFor(canvas, by.DX != 0)
	if scroll == nil {
		return false
	}
	if page {
		by.DY *= max(scrollStep, scroll.Size().Height-scrollRest)
	}
	scroll.Scrolled(&fyne.ScrollEvent{Scrolled: by})
	return true
}

// scrollFor returns the part to scroll, vertically or, if across is set, horizontally. It returns nil if nothing can
// be scrolled in this direction.
func scrollFor(canvas fyne.Canvas, across bool) *container.Scroll {
	root := canvas.Overlays().Top()
	if root == nil {
		root = canvas.Content()
	}
	focused, _ := canvas.Focused().(fyne.CanvasObject)
	var at fyne.Position
	if focused != nil {
		at = fyne.CurrentApp().Driver().AbsolutePositionForObject(focused)
	}
	var best *container.Scroll
	around := false // whether best contains the focus
	eachScroll(root, func(scroll *container.Scroll) {
		view, whole := scroll.Size(), scroll.Content.Size()
		if across && whole.Width <= view.Width+1 || !across && whole.Height <= view.Height+1 {
			return
		}
		place := fyne.CurrentApp().Driver().AbsolutePositionForObject(scroll)
		holds := focused != nil && at.X >= place.X && at.Y >= place.Y && at.X < place.X+view.Width &&
			at.Y < place.Y+view.Height
		switch area := view.Width * view.Height; {
		case best == nil, holds && !around:
			best, around = scroll, holds
		case holds == around && holds == (area < best.Size().Width*best.Size().Height):
			// Prefer the innermost that contains the focus, or else the largest.
			best = scroll
		}
	})
	return best
}

// Composed is a widget that contains other objects, some of which may scroll.
type Composed interface {
	// Parts returns the objects that the widget contains.
	Parts() []fyne.CanvasObject
}

// eachScroll calls do with every visible scroll in an object.
func eachScroll(object fyne.CanvasObject, do func(*container.Scroll)) {
	if object == nil || !object.Visible() {
		return
	}
	parts := partsOf(object)
	switch o := object.(type) {
	case *container.Scroll:
		do(o)
		parts = []fyne.CanvasObject{o.Content}
	case *widget.PopUp:
		parts = []fyne.CanvasObject{o.Content}
	case Composed:
		parts = o.Parts()
	}
	for _, part := range parts {
		eachScroll(part, do)
	}
}
