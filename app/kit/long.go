package kit

import (
	"fyne.io/fyne/v2"
)

// Long is a column of many items of different heights on a [Page]. An item is made when it comes near the visible
// part. It is hidden while it is far away, because Fyne asks every object that is not hidden for its size before each
// frame. An item that is not made yet counts with the average height of those that are.
type Long struct {
	Root *fyne.Container // the object to show

	create  func(i int) fyne.CanvasObject
	gap     float32
	guess   float32 // the height that counts for each item before any was made
	items   []longItem
	made    int     // how many items are made
	heights float32 // the sum of the heights of the made items
	width   float32 // of the column; 0 before the first layout
}

type longItem struct {
	object  fyne.CanvasObject // nil if not made yet
	curtain *Curtain          // shows and hides object
	height  float32           // as last measured
}

// NewLong returns a column of count items with gap between them. create makes an item. guess is the expected height of
// an item. The column shows nothing until it is passed to [Page.SetLong].
func NewLong(gap, guess float32, count int, create func(i int) fyne.CanvasObject) *Long {
	l := &Long{create: create, gap: gap, guess: guess, items: make([]longItem, count)}
	l.Root = Arranged(l.least, l.layout)
	return l
}

// Make makes an item, if it was not made yet.
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
		if item.object != nil { // in order, because that is the order of the Tab key
			l.Root.Objects = append(l.Root.Objects, item.object)
		}
	}
	l.measure(item)
}

// measure gives an item the width of the column and stores its height.
func (l *Long) measure(item *longItem) {
	height := item.object.MinSize().Height
	if l.width > 0 {
		height = Settle(item.object, l.width)
	}
	l.heights += height - item.height
	item.height = height
}

// heightOf returns the height of an item, or an estimate.
func (l *Long) heightOf(item *longItem) float32 {
	switch {
	case item.object == nil && l.made > 0:
		return l.heights / float32(l.made)
	case item.object == nil:
		return l.guess
	}
	return item.height
}

// ahead is the distance above and below the visible part, in pixels, within which items are made too. So the Tab key
// finds the next item.
const ahead = 200

// see makes and shows the items between top and bottom, in pixels from the top of the column, and those near them. It
// hides the others, except the one that contains the focus. It reports whether the height of the column has changed.
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

// place places all items.
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

func (l *Long) least() fyne.Size {
	size := fyne.NewSize(0, 0)
	for i := range l.items {
		if item := &l.items[i]; item.object != nil && item.object.Visible() {
			least := item.object.MinSize()
			size.Width = max(size.Width, least.Width)
			l.heights += least.Height - item.height
			item.height = least.Height
		}
	}
	size.Height = l.height()
	return size
}

func (l *Long) layout(size fyne.Size) {
	l.width = size.Width
	for i := range l.items {
		if item := &l.items[i]; item.object != nil && item.object.Visible() {
			l.measure(item)
		}
	}
	l.place()
}

// SetLong sets the [Long] that is on the page; it may be nil.
func (p *Page) SetLong(long *Long) { p.long = long }

// look makes the page's Long show the items that are visible now, and reports whether the height of the Long has
// changed.
func (p *Page) look() bool {
	if p.long == nil {
		return false
	}
	top, ok := inside(p.scroll.Content, p.long.Root)
	if !ok {
		return false // the Long is not on the page yet
	}
	var focused fyne.Focusable
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(p); canvas != nil {
		focused = canvas.Focused()
	}
	from := p.scroll.Offset.Y - top
	return p.long.see(from, from+p.scroll.Size().Height, focused)
}
