package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// tree is the list of toolboxes and servers at the left. They can be selected, folded, renamed in place and dragged. The tree changes nothing
// itself: it tells its owner what the user does. Only visible rows have widgets.
type tree struct {
	scroll *container.Scroll
	body   *treeBody
}

// treeOwner handles what the user does with the tree.
type treeOwner interface {
	pick(choice model.Choice, by pickedBy)
	foldRow(toolbox string, folded bool)
	menuFor(choice model.Choice) *fyne.Menu // the zero Choice stands for the area below all rows
	treeKey(event *fyne.KeyEvent) bool
	treeShortcut(shortcut fyne.Shortcut) bool
	renamed(choice model.Choice, to string)
	dropped(dragged model.Choice, landing Landing, copied bool)

	// landOutside returns where the dragged thing goes if it is dropped outside the tree. It marks that place until leftOutside is called. The
	// position is relative to the corner of the visible part of the tree. If the thing cannot be dropped there, ok is false.
	landOutside(what model.Choice, at fyne.Position) (landing Landing, ok bool)
	leftOutside()
}

// pickedBy tells how something was selected, or for what.
type pickedBy int

const (
	byClick pickedBy = iota // with a click in the tree
	toLook                  // with the arrow keys or by a search, perhaps on the way to something else
	toOpen                  // with the Enter key, a click on its card or from another screen, to open its settings
	byMenu                  // because its menu was opened
)

func newTree(owner treeOwner) *tree {
	t := &tree{body: newTreeBody(owner)}
	t.scroll = container.NewVScroll(t.body)
	t.scroll.OnScrolled = func(fyne.Position) { t.body.see() }
	t.body.scroll = t.scroll
	return t
}

// treeBody is the scrolled content of the tree: the rows; in front of them a line that shows where a dragged thing would go, the dragged name, the
// field to edit a name, and its problem.
type treeBody struct {
	kit.Control
	owner   treeOwner
	scroll  *container.Scroll
	rows    *kit.Rows
	line    *canvas.Rectangle
	ghost   *ghost
	field   *kit.NameEntry
	problem *treeProblem

	view     View
	lines    []Row
	selected model.Choice
	hover    int // the row under the pointer, or noRow
	drag     drag
	naming   naming
}

var (
	_ fyne.Tappable          = (*treeBody)(nil)
	_ fyne.SecondaryTappable = (*treeBody)(nil)
	_ fyne.Draggable         = (*treeBody)(nil)
)

func newTreeBody(owner treeOwner) *treeBody {
	b := &treeBody{owner: owner, line: canvas.NewRectangle(nil), ghost: newGhost(), field: kit.NewNameEntry(), problem: newTreeProblem(), hover: noRow}
	b.rows = kit.NewRows(rowHeight, rowGap, kit.RowSource{
		Length: func() int { return len(b.lines) },
		Key:    func(row int) any { return b.view.at(b.lines[row]) },
		Create: func() fyne.CanvasObject { return newTreeRow() },
		Fill:   func(row int, object fyne.CanvasObject) { object.(*treeRow).show(b.look(row)) },
	})
	b.line.Hide()
	b.ghost.root.Hide()
	b.field.Hide()
	b.problem.box.Hide()
	b.OnState = func() { b.redraw(b.selectedRow()) }
	b.Init(b, nil, nil)
	return b
}

// show shows the rows of a view with one of them selected.
func (b *treeBody) show(view View, lines []Row, selected model.Choice) {
	b.view, b.lines, b.selected = view, lines, selected
	if b.hover >= len(lines) {
		b.hover = noRow
	}
	b.follow()
	b.scroll.Refresh() // lays the body out again, because its height may have changed
}

