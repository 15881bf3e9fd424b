// Package code shows and edits text in letters of one width: [Entry] is the editor, [NewDifference] shows what differs
// between two texts, and [Whole] shows a long text in a box.
package code

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/kit"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Entry is an editor for code with line numbers and marks. It draws only the visible part, so a text of a megabyte
// is drawn as fast as a short one. Lines do not wrap.
//
// The editor has its own undo history. Right after it has got the focus, and after Esc, the Tab key leaves the text,
// as in other controls. Once the user has typed or moved in the text, Tab indents.
type Entry struct {
	widget.BaseWidget

	// OnChanged is called after the user has changed the text; it may be nil. SetText does not call it.
	OnChanged func(text string)

	// OnFocusLost is called when the text loses the focus; it may be nil.
	OnFocusLost func()

	// OnKept is called when the user tries to change a part that cannot be changed, see [Entry.Keep]. It may be nil.
	OnKept func()

	// OnShortcut gets the shortcuts that the editor does not use itself. It reports whether it has used the shortcut. If
	// it has not, or if OnShortcut is nil, the window gets the shortcut.
	OnShortcut func(fyne.Shortcut) bool

	buffer   codeBuffer
	caret    codePos
	anchor   codePos        // the other end of the selection; equal to caret if nothing is selected
	wanted   int            // the cell that the caret keeps to while it moves up and down; -1 for its current cell
	marks    map[int][]Mark // by line, counted from 0
	readOnly bool

	difference []DifferentLine // the lines of a difference; nil for an ordinary text

	area   *codeArea
	gutter *codeGutter
	scroll *container.Scroll
	widest int // width of the longest line, in cells
}

// Mark marks a place in a text, such as the place of a problem. Line and Column count from 1. Column and Length are in
// characters. A mark of length 0 is drawn one character long.
type Mark struct {
	Line, Column, Length int
	State                theme.State
}

// NewEntry returns an empty editor.
func NewEntry() *Entry {
	e := &Entry{wanted: -1}
	e.buffer.set("")
	e.area = &codeArea{entry: e}
	e.area.Attach(e, e.area.refocus)
	e.area.ExtendBaseWidget(e.area)
	e.gutter = &codeGutter{entry: e}
	e.gutter.ExtendBaseWidget(e.gutter)
	e.scroll = container.NewScroll(e.area)
	e.scroll.OnScrolled = func(fyne.Position) { e.redraw() }
	e.ExtendBaseWidget(e)
	return e
}

// Text returns the whole text.
func (e *Entry) Text() string { return e.buffer.text() }

// SetText replaces the text and forgets the history. The caret stays where it is, or goes to the nearest place that
// exists.
func (e *Entry) SetText(text string) {
	e.buffer.set(text)
	e.caret = e.buffer.clamp(e.caret)
	e.anchor = e.caret
	e.wanted = -1
	e.remeasure()
}

// SetMarks replaces the marks.
func (e *Entry) SetMarks(marks []Mark) {
	e.marks = map[int][]Mark{}
	for _, mark := range marks {
		e.marks[mark.Line-1] = append(e.marks[mark.Line-1], mark)
	}
	e.redraw()
}

// SetReadOnly sets whether the text can only be read and copied.
func (e *Entry) SetReadOnly(readOnly bool) {
	e.readOnly = readOnly
	e.redraw()
}

// ReadOnly reports whether the text can only be read and copied.
func (e *Entry) ReadOnly() bool { return e.readOnly }

// Goto moves the caret to the character at a line and column and scrolls there. Both count from 1. If the place does
// not exist, the caret goes to the nearest one.
func (e *Entry) Goto(line, column int) {
	p := e.buffer.clamp(codePos{line: line - 1})
	p.at = byteAt(e.buffer.lines[p.line], column)
	e.moveTo(p, false)
}

// Select selects length characters of a line and scrolls to them. line and column count from 1.
func (e *Entry) Select(line, column, length int) {
	e.Goto(line, column)
	p := e.caret
	p.at = byteAt(e.buffer.lines[p.line], column+length)
	e.moveTo(p, true)
}

// Caret returns the place of the caret, counted from 1.
func (e *Entry) Caret() (line, column int) {
	return e.caret.line + 1, e.buffer.column(e.caret)
}

// Focusable returns the object that takes the focus.
func (e *Entry) Focusable() fyne.Focusable { return e.area }

// Focused reports whether the text has the focus.
func (e *Entry) Focused() bool { return e.area.HasFocus() }

// Undo undoes the last change, and reports whether there was one.
func (e *Entry) Undo() bool { return e.history(e.buffer.undo) }

