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

// pickedBy tells how something was selected, or for what.
type pickedBy int

const (
	byClick pickedBy = iota // with a click in the tree
	toLook                  // with the arrow keys or by a search, perhaps on the way to something else
	toOpen                  // with the Enter key, a click on its card or from another screen, to open its settings
	byMenu                  // because its menu was opened
)

// tree is the list of toolboxes and servers at the left. They can be selected, folded, renamed in place and dragged.
// The tree changes nothing itself: it tells the screen what the user does. It is the content of a scroll. Only visible
// rows have widgets. In front of the rows are a line that shows where a dragged thing would go, the dragged name, the
// field to edit a name, and its problem.
type tree struct {
	kit.Control
	screen  *Screen
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
	_ fyne.Tappable          = (*tree)(nil)
	_ fyne.SecondaryTappable = (*tree)(nil)
	_ fyne.Draggable         = (*tree)(nil)
)

func newTree(screen *Screen) *tree {
	t := &tree{screen: screen, line: canvas.NewRectangle(nil), ghost: newGhost(), field: kit.NewNameEntry(),
		problem: newTreeProblem(), hover: noRow}
	t.rows = kit.NewRows(rowHeight, rowGap, kit.RowSource{
		Length: func() int { return len(t.lines) },
		Key:    func(row int) any { return t.view.at(t.lines[row]) },
		Create: func() fyne.CanvasObject { return newTreeRow() },
		Fill:   func(row int, object fyne.CanvasObject) { object.(*treeRow).show(t.look(row)) },
	})
	t.line.Hide()
	t.ghost.root.Hide()
	t.field.Hide()
	t.problem.box.Hide()
	t.OnState = func() { t.redraw(t.selectedRow()) }
	t.Init(t, nil, nil)
	t.scroll = container.NewVScroll(t)
	t.scroll.OnScrolled = func(fyne.Position) { t.see() }
	return t
}

// show shows the rows of a view with one of them selected.
func (t *tree) show(view View, lines []Row, selected model.Choice) {
	t.view, t.lines, t.selected = view, lines, selected
	if t.hover >= len(lines) {
		t.hover = noRow
	}
	t.follow()
	t.scroll.Refresh() // lays the tree out again, because its height may have changed
}

