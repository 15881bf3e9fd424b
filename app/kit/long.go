package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Long is a column of many things of any height on a Page. Each is made when it comes near to what can be seen, and is hidden
// while it is not: Fyne asks everything that is not hidden for its size before every frame. What has not been made yet is taken to
// be as high as what has been.
type Long struct {
	Root *fyne.Container

	create  func(i int) fyne.CanvasObject
	gap     float32
	guess   float32 // the height of what has not been made, until something has
	items   []longItem
	made    int
	heights float32 // of those, together
	width   float32
}

type longItem struct {
	object  fyne.CanvasObject // nil: not made yet
	curtain *Curtain
	height  float32
}

// NewLong returns a column of so many things, gap apart, each of which create makes. Their height is guessed at first. It shows
// nothing until it is the [Page.SetLong] of a page.
func NewLong(gap, guess float32, count int, create func(i int) fyne.CanvasObject) *Long {
	l := &Long{create: create, gap: gap, guess: guess, items: make([]longItem, count)}
	l.Root = container.New(longLayout{l})
	return l
}

// Make makes the thing at a place, if it has not been made.
func (l *Long) Make(i int) {
	item := &l.items[i]
	if item.object != nil {
		return
	}
	item.object = l.create(i)
	item.object.Hide()
	item.curtain = NewCurtain(item.object)
	l.made++
	l.heights += item.height
	l.Root.Objects = make([]fyne.CanvasObject, 0, l.made)
	for _, item := range l.items {
		if item.object != nil { // in their order, which is that of the Tab key
			l.Root.Objects = append(l.Root.Objects, item.object)
		}
	}
	l.measure(item)
}

// measure gives a thing that has been made the column's width, and takes up the height that it has to have then.
func (l *Long) measure(item *longItem) {
	height := item.object.MinSize().Height
	if l.width > 0 {
		height = Settle(item.object, l.width)
	}
	l.heights += height - item.height
	item.height = height
}

// heightOf is the height of a thing, as far as it is known.
func (l *Long) heightOf(item *longItem) float32 {
	switch {
	case item.object == nil && l.made > 0:
		return l.heights / float32(l.made)
	case item.object == nil:
		return l.guess
	}
	return item.height
}

// ahead is how much above and below what can be seen is made too, so that the Tab key finds what is next.
const ahead = 200

// see makes and shows what lies between two edges, counted from the top of the column, and hides the rest. It reports whether the
// column has another height now.
func (l *Long) see(top, bottom float32, focused fyne.Focusable) bool {
	before := l.height()
	holder, _ := focused.(fyne.CanvasObject)
	y := float32(0)
	for i := range l.items {
		item := &l.items[i]
		height := l.heightOf(item)
		seen := y+height >= top-ahead && y <= bottom+ahead
		if seen {
			l.Make(i)
			item.curtain.Set(true)
			l.measure(item)
		} else if item.object != nil && item.object.Visible() {
			_, holds := inside(item.object, holder)
			item.curtain.Set(holder != nil && holds)
		}
		y += l.heightOf(item) + l.gap
	}
	l.place()
	return l.height() != before
}

func (l *Long) height() float32 {
	height := float32(0)
	for i := range l.items {
		height += l.heightOf(&l.items[i]) + l.gap
	}
	return max(0, height-l.gap)
}

// place brings everything to its place.
func (l *Long) place() {
	y := float32(0)
	for i := range l.items {
		item := &l.items[i]
		if item.object != nil {
			item.object.Move(fyne.NewPos(0, y))
			item.object.Resize(fyne.NewSize(l.width, item.height))
		}
		y += l.heightOf(item) + l.gap
	}
}

type longLayout struct{ long *Long }

func (r longLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for i := range r.long.items {
		if item := &r.long.items[i]; item.object != nil && item.object.Visible() {
			least := item.object.MinSize()
			size.Width = max(size.Width, least.Width)
			r.long.heights += least.Height - item.height
			item.height = least.Height
		}
	}
	size.Height = r.long.height()
	return size
}

func (r longLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	r.long.width = size.Width
	for i := range r.long.items {
		if item := &r.long.items[i]; item.object != nil && item.object.Visible() {
			r.long.measure(item)
		}
	}
	r.long.place()
}

// SetLong says which of the things on the page is a [Long]; nil: none.
func (p *Page) SetLong(long *Long) { p.long = long }

// look has the Long make what can be seen now, and reports whether that has changed its height.
func (p *Page) look() bool {
	if p.long == nil {
		return false
	}
	top, ok := inside(p.scroll.Content, p.long.Root)
	if !ok {
		return false // it is not on the page yet
	}
	var focused fyne.Focusable
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(p); canvas != nil {
		focused = canvas.Focused()
	}
	from := p.scroll.Offset.Y - top
	return p.long.see(from, from+p.scroll.Size().Height, focused)
}