// look returns the content of a row.
func (b *treeBody) look(row int) rowLook {
	line := b.lines[row]
	toolbox := b.view.Toolboxes[line.Toolbox]
	choice := b.view.at(line)
	// A folded toolbox looks selected if one of its servers is selected.
	selected := choice == b.selected || line.Folded && choice.Toolbox == b.selected.Toolbox
	look := rowLook{
		selected: selected, focused: b.Focused() && selected,
		hovered: row == b.hover && !b.drag.on && !b.naming.on,
		into:    b.drag.on && b.drag.ok && b.drag.landing.Into == row,
		faded:   b.drag.on && choice == b.drag.what,
	}
	if line.Server == noServer {
		look.name, look.note, look.wrong, look.state = toolbox.Name, toolbox.Note, toolbox.Wrong && line.Folded, theme.StateWrong
		look.folds, look.folded = len(toolbox.Servers) > 0, line.Folded
		return look
	}
	server := toolbox.Servers[line.Server]
	look.server = true
	look.name, look.note, look.state = server.Name, server.Note, server.State
	look.wrong = server.State == theme.StateWrong || server.State == theme.StateKey
	look.off = server.State == theme.StateDisabled
	switch { // why the server was found
	case line.Unused:
		look.note, look.wrong = unusedWords(), false
	case line.Tool != "":
		look.note, look.wrong = line.Tool, false
	}
	return look
}

// rowOf returns the row of a choice, or noRow.
func (b *treeBody) rowOf(choice model.Choice) int {
	for i, line := range b.lines {
		if b.view.at(line) == choice {
			return i
		}
	}
	return noRow
}

// selectedRow returns the row of the selection. If the selected server has no row, it returns the row of its toolbox, or noRow.
func (b *treeBody) selectedRow() int {
	if row := b.rowOf(b.selected); row != noRow {
		return row
	}
	return b.rowOf(model.Choice{Toolbox: b.selected.Toolbox})
}

// step is the height of a row and the space below it.
const step = rowHeight + rowGap

func (b *treeBody) geometry() Geometry { return Geometry{RowHeight: step} }

// rowAt returns the row at height y of the content, or noRow.
func (b *treeBody) rowAt(y float32) int {
	if y < 0 || y >= float32(len(b.lines))*step {
		return noRow
	}
	return int(y / step)
}

// see tells the rows which part of them is visible.
func (b *treeBody) see() {
	top := b.scroll.Offset.Y
	b.rows.See(top, top+b.scroll.Size().Height)
}

// reveal scrolls until a row is visible.
func (b *treeBody) reveal(row int) {
	if row == noRow || b.scroll.Size().Height <= 0 {
		return
	}
	top, bottom := float32(row)*step, float32(row)*step+rowHeight
	height := b.scroll.Size().Height
	switch offset := b.scroll.Offset.Y; {
	case top < offset:
		b.scrollTo(top)
	case bottom > offset+height:
		b.scrollTo(bottom - height)
	}
}

func (b *treeBody) scrollTo(y float32) {
	y = max(0, min(y, b.MinSize().Height-b.scroll.Size().Height))
	if y != b.scroll.Offset.Y {
		b.scroll.ScrollToOffset(fyne.NewPos(0, y))
		b.see()
	}
}

// Tapped selects a row, folds a toolbox or opens a menu, depending on where in the row the click was.
func (b *treeBody) Tapped(event *fyne.PointEvent) {
	b.focus()
	row := b.rowAt(event.Position.Y)
	if row == noRow {
		return
	}
	choice := b.view.at(b.lines[row])
	look := b.look(row)
	switch {
	case look.folds && event.Position.X < foldWidth:
		b.owner.foldRow(choice.Toolbox, !look.folded)
	case look.hovered && event.Position.X > b.Size().Width-moreWidth:
		b.menu(choice, event.AbsolutePosition)
	default:
		b.owner.pick(choice, byClick)
	}
}

// TappedSecondary selects a row and opens its menu, or opens the menu of the empty area.
func (b *treeBody) TappedSecondary(event *fyne.PointEvent) {
	b.focus()
	var choice model.Choice
	if row := b.rowAt(event.Position.Y); row != noRow {
		choice = b.view.at(b.lines[row])
	}
	b.owner.pick(choice, byMenu) // shows the thing that the menu is for
	b.menu(choice, event.AbsolutePosition)
}