// look returns the content of a row.
func (t *tree) look(row int) rowLook {
	line := t.lines[row]
	toolbox := t.view.Toolboxes[line.Toolbox]
	choice := t.view.at(line)
	// A folded toolbox looks selected if one of its servers is selected.
	selected := choice == t.selected || line.Folded && choice.Toolbox == t.selected.Toolbox
	look := rowLook{
		selected: selected, focused: t.Focused() && selected,
		hovered: row == t.hover && !t.drag.on && !t.naming.on,
		into:    t.drag.on && t.drag.ok && t.drag.landing.Into == row,
		faded:   t.drag.on && choice == t.drag.what,
	}
	if line.Server == noServer {
		look.name, look.note, look.wrong, look.state = toolbox.Name, toolbox.Note, toolbox.Wrong && line.Folded,
			theme.StateWrong
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
func (t *tree) rowOf(choice model.Choice) int {
	for i, line := range t.lines {
		if t.view.at(line) == choice {
			return i
		}
	}
	return noRow
}

// selectedRow returns the row of the selection. If the selected server has no row, it returns the row of its toolbox,
// or noRow.
func (t *tree) selectedRow() int {
	if row := t.rowOf(t.selected); row != noRow {
		return row
	}
	return t.rowOf(model.Choice{Toolbox: t.selected.Toolbox})
}

// step is the height of a row and the space below it.
const step = rowHeight + rowGap

// rowAt returns the row at height y of the content, or noRow.
func (t *tree) rowAt(y float32) int {
	if y < 0 || y >= float32(len(t.lines))*step {
		return noRow
	}
	return int(y / step)
}

// see tells the rows which part of them is visible.
func (t *tree) see() { t.rows.SeeIn(t.scroll) }

// reveal scrolls until a row is visible.
func (t *tree) reveal(row int) {
	if row != noRow {
		t.rows.Reveal(t.scroll, row, 0)
	}
}

func (t *tree) scrollTo(y float32) {
	y = max(0, min(y, t.MinSize().Height-t.scroll.Size().Height))
	if y != t.scroll.Offset.Y {
		t.scroll.ScrollToOffset(fyne.NewPos(0, y))
		t.see()
	}
}

// Tapped selects a row, folds a toolbox or opens a menu, depending on where in the row the click was.
func (t *tree) Tapped(event *fyne.PointEvent) {
	t.focus()
	row := t.rowAt(event.Position.Y)
	if row == noRow {
		return
	}
	choice := t.view.at(t.lines[row])
	look := t.look(row)
	switch {
	case look.folds && event.Position.X < foldWidth:
		t.screen.foldRow(choice.Toolbox, !look.folded)
	case look.hovered && event.Position.X > t.Size().Width-moreWidth:
		t.menu(choice, event.AbsolutePosition)
	default:
		t.screen.pick(choice, byClick)
	}
}

// TappedSecondary selects a row and opens its menu, or opens the menu of the empty area.
func (t *tree) TappedSecondary(event *fyne.PointEvent) {
	t.focus()
	var choice model.Choice
	if row := t.rowAt(event.Position.Y); row != noRow {
		choice = t.view.at(t.lines[row])
	}
	t.screen.pick(choice, byMenu) // shows the thing that the menu is for
	t.menu(choice, event.AbsolutePosition)
}

func (t *tree) menu(choice model.Choice, at fyne.Position) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(t); canvas != nil {
		widget.ShowPopUpMenuAtPosition(t.screen.menuFor(choice), canvas, at)
	}
}

// menuAtSelection opens the menu of the selection, for the keyboard.
func (t *tree) menuAtSelection() {
	row := t.selectedRow()
	if row == noRow {
		return
	}
	t.reveal(row)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(t)
	t.menu(t.selected, at.AddXY(serverLeft, float32(row)*step+rowHeight))
}

// MouseIn implements [desktop.Hoverable].
func (t *tree) MouseIn(event *desktop.MouseEvent) { t.MouseMoved(event) }

// MouseMoved marks the row under the pointer.
func (t *tree) MouseMoved(event *desktop.MouseEvent) { t.setHover(t.rowAt(event.Position.Y)) }

// MouseOut implements [desktop.Hoverable].
func (t *tree) MouseOut() { t.setHover(noRow) }

func (t *tree) setHover(row int) {
	if row == t.hover {
		return
	}
	before := t.hover
	t.hover = row
	t.redraw(before)
	t.redraw(row)
}

// redraw updates one row if it has a widget.
func (t *tree) redraw(row int) {
	if row < 0 || row >= len(t.lines) {
		return
	}
	if object, ok := t.rows.Object(row).(*treeRow); ok {
		object.show(t.look(row))
	}
}

func (t *tree) focus() {
	kit.Focus(t)
}

// CreateRenderer implements [fyne.Widget].
func (t *tree) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewDrawing(t, t.least, t.place, t.paint, t.rows, t.line, t.field, t.problem.box, t.ghost.root)
}

func (t *tree) least() fyne.Size {
	rows := len(t.lines)
	if t.naming.on && t.naming.choice.Toolbox == "" {
		rows++ // the field for a new toolbox
	}
	return fyne.NewSize(200, float32(rows)*step)
}

// place lays out the parts.
func (t *tree) place(size fyne.Size) {
	t.rows.Resize(size)
	t.see()
	if t.drag.on && t.drag.ok && t.drag.landing.Line != noRow {
		left := float32(4)
		if t.drag.landing.Deep {
			left = stateLeft
		}
		y := float32(t.drag.landing.Line)*step - rowGap/2 - 1.5
		t.line.Move(fyne.NewPos(left, max(0, y)))
		t.line.Resize(fyne.NewSize(max(0, size.Width-left-4), 3))
	}
	if t.drag.on {
		t.ghost.follow(t.drag.at.AddXY(0, t.scroll.Offset.Y), size.Width)
	}
	if t.naming.on {
		row, left := t.namingRow(), float32(foldWidth)-4
		if t.naming.choice.Server != "" {
			left = serverLeft - 8
		}
		top := float32(row) * step
		t.field.Move(fyne.NewPos(left, top-1))
		t.field.Resize(fyne.NewSize(size.Width-left, rowHeight+2))
		height := t.problem.height(size.Width - left)
		below := top + rowHeight + 4
		if below+height > max(size.Height, t.scroll.Size().Height) {
			below = top - height - 4
		}
		t.problem.box.Move(fyne.NewPos(left, below))
		t.problem.box.Resize(fyne.NewSize(size.Width-left, height))
	}
}

// paint shows and colours the parts.
func (t *tree) paint() {
	look, variant := t.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	t.line.FillColor = look.Color(theme.ColorAccent, variant)
	t.line.CornerRadius = 1.5
	kit.SetVisible(t.line, t.drag.on && t.drag.ok && t.drag.landing.Line != noRow)
	kit.SetVisible(t.ghost.root, t.drag.on)
	kit.SetVisible(t.field, t.naming.on)
	kit.SetVisible(t.problem.box, t.naming.on && t.problem.words.Text() != "")
}
