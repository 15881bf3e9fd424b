package activity

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// table is the list of calls with a header. Only visible rows have widgets.
type table struct {
	root   fyne.CanvasObject
	scroll *container.Scroll
	body   *tableBody
}

// newTable returns an empty table. It calls chosen when the selection changes: with the call, or with nil if none is
// selected.
func newTable(kept *model.OpenedCalls, chosen func(*model.Call)) *table {
	columns := inTable()
	t := &table{body: newTableBody(columns, kept, chosen)}
	t.scroll = container.NewVScroll(t.body)
	t.scroll.OnScrolled = func(fyne.Position) { t.body.see() }
	t.body.scroll = t.scroll
	t.root = kit.Column(0, newTableHead(columns), kit.Rest(t.scroll))
	return t
}

// noRow stands for "no row" where a row number is expected. It is also what [slices.IndexFunc] returns.
const noRow = -1

// tableBody is the scrolled content of the table.
type tableBody struct {
	kit.Control
	scroll *container.Scroll
	rows   *kit.Rows
	chosen func(*model.Call)

	entries []entry
	now     time.Time
	kept    *model.OpenedCalls // has the selected call
	hover   int
}

func newTableBody(columns []column, kept *model.OpenedCalls, chosen func(*model.Call)) *tableBody {
	b := &tableBody{chosen: chosen, kept: kept, hover: noRow}
	b.rows = kit.NewRows(rowHeight, 0, kit.RowSource{
		Length: func() int { return len(b.entries) },
		Key:    func(row int) any { return b.entries[row].entryKey() },
		Create: func() fyne.CanvasObject { return newCallRow(columns) },
		Fill:   func(row int, object fyne.CanvasObject) { object.(*callRow).show(b.entries[row], b.look(row), b.now) },
	})
	b.Init(b, nil, nil)
	return b
}

func (b *tableBody) look(row int) rowLook {
	selected := b.kept.Call != nil && b.entries[row].isCall() && b.entries[row].Key() == *b.kept.Call
	return rowLook{selected: selected, focused: selected && b.Focused(), hovered: row == b.hover}
}

// show shows entries. When the table is not scrolled to the top, the visible rows stay where they are.
func (b *tableBody) show(entries []entry, now time.Time) {
	anchor, above := b.anchor()
	b.entries, b.now = entries, now
	if b.hover >= len(entries) {
		b.hover = noRow
	}
	b.rows.Refresh()
	b.scroll.Refresh() // lays the body out again, because its height may have changed
	if anchor != nil {
		if row := slices.IndexFunc(entries, func(e entry) bool { return e.entryKey() == *anchor }); row != noRow {
			b.scrollTo(float32(row)*rowHeight + above)
		}
	}
	b.see()
}

// anchor returns the topmost visible row, and how many pixels of it are hidden; nil when the table is scrolled to the
// top.
func (b *tableBody) anchor() (*entryKey, float32) {
	offset := b.scroll.Offset.Y
	row := int(offset / rowHeight)
	if offset <= 0 || row >= len(b.entries) {
		return nil, 0
	}
	k := b.entries[row].entryKey()
	return &k, offset - float32(row)*rowHeight
}

// tick updates the times of running calls.
func (b *tableBody) tick(now time.Time) {
	b.now = now
	b.rows.Refresh()
}

func (b *tableBody) rowOf(k model.CallKey) int {
	return slices.IndexFunc(b.entries, func(e entry) bool { return e.isCall() && e.Key() == k })
}

// see tells the rows which part of them is visible.
func (b *tableBody) see() { b.rows.SeeIn(b.scroll) }

func (b *tableBody) scrollTo(y float32) {
	y = max(0, min(y, float32(len(b.entries))*rowHeight-b.scroll.Size().Height))
	if y != b.scroll.Offset.Y {
		b.scroll.ScrollToOffset(fyne.NewPos(0, y))
		b.see()
	}
}

// reveal scrolls until a row is visible.
func (b *tableBody) reveal(row int) { b.rows.Reveal(b.scroll, row, 0) }

// choose selects a row, or clears the selection if row is not the row of a call.
func (b *tableBody) choose(row int) {
	before := noRow
	if b.kept.Call != nil {
		before = b.rowOf(*b.kept.Call)
	}
	if row < 0 || row >= len(b.entries) || !b.entries[row].isCall() {
		b.kept.Call = nil
		b.redraw(before)
		b.chosen(nil)
		return
	}
	k := b.entries[row].Key()
	b.kept.Call = &k
	b.redraw(before)
	b.redraw(row)
	b.reveal(row)
	b.chosen(b.entries[row].Call)
}

// redraw updates one row if it has a widget.
func (b *tableBody) redraw(row int) {
	if row < 0 || row >= len(b.entries) {
		return
	}
	if object, ok := b.rows.Object(row).(*callRow); ok {
		object.show(b.entries[row], b.look(row), b.now)
	}
}

