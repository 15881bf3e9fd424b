package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Page is a column of things that is scrolled when it is too high. Texts in it that wrap have the height that they need at
// the page's width, also right after one of them has changed.
type Page struct {
	widget.BaseWidget

	// OnFocus is called when the keyboard comes to a control on the page or leaves it; it may be nil.
	OnFocus func(focused bool)

	content fyne.CanvasObject
	scroll  *container.Scroll
	long    *Long // that is on it, or nil
	busy    bool  // arranging
}

// NewPage returns a page of a content.
func NewPage(content fyne.CanvasObject) *Page {
	p := &Page{content: content}
	// The scroll must not have the content's width as its least.
	p.scroll = container.NewVScroll(container.New(pageLayout{}, content))
	p.scroll.OnScrolled = func(fyne.Position) { p.scrolled() }
	p.ExtendBaseWidget(p)
	return p
}

// pageLayout gives its object the whole width and, at that width, its height.
type pageLayout struct{}

func (pageLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

func (pageLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	Settle(objects[0], size.Width)
}

// Arrange lays the page out again, after something on it has got another height.
func (p *Page) Arrange() {
	width := p.scroll.Size().Width
	if width <= 0 || p.busy {
		return
	}
	p.busy = true
	defer func() { p.busy = false }()
	p.adopt(p.content)
	height := Settle(p.content, width)
	for range 3 { // each round may make what is in it higher
		relayout(p.content)
		grown := p.look()
		now := Settle(p.content, width)
		if now == height && !grown {
			break
		}
		height = now
	}
	p.scroll.Content.Resize(fyne.NewSize(width, max(height, p.scroll.Size().Height)))
	p.follow()
	Repaint(p) // what only has another place or size does not see to that
}

// scrolled follows another place of the page being seen.
func (p *Page) scrolled() {
	if p.busy || p.long == nil {
		return
	}
	if p.look() {
		p.Arrange()
	}
	Repaint(p)
}

// follow has the scroll see that its content has another height. Its Refresh would draw all of its content anew too.
func (p *Page) follow() {
	offset := p.scroll.Offset
	p.scroll.Offset.Y++ // to an offset that it has already it does not go
	p.scroll.ScrollToOffset(offset)
}

// Wheel scrolls as the mouse wheel over the page does, for what lies on it and would keep the turns to itself.
func (p *Page) Wheel(event *fyne.ScrollEvent) { p.scroll.Scrolled(event) }

// ScrollToTop shows the beginning of the page.
func (p *Page) ScrollToTop() { p.scrollTo(0) }

// scrollTo shows the page from a height on.
func (p *Page) scrollTo(y float32) {
	p.scroll.ScrollToOffset(fyne.NewPos(0, y))
	p.scrolled()
}

// Reveal scrolls so far that an object on the page can be seen.
func (p *Page) Reveal(object fyne.CanvasObject) {
	// What a Long makes on the way may be of another height than was guessed.
	for range 8 {
		if !p.approach(object) || p.long == nil {
			return
		}
	}
}

// approach scrolls to where an object is as far as is known, and reports whether it has.
func (p *Page) approach(object fyne.CanvasObject) bool {
	top := p.top(object)
	bottom := top + object.Size().Height
	offset := p.scroll.Offset
	view := p.scroll.Size().Height
	const around = 24
	switch {
	case bottom-top+2*around > view: // of what is higher than the page, some is enough, for somebody may just have clicked on it
		if bottom > offset.Y && top < offset.Y+view {
			return false
		}
		offset.Y = max(0, top-around)
	case top-around < offset.Y:
		offset.Y = max(0, top-around)
	case bottom+around > offset.Y+view:
		offset.Y = bottom + around - view
	default:
		return false
	}
	p.scrollTo(offset.Y)
	return true
}

// ScrollTo brings an object to the top of what can be seen, as far as the page is long enough for that.
func (p *Page) ScrollTo(object fyne.CanvasObject) {
	p.scrollTo(max(0, p.top(object)-12))
}

// top is how far below the beginning of the page an object begins. Fyne knows that only of what has been drawn, and what was
// added just now has not.
func (p *Page) top(object fyne.CanvasObject) float32 {
	if y, ok := inside(p.scroll.Content, object); ok {
		return y
	}
	driver := fyne.CurrentApp().Driver()
	return driver.AbsolutePositionForObject(object).Y - driver.AbsolutePositionForObject(p.scroll.Content).Y
}

// inside looks for an object in the containers and boxes of another, and tells how far below the other's top it begins.
func inside(around, object fyne.CanvasObject) (y float32, ok bool) {
	if around == object {
		return 0, true
	}
	var parts []fyne.CanvasObject
	switch around := around.(type) {
	case *fyne.Container:
		parts = around.Objects
	case *Box:
		if around.content != nil {
			parts = []fyne.CanvasObject{around.content}
		}
	}
	for _, part := range parts {
		if y, ok := inside(part, object); ok {
			return part.Position().Y + y, true
		}
	}
	return 0, false
}

// CreateRenderer is for Fyne.
func (p *Page) CreateRenderer() fyne.WidgetRenderer { return &pageRenderer{p} }

type pageRenderer struct{ page *Page }

func (r *pageRenderer) Destroy()                     {}
func (r *pageRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.page.scroll} }
func (r *pageRenderer) MinSize() fyne.Size           { return r.page.scroll.MinSize() }

func (r *pageRenderer) Layout(size fyne.Size) {
	r.page.scroll.Resize(size)
	r.page.Arrange()
}

func (r *pageRenderer) Refresh() {
	r.page.scroll.Refresh()
	r.page.Arrange()
}
