package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// List is like Fyne's list, without lines between its rows. Enter chooses a row, as the space bar does. The focused
// row has a ring, which can be seen even if the row is also the chosen row or covers the mark that Fyne draws.
type List struct {
	fyneList
	Keyboard

	// OnChosen is called when a row is chosen.
	OnChosen func(row int)

	// Follows makes the keys that move the focus to a row choose this row.
	Follows bool

	row int // the row that the keys act on
}

// NewList returns a list. length returns the number of rows, create makes an object for a row, and fill makes such an
// object show a row.
func NewList[R fyne.CanvasObject](length func() int, create func() R, fill func(row int, object R)) *List {
	l := &List{}
	l.Length = length
	l.CreateItem = func() fyne.CanvasObject {
		// not at the edge of the row, where the list would cut it
		ring := Inset(newRing(theme.ColorAccent, theme.SizeFieldRadius), ringInset, ringInset)
		ring.Hide()
		return container.NewStack(create(), ring)
	}
	l.UpdateItem = func(id widget.ListItemID, object fyne.CanvasObject) {
		if id >= length() { // Fyne asks for the focused row even if it no longer exists
			return
		}
		parts := object.(*fyne.Container).Objects
		fill(id, parts[0].(R))
		SetVisible(parts[1], l.focused && id == l.row)
	}
	l.OnSelected = func(id widget.ListItemID) {
		l.move(id)
		if l.OnChosen != nil {
			l.OnChosen(id)
		}
	}
	l.HideSeparators = true
	l.self, l.follow = l, l.refocus
	l.ExtendBaseWidget(l)
	return l
}

// Choose chooses a row and scrolls to it.
func (l *List) Choose(row int) {
	l.Highlight(row)
	l.Select(row)
}

// move changes the focused row.
func (l *List) move(row int) {
	if l.Follows {
		l.Select(row)
	}
	if before := l.row; before != row {
		l.row = row
		l.RefreshItem(before)
		l.RefreshItem(row)
	}
}

// TypedKey implements [fyne.Focusable].
func (l *List) TypedKey(event *fyne.KeyEvent) {
	if l.Pass(event) {
		return
	}
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		event = &fyne.KeyEvent{Name: fyne.KeySpace}
	}
	// Fyne also calls OnHighlighted for the row under the pointer, which is not the focused row. So OnHighlighted is set
	// only while Fyne handles a key.
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

// goTo focuses a row, or the nearest one that exists.
func (l *List) goTo(row int) { l.Highlight(max(0, min(row, l.Length()-1))) }

// page returns how many rows a page key moves by: one less than are visible, so that one row stays in view.
func (l *List) page() int {
	height := l.CreateItem().MinSize().Height + l.Theme().Size(base.SizeNamePadding)
	return max(1, int(l.Size().Height/height)-1)
}

// refocus tells Fyne's list about the focus. If the focused row no longer exists because the list has become shorter,
// the last row gets the focus. Fyne would leave the focus on the missing row.
func (l *List) refocus() {
	if l.focused {
		l.OnHighlighted = l.move
		l.List.FocusGained()
		for range l.row - max(0, l.Length()-1) {
			l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
		}
		l.OnHighlighted = nil
	} else {
		l.List.FocusLost()
	}
	l.RefreshItem(l.row)
}