// Redo repeats the change that was undone last, and reports whether there was one.
func (e *Entry) Redo() bool { return e.history(e.buffer.redo) }

func (e *Entry) history(step func() (codePos, bool)) bool {
	if e.readOnly {
		return false
	}
	at, ok := step()
	if ok {
		e.changed(at)
	}
	return ok
}

// selection returns the selected range in order.
func (e *Entry) selection() (from, to codePos) {
	if e.caret.before(e.anchor) {
		return e.caret, e.anchor
	}
	return e.anchor, e.caret
}

// SelectedText returns the selected text, with "\n" between its lines.
func (e *Entry) SelectedText() string { return e.buffer.between(e.selection()) }

// insert replaces the selection by a text.
func (e *Entry) insert(text string, typing bool) {
	if e.readOnly {
		return
	}
	from, to := e.selection()
	if text == "" && from == to {
		return
	}
	if e.buffer.keeps(from, to) {
		if e.OnKept != nil {
			e.OnKept()
		}
		return
	}
	e.changed(e.buffer.change(from, to, text, typing && from == to))
}

// remove removes the selection or, if nothing is selected, the text between the caret and to.
func (e *Entry) remove(to codePos) {
	single := e.anchor == e.caret
	if single {
		e.anchor = to
	}
	if !e.readOnly {
		e.insert("", false)
	}
	if single || e.readOnly {
		e.anchor = e.caret // also if nothing could be removed
	}
}

// changed updates the editor after a change, and moves the caret.
func (e *Entry) changed(caret codePos) {
	e.caret, e.anchor, e.wanted = caret, caret, -1
	e.remeasure()
	e.reveal()
	if e.OnChanged != nil {
		e.OnChanged(e.Text())
	}
}

// moveTo moves the caret to a place. If selecting is set, the selection is extended to that place.
func (e *Entry) moveTo(p codePos, selecting bool) {
	e.caret = p
	if !selecting {
		e.anchor = p
	}
	e.wanted = -1
	e.reveal()
	e.redraw()
}

// moveLines moves the caret down by a number of lines, or up if the number is negative. The caret stays in its cell if
// the line is long enough.
func (e *Entry) moveLines(lines int, selecting bool) {
	wanted := e.wanted
	if wanted < 0 {
		wanted = cellOf(e.buffer.lines[e.caret.line], e.caret.at)
	}
	line := e.caret.line + lines
	p := e.buffer.clamp(codePos{line: line})
	p.at = atCell(e.buffer.lines[p.line], float32(wanted))
	switch {
	case line < 0:
		p = codePos{}
	case line >= len(e.buffer.lines):
		p = e.buffer.end()
	}
	e.moveTo(p, selecting)
	e.wanted = wanted
}

// indent indents the selected lines, or unindents them if back is set. If back is not set and the selection is within
// one line, one step of indentation replaces the selection.
func (e *Entry) indent(back bool) {
	if e.readOnly {
		return
	}
	from, to := e.selection()
	unit := e.indentUnit()
	if !back && from.line == to.line {
		e.insert(unit, false)
		return
	}
	changed := false
	for line := from.line; line <= to.line; line++ {
		text := e.buffer.lines[line]
		start := codePos{line: line}
		switch {
		case !back && text != "":
			e.buffer.change(start, start, unit, false)
		case back && strings.HasPrefix(text, "\t"):
			e.buffer.change(start, codePos{line, 1}, "", false)
		case back && strings.HasPrefix(text, " "):
			spaces := len(text) - len(strings.TrimLeft(text, " "))
			e.buffer.change(start, codePos{line, min(spaces, len(strings.ReplaceAll(unit, "\t", "    ")))}, "", false)
		default:
			continue
		}
		if changed {
			e.buffer.join()
		}
		changed = true
		move := len(e.buffer.lines[line]) - len(text)
		for _, p := range []*codePos{&e.caret, &e.anchor} {
			if p.line == line {
				p.at = max(0, p.at+move)
			}
		}
	}
	if changed {
		caret, anchor := e.buffer.clamp(e.caret), e.buffer.clamp(e.anchor)
		e.changed(caret)
		e.anchor = anchor
		e.redraw()
	}
}

// indentUnit returns one step of indentation: a tab or two to four spaces, like the first line that is indented by a
// tab or by two spaces or more. If none of the first thousand lines is, the step is two spaces.
func (e *Entry) indentUnit() string {
	for i, line := range e.buffer.lines {
		if strings.HasPrefix(line, "\t") {
			return "\t"
		}
		if spaces := len(line) - len(strings.TrimLeft(line, " ")); spaces > 1 && spaces < len(line) {
			return strings.Repeat(" ", min(spaces, 4))
		}
		if i > 1000 {
			break
		}
	}
	return "  "
}

