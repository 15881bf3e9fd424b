package serverlog

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// pane is the scrolled list of lines. It draws only the visible rows. When it has the focus, the arrow keys select a
// line.
type pane struct {
	kit.Control
	log     *Log
	rows    *kit.Rows
	scroll  *container.Scroll
	frame   *kit.Box
	drawing bool // the list is being laid out, so the log is not told that it was scrolled
}

func newPane(log *Log) *pane {
	p := &pane{log: log}
	p.rows = kit.NewRows(rowHeight, 0, kit.RowSource{
		Length: log.list.rows,
		Key:    func(row int) any { return log.list.at(row).number },
		Create: func() fyne.CanvasObject { return newRow() },
		Fill:   func(r int, object fyne.CanvasObject) { log.fill(r, object.(*row)) },
	})
	p.scroll = container.NewVScroll(p.rows)
	p.scroll.OnScrolled = func(fyne.Position) {
		p.seen()
		if !p.drawing {
			p.log.scrolled(p.atEnd())
		}
	}
	p.frame = kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel, Line: theme.ColorLine, Radius: theme.SizeFieldRadius},
		kit.Inset(p.scroll, kit.GapTight, kit.GapHair))
	p.OnFocus = func(focused bool) {
		if focused {
			p.frame.SetLine(theme.ColorAccent)
		} else {
			p.frame.SetLine(theme.ColorLine)
		}
	}
	p.OnState = func() {}
	p.Init(p, nil, nil)
	return p
}

// seen tells the rows which part of them is visible.
func (p *pane) seen() { p.rows.SeeIn(p.scroll) }

// atEnd reports whether the last line is visible.
func (p *pane) atEnd() bool {
	return p.scroll.Offset.Y+p.scroll.Size().Height >= float32(p.log.list.rows())*rowHeight-rowHeight/2
}

// refresh draws all rows again.
func (p *pane) refresh() {
	p.drawing = true
	p.scroll.Refresh()
	p.drawing = false
	p.seen()
	p.rows.Refresh()
}

// toEnd scrolls to the last line.
func (p *pane) toEnd() {
	p.scroll.ScrollToBottom()
	p.seen()
}

// by scrolls by a number of rows.
func (p *pane) by(rows int) {
	p.scroll.ScrollToOffset(fyne.NewPos(0, max(0, p.scroll.Offset.Y+float32(rows)*rowHeight)))
	p.seen()
	p.log.scrolled(p.atEnd())
}

// reveal scrolls until a row is visible.
func (p *pane) reveal(row int) {
	p.rows.Reveal(p.scroll, row, 2*rowHeight)
	p.log.scrolled(p.atEnd())
}

// TypedKey moves the selection. Other keys go to the window.
func (p *pane) TypedKey(event *fyne.KeyEvent) {
	last := p.log.list.rows() - 1
	if last < 0 {
		kit.PassKey(p, event)
		return
	}
	at := p.log.list.row(p.log.chosen.cursor)
	page := max(1, int(p.scroll.Size().Height/rowHeight)-1)
	switch event.Name {
	case fyne.KeyUp:
		if at < 0 {
			at = last + 1
		}
		at--
	case fyne.KeyDown:
		at++
	case fyne.KeyPageUp:
		at -= page
	case fyne.KeyPageDown:
		at += page
	case fyne.KeyHome:
		at = 0
	case fyne.KeyEnd:
		at = last
	default:
		kit.PassKey(p, event)
		return
	}
	at = min(max(at, 0), last)
	p.log.choose(p.log.list.at(at).number, kit.Modifiers()&fyne.KeyModifierShift != 0)
	p.reveal(at)
}

// TypedShortcut implements [fyne.Shortcutable].
func (p *pane) TypedShortcut(shortcut fyne.Shortcut) {
	if !p.log.shortcut(shortcut) {
		kit.PassShortcut(p, shortcut)
	}
}

// Cursor implements [desktop.Cursorable].
func (p *pane) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// Parts returns the parts for [kit.ScrollByKey].
func (p *pane) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{p.frame} }

// CreateRenderer implements [fyne.Widget].
func (p *pane) CreateRenderer() fyne.WidgetRenderer {
	place := func(size fyne.Size) {
		end := p.atEnd()
		p.drawing = true
		p.frame.Resize(size)
		if end {
			p.scroll.ScrollToBottom()
		}
		p.drawing = false
		p.seen()
	}
	return kit.NewDrawing(p, func() fyne.Size { return fyne.NewSize(220, 5*rowHeight) }, place, nil, p.frame)
}
