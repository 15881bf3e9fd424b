package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Table is like Fyne's table, with a ring while it has the focus, because Fyne's tint of a cell is hard to see.
type Table struct {
	fyneTable
	Keyboard
}

// NewTable returns a table; see [widget.NewTable].
func NewTable(length func() (rows, columns int), create func() fyne.CanvasObject,
	update func(widget.TableCellID, fyne.CanvasObject)) *Table {
	t := &Table{}
	t.Length, t.CreateCell, t.UpdateCell = length, create, update
	t.self, t.inner, t.follow = t, &t.Table, t.Refresh
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements [fyne.Widget].
func (t *Table) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	return newRingedRenderer(t.Table.CreateRenderer(), t, t.Ring)
}

// TypedKey moves from cell to cell with the arrow keys. The space bar chooses a cell. Other keys go to the window.
func (t *Table) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight, fyne.KeySpace:
		t.Table.TypedKey(event)
	default:
		PassKey(t, event)
	}
}