// Tapped selects the clicked row. A click on the selected row clears the selection.
func (b *tableBody) Tapped(event *fyne.PointEvent) {
	kit.Focus(b)
	row := b.rowAt(event.Position.Y)
	if row != noRow && b.kept.Call != nil && b.rowOf(*b.kept.Call) == row {
		row = noRow
	}
	b.choose(row)
}

func (b *tableBody) rowAt(y float32) int {
	if row := int(y / rowHeight); y >= 0 && row < len(b.entries) && b.entries[row].isCall() {
		return row
	}
	return noRow
}

// MouseIn implements [desktop.Hoverable].
func (b *tableBody) MouseIn(event *desktop.MouseEvent) { b.MouseMoved(event) }

// MouseMoved marks the row under the pointer.
func (b *tableBody) MouseMoved(event *desktop.MouseEvent) { b.setHover(b.rowAt(event.Position.Y)) }

// MouseOut implements [desktop.Hoverable].
func (b *tableBody) MouseOut() { b.setHover(noRow) }

func (b *tableBody) setHover(row int) {
	if row != b.hover {
		before := b.hover
		b.hover = row
		b.redraw(before)
		b.redraw(row)
	}
}

// Cursor shows that rows can be clicked.
func (b *tableBody) Cursor() desktop.Cursor {
	if b.hover == noRow {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// TypedKey moves the selection. Esc clears it. The window gets all other keys, and Esc if nothing is selected.
func (b *tableBody) TypedKey(event *fyne.KeyEvent) {
	if len(b.entries) == 0 || event.Name == fyne.KeyEscape && b.kept.Call == nil {
		b.Control.TypedKey(event)
		return
	}
	row, last := noRow, len(b.entries)-1
	step := 1 // the direction in which to skip rows that cannot be selected
	if b.kept.Call != nil {
		row = b.rowOf(*b.kept.Call)
	}
	page := max(1, int(b.scroll.Size().Height/rowHeight)-1)
	switch event.Name {
	case fyne.KeyDown:
		row = min(row+1, last)
	case fyne.KeyUp:
		row, step = max(row-1, 0), -1
	case fyne.KeyPageDown:
		row = min(row+page, last)
	case fyne.KeyPageUp:
		row, step = max(row-page, 0), -1
	case fyne.KeyHome:
		row = 0
	case fyne.KeyEnd:
		row, step = last, -1
	case fyne.KeyEscape:
		b.choose(noRow)
		return
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		row = max(row, 0)
	default:
		b.Control.TypedKey(event)
		return
	}
	b.choose(b.callAt(row, step))
}

// callAt returns the nearest row of a call. It starts at row and searches in the direction of step, and then in the
// other direction.
func (b *tableBody) callAt(row, step int) int {
	for _, by := range []int{step, -step} {
		for at := row; at >= 0 && at < len(b.entries); at += by {
			if b.entries[at].isCall() {
				return at
			}
		}
	}
	return noRow
}

// CreateRenderer implements [fyne.Widget].
func (b *tableBody) CreateRenderer() fyne.WidgetRenderer {
	frame := canvas.NewRectangle(nil) // shows the focus while nothing is selected
	frame.StrokeWidth = 1.5
	least := func() fyne.Size { return fyne.NewSize(0, float32(len(b.entries))*rowHeight) }
	place := func(size fyne.Size) {
		b.rows.Resize(size)
		b.see()
		frame.Move(fyne.NewPos(2, 1))
		frame.Resize(fyne.NewSize(max(0, size.Width-4), rowHeight-3))
	}
	paint := func() {
		look := b.Theme()
		frame.StrokeColor = look.Color(theme.ColorAccent, fyne.CurrentApp().Settings().ThemeVariant())
		frame.CornerRadius = look.Size(theme.SizeFieldRadius)
		kit.SetVisible(frame, b.Focused() && b.kept.Call == nil && len(b.entries) > 0)
	}
	return kit.NewDrawing(b, least, place, paint, frame, b.rows)
}

// newTableHead returns the titles of the columns, with a line below them.
func newTableHead(columns []column) *fyne.Container {
	var texts []fyne.CanvasObject
	for _, c := range columns {
		style := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Bold: true, Shrinks: true}
		if c.right {
			style.Align = fyne.TextAlignTrailing
		}
		texts = append(texts, kit.NewText(c.title, style))
	}
	place := func(size fyne.Size) {
		for i, at := range arrange(columns, size.Width) {
			kit.SetVisible(texts[i], at.width > 0)
			texts[i].Move(fyne.NewPos(at.left, 0))
			texts[i].Resize(fyne.NewSize(at.width, size.Height))
		}
	}
	least := func() fyne.Size { return fyne.NewSize(0, headHeight-1) }
	return kit.Column(0, kit.Arranged(least, place, texts...), widget.NewSeparator())
}
