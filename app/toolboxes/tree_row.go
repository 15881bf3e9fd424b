package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// rowLook is everything that a row of the tree shows. It is a plain value, so that a row is only drawn again if it has
// changed.
type rowLook struct {
	name   string
	note   string
	wrong  bool        // the note is about a problem
	state  theme.State // the state of a server
	server bool
	off    bool // the server is switched off
	folds  bool // it has an icon to fold it
	folded bool

	selected, focused, hovered bool
	into                       bool // the dragged thing would go into this row
	faded                      bool // this row is being dragged
}

// treeRow draws one row of the tree. The tree handles the mouse.
type treeRow struct {
	widget.BaseWidget
	look   rowLook
	ground *canvas.Rectangle
	fold   *widget.Icon
	mark   fyne.ThemeIconName // the icon that fold shows
	state  *widget.Icon
	name   *kit.Text
	note   *kit.Text
	more   *widget.Icon
}

func newTreeRow() *treeRow {
	r := &treeRow{
		ground: canvas.NewRectangle(nil),
		fold:   widget.NewIcon(nil),
		state:  widget.NewIcon(nil),
		name:   kit.NewText("", kit.TextStyle{Shrinks: true}),
		note:   kit.NewText("", kit.TextStyle{Shrinks: true}),
		more:   widget.NewIcon(base.MoreHorizontalIcon()),
	}
	r.ExtendBaseWidget(r)
	return r
}

// show sets the content of the row.
func (r *treeRow) show(look rowLook) {
	if look == r.look {
		return
	}
	r.look = look
	r.draw()
	r.Refresh()
}

func (r *treeRow) draw() {
	look := r.look
	name := kit.TextStyle{Bold: !look.server, Shrinks: true}
	if look.off || look.faded {
		name.Color = theme.ColorMuted
	}
	r.name.SetStyle(look.name, name)
	note := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}
	if look.wrong {
		note.Color = look.state.Color()
	}
	r.note.SetStyle(look.note, note)
	kit.SetVisible(r.state, look.server)
	if look.server {
		r.state.SetResource(look.state.Icon())
	}
	kit.SetVisible(r.fold, look.folds)
	mark := base.IconNameArrowDropDown
	if look.folded {
		mark = base.IconNameMenuExpand
	}
	if look.folds && r.mark != mark { // a new resource is drawn again, even if it looks the same
		r.mark = mark
		r.fold.SetResource(base.NewColoredResource(r.Theme().Icon(mark), theme.ColorMuted))
	}
	kit.SetVisible(r.more, look.hovered)
}

// CreateRenderer implements [fyne.Widget].
func (r *treeRow) CreateRenderer() fyne.WidgetRenderer {
	r.draw()
	return kit.NewDrawing(r, func() fyne.Size {
		return fyne.NewSize(200, rowHeight)
	}, r.place, r.paint, r.ground, r.fold, r.state, r.name, r.note, r.more)
}

// Sizes of a row, in pixels.
const (
	rowHeight   = 32
	rowGap      = kit.GapHair
	foldWidth   = 28
	stateLeft   = 32
	stateSize   = 14
	serverLeft  = 56
	rowEnd      = 10 // the space at the right
	moreWidth   = 32 // the width of the "⋯" at the right end of the row under the pointer
	nameAtLeast = 96 // if less is left for the name, a note about a problem is cut
	noteAtLeast = 56 // of a longer note, at least so much is shown, however long the name is
)

// place lays out the parts.
func (r *treeRow) place(size fyne.Size) {
	r.ground.Resize(size)
	r.fold.Move(fyne.NewPos((foldWidth-18)/2, (size.Height-18)/2))
	r.fold.Resize(fyne.NewSquareSize(18))
	r.state.Move(fyne.NewPos(stateLeft, (size.Height-stateSize)/2))
	r.state.Resize(fyne.NewSquareSize(stateSize))
	r.more.Move(fyne.NewPos(size.Width-moreWidth+(moreWidth-18)/2, (size.Height-18)/2))
	r.more.Resize(fyne.NewSquareSize(18))

	left, end := float32(foldWidth+2), float32(rowEnd)
	if r.look.server {
		left = serverLeft
	}
	if r.look.hovered {
		end = moreWidth
	}
	note, name := r.note.Full().Width, r.name.Full().Width
	room := size.Width - left - end
	if r.look.wrong {
		name = min(name, nameAtLeast)
	} // otherwise the name says more than the note
	note = min(note, max(noteAtLeast, room-12-name))
	kit.SetVisible(r.note, note > 0)
	if note > 0 {
		r.note.Move(fyne.NewPos(size.Width-end-note, 0))
		r.note.Resize(fyne.NewSize(note, size.Height))
		room -= note + 12
	}
	r.name.Move(fyne.NewPos(left, 0))
	r.name.Resize(fyne.NewSize(max(0, room), size.Height))
}

// paint colours the background of a row that is selected, under the pointer, or the target of a drag.
func (r *treeRow) paint() {
	look, variant := r.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	ground := r.ground
	ground.CornerRadius = look.Size(theme.SizeFieldRadius)
	ground.StrokeWidth = 0
	switch {
	case r.look.into:
		ground.FillColor = look.Color(theme.ColorTint, variant)
		ground.StrokeColor, ground.StrokeWidth = look.Color(theme.ColorAccent, variant), 2
	case r.look.selected:
		ground.FillColor = look.Color(theme.ColorTint, variant)
		if r.look.focused {
			ground.StrokeColor, ground.StrokeWidth = look.Color(theme.ColorAccent, variant), 1
		}
	case r.look.hovered:
		ground.FillColor = look.Color(base.ColorNameHover, variant)
	default:
		ground.FillColor = look.Color(theme.ColorClear, variant)
	}
}
