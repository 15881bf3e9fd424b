package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Restyler brings another theme to what is in a window. Fyne goes through all of it, hidden or not, and has each container refresh
// what is in it once more, so that a text in ten containers is refreshed ten times. Here all that can be seen is refreshed once, and
// what is hidden or scrolled away afterwards, a little at a time.
type Restyler struct {
	root  *fyne.Container
	do    func(func())
	away  []fyne.CanvasObject // what was on the root, while Fyne goes through the window
	fonts int                 // so many of textStyles have been read
	seen  []undressed         // what can be seen, and has the old theme still
	later []fyne.CanvasObject // what cannot be seen, and has the old theme still
	busy  bool                // goOn is going to be called
}

// undressed is an object with the old theme: where it begins, and the edges between which it can be seen.
type undressed struct {
	object         fyne.CanvasObject
	y, top, bottom float32
}

// restylePatience is for how long things are brought another theme before the window gets its turn.
const restylePatience = 4 * time.Millisecond

// textStyles are the fonts of a window, which Fyne reads anew with another theme. Each takes long.
var textStyles = [...]fyne.TextStyle{{}, {Bold: true}, {Monospace: true}, {Monospace: true, Bold: true}}

// NewRestyler gives a restyler of all that is on a root, the content of a window. What is done later is done by do, on the goroutine
// of the window.
func NewRestyler(root *fyne.Container, do func(func())) *Restyler {
	return &Restyler{root: root, do: do}
}

// Before must be called before Fyne brings another theme to the window, and After after it has.
func (r *Restyler) Before() {
	if len(r.root.Objects) > 0 {
		r.away, r.root.Objects = r.root.Objects, nil
	}
}

// After brings the theme to what can be seen, as soon as the window has done what waits, and then to the rest.
func (r *Restyler) After() {
	if r.away == nil {
		return
	}
	r.root.Objects, r.away = r.away, nil
	r.fonts, r.later = 0, nil
	r.readFont() // with more of them, the next frame would take too long, or this call
	r.readFont()
	r.seen = []undressed{r.whole()}
	if !r.busy {
		r.busy = true
		r.do(r.goOn)
	}
}

func (r *Restyler) whole() undressed {
	return undressed{r.root, 0, 0, r.root.Size().Height}
}

// Shown must be called after something else is shown: what has the old theme still and can be seen now does not wait for its turn.
func (r *Restyler) Shown() {
	if len(r.seen) == 0 && len(r.later) == 0 {
		return
	}
	r.seen, r.later = []undressed{r.whole()}, nil
	for len(r.seen) > 0 {
		r.dress()
	}
	Repaint(r.root)
}

// dress brings the theme to the next thing that can be seen.
func (r *Restyler) dress() {
	last := len(r.seen) - 1
	next := r.seen[last]
	r.seen = r.seen[:last]
	object, top, bottom := next.object, next.top, next.bottom
	y := next.y + object.Position().Y
	if !object.Visible() || y+object.Size().Height <= top || y >= bottom {
		r.later = append(r.later, object)
		return
	}
	if _, ok := object.(*container.Scroll); ok {
		top, bottom = max(top, y), min(bottom, y+object.Size().Height)
	}
	for _, part := range restyle(object) {
		r.seen = append(r.seen, undressed{part, y, top, bottom})
	}
}

// readFont has Fyne read the next font.
func (r *Restyler) readFont() {
	fyne.MeasureText("a", 14, textStyles[r.fonts])
	r.fonts++
}

// goOn brings the theme to some of what has not got it.
func (r *Restyler) goOn() {
	r.busy = false
	if r.fonts < len(textStyles) {
		r.readFont()
	} else {
		for end := time.Now().Add(restylePatience); len(r.seen)+len(r.later) > 0 && time.Now().Before(end); {
			if len(r.seen) > 0 {
				if r.dress(); len(r.seen) == 0 {
					Repaint(r.root) // no look has other sizes
				}
				continue
			}
			last := len(r.later) - 1
			object := r.later[last]
			r.later = append(r.later[:last], restyle(object)...)
		}
	}
	if len(r.seen)+len(r.later) > 0 {
		r.busy = true
		r.do(r.goOn)
	}
}

// Composed is a widget with icons or rows in it, which its Refresh leaves as they are.
type Composed interface{ Parts() []fyne.CanvasObject }

// restyle has an object take its looks from the theme, and gives what is in it and has not done so.
func restyle(object fyne.CanvasObject) []fyne.CanvasObject {
	switch o := object.(type) {
	case *fyne.Container:
		return o.Objects
	case interface{ restyle() []fyne.CanvasObject }:
		return o.restyle()
	case *Split:
		return []fyne.CanvasObject{o.lead, o.trail, o.divider}
	case *Page:
		return []fyne.CanvasObject{o.scroll}
	case *container.Scroll:
		nudge(o)
		return []fyne.CanvasObject{o.Content}
	case *widget.Icon:
		picture := o.Resource // another one is drawn, the same is not
		o.SetResource(nil)
		o.SetResource(picture)
		return nil
	case *Select: // its arrow is an icon too
		if o.Disabled() {
			o.Enable()
			o.Disable()
		} else {
			o.Disable()
			o.Enable()
		}
		return nil
	}
	object.Refresh()
	if o, ok := object.(Composed); ok {
		return o.Parts()
	}
	return nil
}

// nudge has a scroll look at itself anew. Its Refresh would draw all of its content anew too.
func nudge(scroll *container.Scroll) {
	offset := scroll.Offset
	scroll.Offset.Y++ // to an offset that it has already it does not go
	scroll.ScrollToOffset(offset)
}
