package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// scrollStep is how far an arrow key scrolls, in pixels, and scrollRest how much of what was seen stays when a page is turned, so that the
// eye finds its way.
const (
	scrollStep = 40
	scrollRest = 32
)

// ScrollByKey scrolls with the keys for pages and the arrows what is around what has the keyboard, else the largest thing in the window
// that can be scrolled that way: whoever has no mouse wants to read on too. It reports whether it has used the key.
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

// scrollFor finds what is to be scrolled, across or up and down; nil when all can be seen.
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
	around := false // the best has the keyboard in it
	eachScroll(root, func(scroll *container.Scroll) {
		view, whole := scroll.Size(), scroll.Content.Size()
		if across && whole.Width <= view.Width+1 || !across && whole.Height <= view.Height+1 {
			return
		}
		place := fyne.CurrentApp().Driver().AbsolutePositionForObject(scroll)
		holds := focused != nil && at.X >= place.X && at.Y >= place.Y && at.X < place.X+view.Width && at.Y < place.Y+view.Height
		switch area := view.Width * view.Height; {
		case best == nil, holds && !around:
			best, around = scroll, holds
		case holds == around && holds == (area < best.Size().Width*best.Size().Height): // the innermost, or else the largest
			best = scroll
		}
	})
	return best
}

// Composed is a widget with parts that can be scrolled, perhaps.
type Composed interface{ Parts() []fyne.CanvasObject }

// eachScroll does something with everything in an object that can be seen and scrolled.
func eachScroll(object fyne.CanvasObject, do func(*container.Scroll)) {
	if object == nil || !object.Visible() {
		return
	}
	var parts []fyne.CanvasObject
	switch o := object.(type) {
	case *fyne.Container:
		parts = o.Objects
	case *Box:
		parts = []fyne.CanvasObject{o.content}
	case *Split:
		parts = []fyne.CanvasObject{o.lead, o.trail}
	case *Page:
		parts = []fyne.CanvasObject{o.scroll}
	case *container.Scroll:
		do(o)
		parts = []fyne.CanvasObject{o.Content}
	case *widget.PopUp:
		parts = []fyne.CanvasObject{o.Content}
	case *CodeEntry: // one that can be changed has keys of its own
		if o.readOnly {
			parts = []fyne.CanvasObject{o.scroll}
		}
	case *Rows: // they have none
	case Composed:
		parts = o.Parts()
	}
	for _, part := range parts {
		eachScroll(part, do)
	}
}
