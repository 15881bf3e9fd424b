package toolboxes

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// page is the right side while it shows one toolbox: what it is and who can use it, a card for each of its servers,
// and at the end what few people change. All of it scrolls, so that a small window has room for the cards.
type page struct {
	root     *container.Scroll
	body     *fyne.Container // the content of root
	head     *header
	cards    *kit.Rows
	zone     *dropZone
	advanced *advanced

	toolbox Toolbox // what to show; follow sets it before it is shown
	marked  string  // the server selected in the tree
	shown   string  // the name of the toolbox last shown
}

func newPage(screen *Screen) *page {
	p := &page{head: newHeader(screen), zone: newDropZone(screen.Paste), advanced: newAdvanced(screen)}
	heights := newCardHeights(screen)
	p.cards = kit.NewRows(cardHeight, cardGap, kit.RowSource{
		Height: func(row int) float32 { return heights.of(p.toolbox.Servers[row], p.width()) },
		Length: func() int { return len(p.toolbox.Servers) },
		Key:    func(row int) any { return p.choice(row) },
		Create: func() fyne.CanvasObject { return newCard(screen) },
		Fill: func(row int, object fyne.CanvasObject) {
			server := p.toolbox.Servers[row]
			server.Tools = nil
			object.(*card).show(cardLook{choice: p.choice(row), server: server, marked: server.Name == p.marked})
		},
	})
	p.body = kit.Arranged(p.least, p.place, p.head.root, p.cards, p.zone, p.advanced.root)
	p.root = container.NewVScroll(p.body)
	p.root.OnScrolled = func(fyne.Position) { p.see() }
	h, a := p.head, p.advanced
	p.follows(h.root, &h.name.Pencil.OnFocus, &h.description.Pencil.OnFocus, &h.share.OnFocus, &h.more.OnFocus,
		&h.askFirst.OnFocus)
	p.follows(p.zone, &p.zone.OnFocus)
	p.follows(a.root, &a.fold.OnFocus, &a.alwaysOpen.OnFocus, &a.apps.OnFocus)
	return p
}

func (p *page) choice(row int) model.Choice {
	return model.Choice{Toolbox: p.toolbox.Name, Server: p.toolbox.Servers[row].Name}
}

// follow stores what to show next, but does not show it yet.
func (p *page) follow(toolbox Toolbox, marked string) { p.toolbox, p.marked = toolbox, marked }

// show shows a toolbox. marked is the server selected in the tree, or empty. With reveal the page scrolls to its card.
func (p *page) show(toolbox Toolbox, marked string, reveal bool) {
	another := toolbox.Name != p.shown
	p.follow(toolbox, marked)
	p.shown = toolbox.Name
	p.head.show(toolbox)
	p.advanced.show(toolbox)
	p.zone.setEmpty(len(toolbox.Servers) == 0)
	p.cards.Refresh()
	p.arrange()
	if another {
		p.root.ScrollToTop()
	}
	if reveal {
		p.reveal(marked)
	}
	p.see()
}

// arrange lays the page out again after the height of a part has changed.
func (p *page) arrange() {
	p.root.Refresh()
	kit.Relayout(p.body)
}

// follows makes the page scroll to a part when one of its controls gets the focus.
func (p *page) follows(part fyne.CanvasObject, controls ...*func(focused bool)) {
	for _, onFocus := range controls {
		*onFocus = func(focused bool) {
			if !focused {
				return
			}
			top, offset, height := part.Position().Y, p.root.Offset.Y, p.root.Size().Height
			if bottom := top + part.Size().Height; bottom > offset+height {
				offset = bottom + kit.GapEdge - height
			}
			p.root.ScrollToOffset(fyne.NewPos(0, max(0, min(offset, top-kit.GapBlock))))
			p.see()
		}
	}
}

// see tells the cards which part of them is visible.
func (p *page) see() { p.cards.SeeIn(p.root) }

// reveal scrolls until the card of a server is visible.
func (p *page) reveal(server string) {
	row := slices.IndexFunc(p.toolbox.Servers, func(s Server) bool { return s.Name == server })
	if server != "" && row >= 0 {
		p.cards.Reveal(p.root, row, 0)
	}
}

// pageWidth returns the width of the content on a page of the given width.
func pageWidth(width float32) float32 { return min(kit.WidthPage, width-2*kit.GapEdge) }

// parts are the parts of the page from top to bottom, each with the space above it.
func (p *page) parts() []part {
	cards := part{p.cards, kit.GapBlock, p.cards.MinSize().Height}
	if cards.height == 0 {
		cards.above = 0
	}
	width := p.width()
	parts := []part{{p.head.root, kit.GapBlock, kit.Settle(p.head.root, width)}, cards,
		{p.zone, cardGap, p.zone.height()}}
	if p.advanced.root.Visible() {
		parts = append(parts, part{p.advanced.root, kit.GapBlock, kit.Settle(p.advanced.root, width)})
	}
	return parts
}

type part struct {
	object        fyne.CanvasObject
	above, height float32
}

// least returns the smallest size of the page.
func (p *page) least() fyne.Size {
	height := float32(kit.GapEdge)
	for _, part := range p.parts() {
		height += part.above + part.height
	}
	return fyne.NewSize(0, height)
}

// width returns the width of the content.
func (p *page) width() float32 { return max(0, pageWidth(p.body.Size().Width)) }

// place lays out the page.
func (p *page) place(fyne.Size) {
	p.cards.Measure()
	width, top := p.width(), float32(0)
	for _, part := range p.parts() {
		top += part.above
		part.object.Move(fyne.NewPos(kit.GapEdge, top))
		part.object.Resize(fyne.NewSize(width, part.height))
		top += part.height
	}
	p.see()
}