// breakLine starts a new line with the indentation of the current line. After { or [, the new line is indented by one
// step more.
func (e *Entry) breakLine() {
	from, _ := e.selection()
	line := e.buffer.lines[from.line][:from.at]
	space := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if trimmed := strings.TrimRight(line, " \t"); strings.HasSuffix(trimmed, "{") || strings.HasSuffix(trimmed, "[") {
		space += e.indentUnit()
	}
	e.insert("\n"+space, false)
}

// remeasure measures the text and draws it.
func (e *Entry) remeasure() {
	e.widest = 0
	for _, line := range e.buffer.lines {
		// Measure only lines that can be wider: a line has at most as many cells as bytes, or four times as many if it has
		// tabs.
		if len(line) > e.widest || len(line)*tabStop > e.widest && strings.IndexByte(line, '\t') >= 0 {
			e.widest = max(e.widest, cellOf(line, len(line)))
		}
	}
	e.area.Resize(e.area.MinSize().Max(e.scroll.Size()))
	e.scroll.Refresh()
	e.Refresh()
}

// caretAt returns the position of the caret in the area.
func (e *Entry) caretAt() (x, y float32) {
	cell := e.area.cell()
	return codePad + float32(cellOf(e.buffer.lines[e.caret.line], e.caret.at))*cell.Width,
		codePad + float32(e.caret.line)*cell.Height
}

// caretInSight reports whether the caret is in the visible part. It returns true before the editor has a size.
func (e *Entry) caretInSight() bool {
	x, y := e.caretAt()
	from, view := e.scroll.Offset, e.scroll.Size()
	return view.Width <= 0 || view.Height <= 0 || x >= from.X && x < from.X+view.Width && y >= from.Y &&
		y < from.Y+view.Height
}

// reveal scrolls to the caret.
func (e *Entry) reveal() {
	view := e.scroll.Size()
	if view.Width <= 0 || view.Height <= 0 {
		return
	}
	cell, offset := e.area.cell(), e.scroll.Offset
	x, y := e.caretAt()
	offset.X = min(max(offset.X, x+6*cell.Width-view.Width), max(0, x-4*cell.Width))
	offset.Y = min(max(offset.Y, y+2*cell.Height-view.Height), max(0, y-cell.Height/2))
	full := e.area.MinSize()
	offset.X = max(0, min(offset.X, full.Width-view.Width))
	offset.Y = max(0, min(offset.Y, full.Height-view.Height))
	if offset != e.scroll.Offset {
		e.scroll.ScrollToOffset(offset)
	}
}

func (e *Entry) redraw() {
	e.area.Refresh()
	e.gutter.Refresh()
}

// Parts implements [kit.Composed]. An editor in which the user can type uses the keys that scroll itself.
func (e *Entry) Parts() []fyne.CanvasObject {
	if e.readOnly {
		return []fyne.CanvasObject{e.scroll}
	}
	return nil
}

// CreateRenderer implements [fyne.Widget].
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	ground := kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel, Line: theme.ColorLine, Radius: theme.SizeFieldRadius}, nil)
	least := func() fyne.Size {
		cell := e.area.cell()
		return fyne.NewSize(e.gutter.MinSize().Width+20*cell.Width, 4*cell.Height+2*codePad)
	}
	return kit.NewSketch(e, least, func(objects []fyne.CanvasObject) []fyne.CanvasObject {
		size, gutter := e.Size(), e.gutter.MinSize().Width
		ground.SetLine(theme.ColorLine)
		if e.area.HasFocus() {
			ground.SetLine(theme.ColorAccent)
		}
		ground.Resize(size)
		ground.Refresh()
		e.gutter.Move(fyne.NewPos(1, 1))
		e.gutter.Resize(fyne.NewSize(gutter, size.Height-2))
		e.scroll.Move(fyne.NewPos(1+gutter, 1))
		if view := fyne.NewSize(size.Width-gutter-2, size.Height-2); view != e.scroll.Size() {
			follows := e.caretInSight()
			e.scroll.Resize(view)
			if follows { // the editor has become smaller, which must not push the caret out of view
				e.reveal()
			}
		}
		e.redraw()
		return append(objects, ground, e.gutter, e.scroll)
	})
}

// LieOn makes the page scroll to the editor when the editor gets the focus.
func (e *Entry) LieOn(page *kit.Page) { e.area.LieOn(page) }
