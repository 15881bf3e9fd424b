package activity

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// callRow is a row of the table. Rows are reused for other calls, so show sets everything that a row displays.
type callRow struct {
	widget.BaseWidget
	columns []column
	ground  *canvas.Rectangle
	line    *canvas.Rectangle
	cells   []callCell
	missed  *kit.Text // shown instead of the cells in a row that reports missed calls
	look    rowLook
}

// callCell has the widgets of a cell.
type callCell struct {
	mark       *widget.Icon
	lead, text *kit.Text
}

// rowLook is the part of a row's look that does not depend on its call.
type rowLook struct{ selected, focused, hovered bool }

func newCallRow(columns []column) *callRow {
	muted := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}
	r := &callRow{columns: columns, ground: canvas.NewRectangle(nil), line: canvas.NewRectangle(nil),
		missed: kit.NewText("", muted)}
	for range columns {
		r.cells = append(r.cells, callCell{widget.NewIcon(nil), kit.NewText("", muted), kit.NewText("", muted)})
	}
	r.ExtendBaseWidget(r)
	return r
}

// show draws an entry in the row, with times relative to now.
func (r *callRow) show(e entry, look rowLook, now time.Time) {
	r.look = look
	kit.SetVisible(r.missed, !e.isCall())
	if !e.isCall() {
		r.missed.Set(missedWords(e.missed))
	} else {
		for i, c := range r.columns {
			shown, parts := c.cell(e.Call, now), r.cells[i]
			if shown.mark {
				parts.mark.SetResource(shown.state.Icon())
			}
			style := kit.TextStyle{Size: shown.size, Color: shown.color, Shrinks: true}
			if c.right {
				style.Align = fyne.TextAlignTrailing
			}
			parts.lead.Set(shown.lead)
			parts.text.SetStyle(shown.text, style)
		}
	}
	r.Refresh()
}

// CreateRenderer implements [fyne.Widget].
func (r *callRow) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewSketch(r, func() fyne.Size {
		return fyne.NewSize(0, rowHeight)
	}, func(objects []fyne.CanvasObject) []fyne.CanvasObject {
		r.paint()
		r.place(r.Size())
		objects = append(objects, r.line, r.ground, r.missed)
		for _, parts := range r.cells {
			objects = append(objects, parts.mark, parts.lead, parts.text)
		}
		return objects
	})
}

const (
	markSize    = 14
	leadAtLeast = 28 // the least width of the leading text; with less room it is hidden
)

// place lays out the parts.
func (r *callRow) place(size fyne.Size) {
	r.line.Move(fyne.NewPos(rowPad, size.Height-1))
	r.line.Resize(fyne.NewSize(max(0, size.Width-2*rowPad), 1))
	r.ground.Move(fyne.NewPos(2, 1))
	r.ground.Resize(fyne.NewSize(max(0, size.Width-4), size.Height-3))
	places := arrange(r.columns, size.Width)
	put := func(object fyne.CanvasObject, left, width float32) {
		kit.SetVisible(object, width > 0)
		object.Move(fyne.NewPos(left, 0))
		object.Resize(fyne.NewSize(max(0, width), size.Height))
	}
	if !r.missed.Visible() {
		for i, at := range places {
			r.cells[i].layout(at, size.Height, put)
		}
		return
	}
	for _, parts := range r.cells {
		parts.mark.Hide()
		parts.lead.Hide()
		parts.text.Hide()
	}
	from := places[0].left + places[0].width + columnGap // between the first and the last column
	put(r.missed, from, places[len(places)-1].left-columnGap-from)
}

// layout places the parts of a cell. If there is too little room, the leading text is cut first.
func (c callCell) layout(at place, height float32, put func(object fyne.CanvasObject, left, width float32)) {
	kit.SetVisible(c.mark, c.mark.Resource != nil && at.width > 0)
	if c.mark.Visible() {
		c.mark.Move(fyne.NewPos(at.left, (height-markSize)/2))
		c.mark.Resize(fyne.NewSquareSize(markSize))
		at.left, at.width = at.left+markSize+kit.Gap, at.width-markSize-kit.Gap
	}
	lead := min(c.lead.Full().Width, at.width-kit.GapTight-min(c.text.Full().Width, at.width))
	if c.lead.Text() == "" || lead < leadAtLeast {
		put(c.lead, at.left, 0)
		put(c.text, at.left, at.width)
		return
	}
	put(c.lead, at.left, lead)
	put(c.text, at.left+lead+kit.GapTight, at.width-lead-kit.GapTight)
}

// paint colours the parts.
func (r *callRow) paint() {
	look, variant := r.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	r.line.FillColor = look.Color(theme.ColorLine, variant)
	r.ground.CornerRadius = look.Size(theme.SizeFieldRadius)
	r.ground.StrokeWidth = 0
	kit.SetVisible(r.ground, r.look.selected || r.look.hovered)
	r.ground.FillColor = look.Color(base.ColorNameHover, variant)
	if r.look.selected {
		r.ground.FillColor = look.Color(theme.ColorTint, variant)
		if r.look.focused {
			r.ground.StrokeColor, r.ground.StrokeWidth = look.Color(theme.ColorAccent, variant), 1.5
		}
	}
}
