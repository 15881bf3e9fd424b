package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// List is Fyne's list without lines between its rows, except that the Enter key chooses a row as the space bar does, and that
// the row that has the keyboard is seen to have it also where it is chosen already, or covers the list's own mark.
type List struct {
	widget.List
	keyboard

	// OnChosen is called for a row that was chosen.
	OnChosen func(row int)

	row int // where the keyboard is
}

// NewList returns a list.
func NewList(length func() int, create func() fyne.CanvasObject, fill func(row int, object fyne.CanvasObject)) *List {
	l := &List{}
	l.Length = length
	l.CreateItem = func() fyne.CanvasObject {
		ring := newRing(theme.ColorAccent, theme.SizeFieldRadius)
		ring.Hide()
		return container.NewStack(create(), ring)
	}
	l.UpdateItem = func(id widget.ListItemID, object fyne.CanvasObject) {
		if id >= length() { // Fyne asks for the row that had the keyboard, whether it is there still or not
			return
		}
		parts := object.(*fyne.Container).Objects
		fill(id, parts[0])
		SetVisible(parts[1], l.focused && id == l.row)
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
	if l.pass(l, event) {
		return
	}
	switch event.Name {
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
	l.take(l, true)
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
	l.take(l, false)
	l.List.FocusLost()
	l.RefreshItem(l.row)
}
