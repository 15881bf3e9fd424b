package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// list is the list at the left. It makes widgets only for the rows that can be seen, so its length costs nothing.
type list struct {
	widget.List
	// onKey is asked first about keys; it tells whether it has used one.
	onKey func(fyne.KeyName) bool
}

// newList gives a list of as many rows as length says; fill gives a row its content.
func newList(length func() int, fill func(int, *row)) *list {
	l := &list{}
	l.Length = length
	l.CreateItem = func() fyne.CanvasObject { return newRow() }
	l.UpdateItem = func(id widget.ListItemID, object fyne.CanvasObject) { fill(id, object.(*row)) }
	l.HideSeparators = true
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey lets the arrows fold and unfold, as in every list of this kind.
func (l *list) TypedKey(event *fyne.KeyEvent) {
	if l.onKey != nil && l.onKey(event.Name) {
		return
	}
	l.List.TypedKey(event)
}

// row is one line of the list. It is used again for other lines, so every line sets all of it.
type row struct {
	widget.BaseWidget
	fold   *foldMark // of a toolbox
	state  *widget.Icon
	name   *kit.Text
	note   *kit.Text
	indent bool
}

func newRow() *row {
	r := &row{
		fold:  newFoldMark(),
		state: widget.NewIcon(nil),
		name:  kit.NewText("", kit.TextStyle{Shrinks: true}),
		note:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
	}
	r.ExtendBaseWidget(r)
	return r
}

// showToolbox makes the row that of a toolbox; fold is called when its mark is clicked.
func (r *row) showToolbox(toolbox Toolbox, folded bool, fold func()) {
	r.indent = false
	r.state.Hide()
	r.fold.set(folded, fold)
	setVisible(r.fold, len(toolbox.Servers) > 0)
	r.name.SetStyle(toolbox.Name, kit.TextStyle{Bold: true, Shrinks: true})
	r.note.Set(Count(len(toolbox.Servers)))
	r.Refresh()
}

// showServer makes the row that of a server.
func (r *row) showServer(server Server) {
	r.indent = true
	r.fold.Hide()
	r.state.SetResource(server.State.Icon())
	r.state.Show()
	r.name.SetStyle(server.Name, kit.TextStyle{Shrinks: true})
	r.note.Set(server.Word)
	r.Refresh()
}

// CreateRenderer is for Fyne.
func (r *row) CreateRenderer() fyne.WidgetRenderer {
	return &rowRenderer{row: r, objects: []fyne.CanvasObject{r.fold, r.state, r.name, r.note}}
}

type rowRenderer struct {
	row     *row
	objects []fyne.CanvasObject
}

// Measures of a row, in pixels.
const (
	rowHeight   = 32
	foldWidth   = 28
	stateLeft   = 32
	stateSize   = 14
	serverLeft  = 56
	rowEnd      = 12 // space at the right
	nameAtLeast = 96 // below this, the name gets the place of the note
)

func (r *rowRenderer) Destroy()                     {}
func (r *rowRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *rowRenderer) MinSize() fyne.Size           { return fyne.NewSize(200, rowHeight) }

func (r *rowRenderer) Layout(size fyne.Size) {
	row := r.row
	row.fold.Resize(fyne.NewSize(foldWidth, size.Height))
	row.state.Move(fyne.NewPos(stateLeft, (size.Height-stateSize)/2))
	row.state.Resize(fyne.NewSquareSize(stateSize))

	left := float32(foldWidth)
	if row.indent {
		left = serverLeft
	}
	note := row.note.MinSize().Width
	room := size.Width - left - rowEnd
	if room-note-12 < min(nameAtLeast, row.name.Full().Width) {
		// The shape says the state too, and nothing else says the name.
		row.note.Hide()
	} else {
		row.note.Show()
		row.note.Move(fyne.NewPos(size.Width-rowEnd-note, 0))
		row.note.Resize(fyne.NewSize(note, size.Height))
		room -= note + 12
	}
	row.name.Move(fyne.NewPos(left, 0))
	row.name.Resize(fyne.NewSize(max(0, room), size.Height))
}

func (r *rowRenderer) Refresh() {
	r.Layout(r.row.Size())
	for _, object := range r.objects {
		object.Refresh()
	}
}

// foldMark is the small arrow that folds a toolbox.
type foldMark struct {
	widget.BaseWidget
	icon  *widget.Icon
	onTap func()
}

var (
	_ fyne.Tappable      = (*foldMark)(nil)
	_ desktop.Cursorable = (*foldMark)(nil)
)

func newFoldMark() *foldMark {
	m := &foldMark{icon: widget.NewIcon(nil)}
	m.ExtendBaseWidget(m)
	return m
}

func (m *foldMark) set(folded bool, onTap func()) {
	m.onTap = onTap
	name := base.IconNameArrowDropDown
	if folded {
		name = base.IconNameMenuExpand
	}
	m.icon.SetResource(base.NewColoredResource(m.Theme().Icon(name), theme.ColorMuted))
}

// Tapped folds or unfolds.
func (m *foldMark) Tapped(*fyne.PointEvent) {
	if m.onTap != nil {
		m.onTap()
	}
}

// Cursor shows that the mark can be clicked on its own.
func (m *foldMark) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer is for Fyne.
func (m *foldMark) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(m.icon) }