func (b *treeBody) menu(choice model.Choice, at fyne.Position) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(b); canvas != nil {
		widget.ShowPopUpMenuAtPosition(b.owner.menuFor(choice), canvas, at)
	}
}

// menuAtSelection opens the menu of the selection, for the keyboard.
func (b *treeBody) menuAtSelection() {
	row := b.selectedRow()
	if row == noRow {
		return
	}
	b.reveal(row)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
	b.menu(b.selected, at.AddXY(serverLeft, float32(row)*step+rowHeight))
}

// MouseIn implements [desktop.Hoverable].
func (b *treeBody) MouseIn(event *desktop.MouseEvent) { b.MouseMoved(event) }

// MouseMoved marks the row under the pointer.
func (b *treeBody) MouseMoved(event *desktop.MouseEvent) { b.setHover(b.rowAt(event.Position.Y)) }

// MouseOut implements [desktop.Hoverable].
func (b *treeBody) MouseOut() { b.setHover(noRow) }

func (b *treeBody) setHover(row int) {
	if row == b.hover {
		return
	}
	before := b.hover
	b.hover = row
	b.redraw(before)
	b.redraw(row)
}

// redraw updates one row if it has a widget.
func (b *treeBody) redraw(row int) {
	if row < 0 || row >= len(b.lines) {
		return
	}
	if object, ok := b.rows.Object(row).(*treeRow); ok {
		object.show(b.look(row))
	}
}

func (b *treeBody) focus() {
	kit.Focus(b)
}

// CreateRenderer implements [fyne.Widget].
func (b *treeBody) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewDrawing(b, b.least, b.place, b.paint, b.rows, b.line, b.field, b.problem.box, b.ghost.root)
}

func (b *treeBody) least() fyne.Size {
	rows := len(b.lines)
	if b.naming.on && b.naming.choice.Toolbox == "" {
		rows++ // the field for a new toolbox
	}
	return fyne.NewSize(200, float32(rows)*step)
}

// place lays out the parts.
func (b *treeBody) place(size fyne.Size) {
	b.rows.Resize(size)
	b.see()
	if b.drag.on && b.drag.ok && b.drag.landing.Line != noRow {
		left := float32(4)
		if b.drag.landing.Deep {
			left = stateLeft
		}
		y := float32(b.drag.landing.Line)*step - rowGap/2 - 1.5
		b.line.Move(fyne.NewPos(left, max(0, y)))
		b.line.Resize(fyne.NewSize(max(0, size.Width-left-4), 3))
	}
	if b.drag.on {
		b.ghost.follow(fyne.NewPos(b.drag.x, b.drag.y+b.scroll.Offset.Y), size.Width)
	}
	if b.naming.on {
		row, left := b.namingRow(), float32(foldWidth)-4
		if b.naming.choice.Server != "" {
			left = serverLeft - 8
		}
		top := float32(row) * step
		b.field.Move(fyne.NewPos(left, top-1))
		b.field.Resize(fyne.NewSize(size.Width-left, rowHeight+2))
		height := b.problem.height(size.Width - left)
		below := top + rowHeight + 4
		if below+height > max(size.Height, b.scroll.Size().Height) {
			below = top - height - 4
		}
		b.problem.box.Move(fyne.NewPos(left, below))
		b.problem.box.Resize(fyne.NewSize(size.Width-left, height))
	}
}

// paint shows and colours the parts.
func (b *treeBody) paint() {
	look, variant := b.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	b.line.FillColor = look.Color(theme.ColorAccent, variant)
	b.line.CornerRadius = 1.5
	kit.SetVisible(b.line, b.drag.on && b.drag.ok && !b.drag.away && b.drag.landing.Line != noRow)
	kit.SetVisible(b.ghost.root, b.drag.on && !b.drag.away)
	kit.SetVisible(b.field, b.naming.on)
	kit.SetVisible(b.problem.box, b.naming.on && b.problem.words.Text() != "")
}
