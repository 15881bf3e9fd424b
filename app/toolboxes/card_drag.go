package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// cardDrag is the drag of a server to a place among the cards of a toolbox. The server is dragged by its card or by
// its row in the tree.
type cardDrag struct {
	screen *Screen
	page   *page
	line   *canvas.Rectangle // shows where the server would go
	name   *ghost            // the name next to the pointer

	held, on bool // held: the mouse button is down on a card; on: the pointer has moved far enough for a drag
	what     model.Choice
	start    fyne.Position // where the pointer was at first, in the scrolled content
	landing  Landing
}

func newCardDrag(screen *Screen, page *page) *cardDrag {
	d := &cardDrag{screen: screen, page: page, line: canvas.NewRectangle(nil), name: newGhost()}
	d.line.CornerRadius = 1
	d.line.Hide()
	d.name.root.Hide()
	return d
}

// move handles a move of the pointer from before to at. Both are positions in the scrolled content.
func (d *cardDrag) move(what model.Choice, at, before fyne.Position) {
	if !d.held {
		d.held, d.what, d.start = true, what, before
	}
	if d.on = d.on || farFrom(d.start, at); d.on {
		d.over(what, at)
	}
}

// over computes and shows where a server would go if it were dropped at a position in the scrolled content.
func (d *cardDrag) over(what model.Choice, at fyne.Position) {
	d.scrollAtEdge(at.Y)
	d.landing = d.page.land(what, at.Y)
	cards := d.page.cards
	last := d.landing.To.Server == ""
	top := cards.Size().Height + cardGap
	if !last {
		top, _ = cards.Place(d.landing.Line)
	}
	d.line.FillColor = cards.Theme().Color(theme.ColorAccent, fyne.CurrentApp().Settings().ThemeVariant())
	d.line.Move(fyne.NewPos(0, max(0, top-cardGap/2-1)))
	d.line.Resize(fyne.NewSize(cards.Size().Width, 2))
	d.page.zone.setAimed(last && what.Toolbox != d.page.toolbox.Name)
	kit.SetVisible(d.line, !d.landing.Nothing)
	d.line.Refresh()
	d.name.show(what, copies(what))
	d.name.root.Show()
	d.name.follow(at, cards.Size().Width)
}

// leave hides everything that shows the drag.
func (d *cardDrag) leave() {
	d.line.Hide()
	d.name.root.Hide()
	d.page.zone.setAimed(false)
}

// scrollAtEdge scrolls by one step if the pointer is near the upper or lower edge of the visible part. y is its height
// in the scrolled content.
func (d *cardDrag) scrollAtEdge(y float32) {
	scroll := d.page.scroll
	most := max(0, d.page.body.MinSize().Height-scroll.Size().Height)
	speed := autoScroll(y-scroll.Offset.Y, scroll.Size().Height)
	if offset := min(max(0, scroll.Offset.Y+speed/60), most); speed != 0 && offset != scroll.Offset.Y {
		scroll.ScrollToOffset(fyne.NewPos(0, offset))
		d.page.see()
	}
}

// end drops the server and reports whether it was dragged. A click with an unsteady hand is not a drag.
func (d *cardDrag) end() bool {
	was := *d
	d.held, d.on = false, false
	d.leave()
	if was.on && !was.landing.Nothing {
		d.screen.dropped(was.what, was.landing, copies(was.what))
	}
	return was.on
}

// land returns where a server goes if it is dropped at the height y of the scrolled content: before the first card
// whose center is below y, or after the last card.
func (p *page) land(what model.Choice, y float32) Landing {
	next := 0
	for ; next < len(p.toolbox.Servers); next++ {
		if top, bottom := p.cards.Place(next); (top+bottom)/2 > y {
			break
		}
	}
	landing := Landing{To: model.Choice{Toolbox: p.toolbox.Name}, Line: next, Into: noRow}
	if next < len(p.toolbox.Servers) {
		landing.To.Server = p.toolbox.Servers[next].Name
	}
	for i, server := range p.toolbox.Servers {
		if server.Name == what.Server && p.toolbox.Name == what.Toolbox {
			landing.Nothing = next == i || next == i+1
		}
	}
	return landing
}
