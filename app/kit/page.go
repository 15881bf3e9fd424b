package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Page shows content that scrolls if it is too high. Texts that wrap get the height that they need at the width of the
// page. Call Arrange after a text has changed.
type Page struct {
	widget.BaseWidget

	// OnFocus is called when a control on the page gets or loses the focus; it may be nil.
	OnFocus func(focused bool)

	// Most is the greatest height that the page asks for. A lower page asks for the height of its content. If Most is 0,
	// the page does not ask for the height of its content, and the layout around it decides.
	Most float32

	content fyne.CanvasObject
	scroll  *container.Scroll
	long    *Long // the Long on the page, or nil
	busy    bool  // Arrange is running
}

// NewPage returns a page with a content.
func NewPage(content fyne.CanvasObject) *Page {
	p := &Page{content: content}
	// The content gets the height that it needs at the width of the scroll.
	p.scroll = container.NewVScroll(Arranged(content.MinSize, func(size fyne.Size) {
		Settle(content, size.Width)
	}, content))
	p.scroll.OnScrolled = func(fyne.Position) { p.scrolled() }
	p.ExtendBaseWidget(p)
	return p
}

// Arrange lays out the page again after a change of height.
func (p *Page) Arrange() {
	width := p.scroll.Size().Width
	if width <= 0 || p.busy {
		return
	}
	p.busy = true
	defer func() { p.busy = false }()
	p.adopt(p.content)
	height := Settle(p.content, width)
	for range 3 { // each round may make something higher
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
	Repaint(p) // Fyne does not draw an object again when only its place or size changes
}

// scrolled is called when the page has scrolled. It shows the items of a Long that are visible now.
func (p *Page) scrolled() {
	if p.busy || p.long == nil {
		return
	}
	if p.look() {
		p.Arrange()
	}
	Repaint(p)
}

// follow tells the scroll that the height of its content has changed. Refreshing the scroll would also draw all of the
// content again.
func (p *Page) follow() {
	offset := p.scroll.Offset
	p.scroll.Offset.Y++ // ScrollToOffset does nothing if the offset is the same
	p.scroll.ScrollToOffset(offset)
}

// Wheel scrolls the page like the mouse wheel. Objects on the page that get the turns of the wheel themselves can pass
// them to Wheel.
func (p *Page) Wheel(event *fyne.ScrollEvent) { p.scroll.Scrolled(event) }

// ScrollToTop scrolls to the top of the page.
func (p *Page) ScrollToTop() { p.Scroll(0) }

// Scrolled returns how far the page is scrolled, in pixels.
func (p *Page) Scrolled() float32 { return p.scroll.Offset.Y }

// Scroll scrolls to a place, in pixels from the top.
func (p *Page) Scroll(y float32) {
	p.scroll.ScrollToOffset(fyne.NewPos(0, y))
	p.scrolled()
}

// Reveal scrolls until an object on the page is visible.
func (p *Page) Reveal(object fyne.CanvasObject) {
	// Scrolling makes items of a Long. They may have other heights than expected, so repeat.
	for range 8 {
		if !p.approach(object) || p.long == nil {
			return
		}
	}
}

// approach scrolls to the expected place of an object, and reports whether it has scrolled.
func (p *Page) approach(object fyne.CanvasObject) bool {
	top := p.top(object)
	bottom := top + object.Size().Height
	offset := p.scroll.Offset
	view := p.scroll.Size().Height
	const around = 24
	switch {
	case bottom-top+2*around > view:
		// If the object is higher than the page, a visible part is enough, since the user may have just clicked it.
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
	p.Scroll(offset.Y)
	return true
}

// ScrollTo scrolls until an object is at the top of the page, if the page is long enough.
func (p *Page) ScrollTo(object fyne.CanvasObject) {
	p.Scroll(max(0, p.top(object)-12))
}

// top returns how far an object is below the top of the content. Fyne knows this only for objects that were drawn, so
// top first searches for the object itself.
func (p *Page) top(object fyne.CanvasObject) float32 {
	if y, ok := inside(p.scroll.Content, object); ok {
		return y
	}
	driver := fyne.CurrentApp().Driver()
	return driver.AbsolutePositionForObject(object).Y - driver.AbsolutePositionForObject(p.scroll.Content).Y
}

// inside searches for an object in the containers and boxes of around. It returns how far the object is below the top
// of around.
func inside(around, object fyne.CanvasObject) (y float32, ok bool) {
	if around == object {
		return 0, true
	}
	for _, part := range partsOf(around) {
		if y, ok := inside(part, object); ok {
			return part.Position().Y + y, true
		}
	}
	return 0, false
}

// Parts implements [Composed].
func (p *Page) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{p.scroll} }

// CreateRenderer implements [fyne.Widget].
func (p *Page) CreateRenderer() fyne.WidgetRenderer {
	least := func() fyne.Size {
		if p.Most > 0 {
			return fyne.NewSize(0, min(p.content.MinSize().Height, p.Most))
		}
		return p.scroll.MinSize()
	}
	place := func(size fyne.Size) {
		p.scroll.Resize(size)
		p.Arrange()
	}
	return NewDrawing(p, least, place, nil, p.scroll)
}
