package kit

import (
	"time"

	"fyne.io/fyne/v2"
)

// Fyne's Refresh of a container draws everything in it anew: each text is measured, each icon read and made a picture again, and
// all that has to be brought to the graphics card once more. Where only sizes and places have changed, Relayout does what is
// needed, and where something has only come or gone, Repaint.

// Relayout lays an object out again, with all containers in it that can be seen, and leaves the widgets in them alone.
func Relayout(object fyne.CanvasObject) {
	relayout(object)
	Repaint(object)
}

func relayout(object fyne.CanvasObject) {
	if !object.Visible() {
		return
	}
	switch o := object.(type) {
	case *fyne.Container:
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
		for _, part := range o.Objects {
			relayout(part)
		}
	case *Box:
		if o.content != nil {
			o.content.Resize(o.Size())
			relayout(o.content)
		}
	}
}

// Repaint has the window show an object as it is, with the pictures of its parts that there are.
func Repaint(object fyne.CanvasObject) {
	if canvas, ok := fyne.CurrentApp().Driver().CanvasForObject(object).(interface{ SetDirty() }); ok {
		canvas.SetDirty()
	}
}

// Curtain shows and hides a large part of the window. Fyne forgets how something is drawn that has been out of sight for a minute,
// and what it makes then it does not lay out: such a part has to be drawn anew, and only such a part.
type Curtain struct {
	object fyne.CanvasObject
	since  time.Time // it is hidden; zero: it was never shown
}

// NewCurtain hangs a curtain before an object.
func NewCurtain(object fyne.CanvasObject) *Curtain { return &Curtain{object: object} }

// forgotten is how long something must have been hidden for Fyne to have forgotten it perhaps. It is less than that.
const forgotten = 30 * time.Second

// Set shows the object or hides it, and reports whether that is another thing than before.
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
