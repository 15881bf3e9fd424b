package kit

import (
	"time"

	"fyne.io/fyne/v2"
)

// Fyne's Refresh of a container draws everything in it again: it measures each text, renders each icon and uploads the
// results to the graphics card. If only sizes and places have changed, Relayout is enough. If something was only shown
// or hidden, Repaint is enough.

// Relayout lays out an object and all visible containers and boxes in it. It does not refresh widgets.
func Relayout(object fyne.CanvasObject) {
	relayout(object)
	Repaint(object)
}

// relayout is like [Relayout], but does not repaint.
func relayout(object fyne.CanvasObject) {
	if !object.Visible() {
		return
	}
	switch o := object.(type) {
	case *fyne.Container:
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
	case *Box:
		if o.content != nil {
			o.content.Resize(o.Size())
		}
	}
	for _, part := range partsOf(object) {
		relayout(part)
	}
}

// partsOf returns the objects in a container or a box. Other objects have no parts.
func partsOf(object fyne.CanvasObject) []fyne.CanvasObject {
	switch o := object.(type) {
	case *fyne.Container:
		return o.Objects
	case *Box:
		if o.content != nil {
			return []fyne.CanvasObject{o.content}
		}
	}
	return nil
}

// Repaint makes the window show an object again without refreshing it.
func Repaint(object fyne.CanvasObject) {
	if canvas, ok := fyne.CurrentApp().Driver().CanvasForObject(object).(interface{ SetDirty() }); ok {
		canvas.SetDirty()
	}
}

// Curtain shows and hides a large part of the window. If a part was hidden for a minute, Fyne drops its renderers and
// does not lay out the new ones. Such a part must be refreshed when it is shown. After a shorter time, the slow
// refresh is not needed.
type Curtain struct {
	object fyne.CanvasObject
	since  time.Time // when the object was last hidden; zero if the curtain has not hidden it yet
}

// NewCurtain returns a curtain for an object.
func NewCurtain(object fyne.CanvasObject) *Curtain { return &Curtain{object: object} }

// forgotten is the time after which a hidden object is refreshed. It is shorter than the time after which Fyne drops
// renderers.
const forgotten = 30 * time.Second

// Set shows or hides the object, and reports whether that has changed anything.
func (c *Curtain) Set(visible bool) bool {
	switch {
	case visible == c.object.Visible():
		return false
	case !visible:
		c.object.Hide()
		c.since = time.Now()
		return true
	}
	c.object.Show()
	if time.Since(c.since) > forgotten {
		c.object.Refresh()
	} else {
		relayout(c.object)
	}
	Repaint(c.object)
	return true
}
