package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// ring is the line around what has the keyboard, where a tint of the accent would not be seen.
type ring struct {
	widget.BaseWidget
	color  fyne.ThemeColorName
	radius fyne.ThemeSizeName
}

const ringWidth = 2

func newRing(color fyne.ThemeColorName, radius fyne.ThemeSizeName) *ring {
	r := &ring{color: color, radius: radius}
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer is for Fyne.
func (r *ring) CreateRenderer() fyne.WidgetRenderer {
	line := canvas.NewRectangle(color.Transparent)
	line.StrokeWidth = ringWidth
	renderer := &ringRenderer{WidgetRenderer: widget.NewSimpleRenderer(line), ring: r, line: line}
	renderer.style()
	return renderer
}

type ringRenderer struct {
	fyne.WidgetRenderer
	ring *ring
	line *canvas.Rectangle
}

func (r *ringRenderer) style() {
	variant := fyne.CurrentApp().Settings().ThemeVariant()
	r.line.StrokeColor = r.ring.Theme().Color(r.ring.color, variant)
	r.line.CornerRadius = r.ring.Theme().Size(r.ring.radius)
}

func (r *ringRenderer) Refresh() {
	r.style()
	r.line.Refresh()
}

// List is Fyne's list without lines between its rows, except that the Enter key chooses a row as the space bar does, and that
// the row that has the keyboard is seen to have it also where it is chosen already, or covers the list's own mark.
type List struct {
	widget.List

	// OnChosen is called for a row that was chosen.
	OnChosen func(row int)

	// OnEscape is called for the Esc key; nil: nothing.
	OnEscape func()

	row     int // where the keyboard is
	focused bool
}

// NewList gives a list.
func NewList(length func() int, create func() fyne.CanvasObject, fill func(row int, object fyne.CanvasObject)) *List {
	l := &List{}
	l.Length = length
	l.CreateItem = func() fyne.CanvasObject {
		row := &listRow{content: create(), ring: newRing(theme.ColorAccent, theme.SizeFieldRadius)}
		row.ring.Hide()
		row.ExtendBaseWidget(row)
		return row
	}
	l.UpdateItem = func(id widget.ListItemID, object fyne.CanvasObject) {
		if id >= length() { // Fyne asks for the row that had the keyboard, whether it is there still or not
			return
		}
		row := object.(*listRow)
		fill(id, row.content)
		if at := l.focused && id == l.row; at != row.ring.Visible() {
			if at {
				row.ring.Show()
			} else {
				row.ring.Hide()
			}
		}
	}
	l.OnSelected = func(id widget.ListItemID) {
		l.move(id)
		if l.OnChosen != nil {
			l.OnChosen(id)
		}
	}
	l.HideSeparators = true
	l.ExtendBaseWidget(l)
	return l
}

// move tells the rows where the keyboard is.
func (l *List) move(row int) {
	if before := l.row; before != row {
		l.row = row
		l.RefreshItem(before)
		l.RefreshItem(row)
	}
}

// TypedKey is for Fyne.
func (l *List) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyEscape:
		if l.OnEscape != nil {
			l.OnEscape()
		} else {
			PassKey(l, event)
		}
		return
	case fyne.KeyF1:
		PassKey(l, event)
		return
	case fyne.KeyReturn, fyne.KeyEnter:
		event = &fyne.KeyEvent{Name: fyne.KeySpace}
	}
	// Fyne tells of the row that the mouse is over in the same way, but the keyboard is not there.
	l.OnHighlighted = l.move
	switch event.Name {
	case fyne.KeyHome:
		l.goTo(0)
	case fyne.KeyEnd:
		l.goTo(l.Length() - 1)
	case fyne.KeyPageUp:
		l.goTo(l.row - l.page())
	case fyne.KeyPageDown:
		l.goTo(l.row + l.page())
	default:
		l.List.TypedKey(event)
	}
	l.OnHighlighted = nil
}

// goTo brings the keyboard to a row, or to the nearest there is.
func (l *List) goTo(row int) { l.Highlight(max(0, min(row, l.Length()-1))) }

// page is how many rows can be seen, less one so that the eye finds its way.
func (l *List) page() int {
	height := l.CreateItem().MinSize().Height + l.Theme().Size(base.SizeNamePadding)
	return max(1, int(l.Size().Height/height)-1)
}

// FocusGained is for Fyne. A list that has become shorter has the keyboard in its last row: Fyne leaves it where no row is.
func (l *List) FocusGained() {
	l.focused = true
	l.OnHighlighted = l.move
	l.List.FocusGained()
	for range l.row - max(0, l.Length()-1) {
		l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	}
	l.OnHighlighted = nil
	l.RefreshItem(l.row)
}

// FocusLost is for Fyne.
func (l *List) FocusLost() {
	l.focused = false
	l.List.FocusLost()
	l.RefreshItem(l.row)
}

// listRow is a row with the ring that it has while the keyboard is in it.
type listRow struct {
	widget.BaseWidget
	content fyne.CanvasObject
	ring    *ring
}

// CreateRenderer is for Fyne.
func (r *listRow) CreateRenderer() fyne.WidgetRenderer { return &listRowRenderer{r} }

type listRowRenderer struct{ row *listRow }

func (r *listRowRenderer) Destroy()           {}
func (r *listRowRenderer) MinSize() fyne.Size { return r.row.content.MinSize() }
func (r *listRowRenderer) Refresh()           { r.row.content.Refresh(); r.row.ring.Refresh() }
func (r *listRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.row.content, r.row.ring}
}

func (r *listRowRenderer) Layout(size fyne.Size) {
	r.row.content.Resize(size)
	r.row.ring.Resize(size)
}
