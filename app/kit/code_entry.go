package kit

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// CodeEntry is an editor for code: lines with numbers, letters on a grid, marks at places in it. It draws only what can
// be seen, so a text of a megabyte is as quick as a short one. Lines are not wrapped.
//
// What is typed in it is undone by it. Once one has typed or moved in it, the Tab key indents; after Esc it leaves the text, as
// everywhere else.
type CodeEntry struct {
	widget.BaseWidget

	// OnChanged is called after the user has changed the text, not after SetText.
	OnChanged func(text string)

	page *Page // that it lies on, or nil

	// OnFocusLost is called when the keyboard goes elsewhere.
	OnFocusLost func()

	// OnKept is called when the user wants to change what is kept, see [CodeEntry.Keep]; it may be nil.
	OnKept func()

	// OnShortcut is asked first about shortcuts other than those for copying, undoing and moving; it reports whether it
	// has used one. The others go to the window.
	OnShortcut func(fyne.Shortcut) bool

	buffer   codeBuffer
	caret    codePos
	anchor   codePos // the other end of the selection; the caret itself when nothing is selected
	wanted   int     // the cell that the caret keeps to when it moves up and down, -1 when it has none
	marks    map[int][]Mark
	readOnly bool

	difference []DifferentLine // what the lines are in a difference; nil: they are a text of their own

	area   *codeArea
	gutter *codeGutter
	scroll *container.Scroll
	widest int // cells of the longest line
}

// Mark is something worth knowing about a place in a text. Lines and columns count from 1, columns count characters; a
// mark without length is drawn one character long.
type Mark struct {
	Line, Column, Length int
	State                theme.State
}

// NewCodeEntry returns an empty editor.
func NewCodeEntry() *CodeEntry {
	e := &CodeEntry{wanted: -1}
	e.buffer.set("")
	e.area = &codeArea{entry: e}
	e.area.ExtendBaseWidget(e.area)
	e.gutter = &codeGutter{entry: e}
	e.gutter.ExtendBaseWidget(e.gutter)
	e.scroll = container.NewScroll(e.area)
	e.scroll.OnScrolled = func(fyne.Position) { e.redraw() }
	e.ExtendBaseWidget(e)
	return e
}

// Text is the whole text.
func (e *CodeEntry) Text() string { return e.buffer.text() }

// SetText shows another text and forgets what could be undone. The caret stays in its line as far as there is such a one.
func (e *CodeEntry) SetText(text string) {
	e.buffer.set(text)
	e.caret = e.buffer.clamp(e.caret)
	e.anchor = e.caret
	e.wanted = -1
	e.remeasure()
}

// SetMarks shows other marks.
func (e *CodeEntry) SetMarks(marks []Mark) {
	e.marks = map[int][]Mark{}
	for _, mark := range marks {
		e.marks[mark.Line-1] = append(e.marks[mark.Line-1], mark)
	}
	e.redraw()
}

// SetReadOnly lets the text be read and copied only, or changed again.
func (e *CodeEntry) SetReadOnly(readOnly bool) {
	e.readOnly = readOnly
	e.redraw()
}

// ReadOnly reports whether the text cannot be changed.
func (e *CodeEntry) ReadOnly() bool { return e.readOnly }

// Goto puts the caret at a place and brings it into sight. Both count from 1; what is outside becomes the nearest place.
func (e *CodeEntry) Goto(line, column int) {
	p := e.buffer.clamp(codePos{line: line - 1})
	p.at = byteAt(e.buffer.lines[p.line], column)
	e.moveTo(p, false)
}

// Select selects so many letters of a line, counted from 1 as Goto does, and brings them into sight.
func (e *CodeEntry) Select(line, column, length int) {
	e.Goto(line, column)
	p := e.caret
	p.at = byteAt(e.buffer.lines[p.line], column+length)
	e.moveTo(p, true)
}

// Caret is where the caret is, both from 1.
func (e *CodeEntry) Caret() (line, column int) {
	return e.caret.line + 1, e.buffer.column(e.caret)
}

// Focusable is what the keyboard goes to.
func (e *CodeEntry) Focusable() fyne.Focusable { return e.area }

// Focused reports whether the keyboard is here.
func (e *CodeEntry) Focused() bool { return e.area.focused }

// Undo takes back the last change, and reports whether there was one.
func (e *CodeEntry) Undo() bool { return e.history(e.buffer.undo) }

// Redo does again what Undo took back, and reports whether there was something.
func (e *CodeEntry) Redo() bool { return e.history(e.buffer.redo) }

func (e *CodeEntry) history(step func() (codePos, bool)) bool {
	if e.readOnly {
		return false
	}
	at, ok := step()
	if ok {
		e.changed(at)
	}
	return ok
}

// selection is what is selected, from its beginning to its end.
func (e *CodeEntry) selection() (from, to codePos) {
	if e.caret.before(e.anchor) {
		return e.caret, e.anchor
	}
	return e.anchor, e.caret
}

// SelectedText is the selected part, with "\n" between its lines.
func (e *CodeEntry) SelectedText() string { return e.buffer.between(e.selection()) }

// insert puts a text in the place of the selection.
func (e *CodeEntry) insert(text string, typing bool) {
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

// remove takes the selection out or, without one, what is between the caret and a place.
func (e *CodeEntry) remove(to codePos) {
	single := e.anchor == e.caret
	if single {
		e.anchor = to
	}
	if !e.readOnly {
		e.insert("", false)
	}
	if single || e.readOnly {
		e.anchor = e.caret // also when nothing could be removed
	}
}

// changed follows a change of the text that leaves the caret at a place.
func (e *CodeEntry) changed(caret codePos) {
	e.caret, e.anchor, e.wanted = caret, caret, -1
	e.remeasure()
	e.reveal()
	if e.OnChanged != nil {
		e.OnChanged(e.Text())
	}
}

// moveTo puts the caret somewhere else; with selecting, the selection is stretched to there.
func (e *CodeEntry) moveTo(p codePos, selecting bool) {
	e.caret = p
	if !selecting {
		e.anchor = p
	}
	e.wanted = -1
	e.reveal()
	e.redraw()
}

// moveLines moves the caret up or down, keeping to its column.
func (e *CodeEntry) moveLines(lines int, selecting bool) {
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

// indent puts a step of space before the selected lines, or takes one away; without a selection of several lines it
// inserts one.
func (e *CodeEntry) indent(back bool) {
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

// indentUnit is what lines are indented with: what the text has already, else two spaces.
func (e *CodeEntry) indentUnit() string {
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

// breakLine begins a new line, indented as the one before and one step more behind an opening bracket.
func (e *CodeEntry) breakLine() {
	from, _ := e.selection()
	line := e.buffer.lines[from.line][:from.at]
	space := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if trimmed := strings.TrimRight(line, " \t"); strings.HasSuffix(trimmed, "{") || strings.HasSuffix(trimmed, "[") {
		space += e.indentUnit()
	}
	e.insert("\n"+space, false)
}

// remeasure finds how much room the text needs, and draws it.
func (e *CodeEntry) remeasure() {
	e.widest = 0
	for _, line := range e.buffer.lines {
		// A line cannot have more cells than bytes, or with tabs than four times as many, which spares looking at most of them.
		if len(line) > e.widest || len(line)*tabStop > e.widest && strings.IndexByte(line, '\t') >= 0 {
			e.widest = max(e.widest, cellOf(line, len(line)))
		}
	}
	e.area.Resize(e.area.MinSize().Max(e.scroll.Size()))
	e.scroll.Refresh()
	e.Refresh()
}

// reveal scrolls so far that the caret can be seen.
func (e *CodeEntry) reveal() {
	view := e.scroll.Size()
	if view.Width <= 0 || view.Height <= 0 {
		return
	}
	cell := e.area.cell()
	x := codePad + float32(cellOf(e.buffer.lines[e.caret.line], e.caret.at))*cell.Width
	y := codePad + float32(e.caret.line)*cell.Height
	offset := e.scroll.Offset
	offset.X = min(max(offset.X, x+6*cell.Width-view.Width), max(0, x-4*cell.Width))
	offset.Y = min(max(offset.Y, y+2*cell.Height-view.Height), max(0, y-cell.Height/2))
	full := e.area.MinSize()
	offset.X = max(0, min(offset.X, full.Width-view.Width))
	offset.Y = max(0, min(offset.Y, full.Height-view.Height))
	if offset != e.scroll.Offset {
		e.scroll.ScrollToOffset(offset)
	}
}

func (e *CodeEntry) redraw() {
	e.area.Refresh()
	e.gutter.Refresh()
}

// CreateRenderer is for Fyne.
func (e *CodeEntry) CreateRenderer() fyne.WidgetRenderer {
	ground := NewBox(BoxStyle{Fill: theme.ColorPanel, Line: theme.ColorLine, Radius: theme.SizeFieldRadius}, nil)
	return &codeRenderer{entry: e, ground: ground, objects: []fyne.CanvasObject{ground, e.gutter, e.scroll}}
}

type codeRenderer struct {
	entry   *CodeEntry
	ground  *Box
	objects []fyne.CanvasObject
}

func (r *codeRenderer) Destroy()                     {}
func (r *codeRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *codeRenderer) MinSize() fyne.Size {
	cell := r.entry.area.cell()
	return fyne.NewSize(r.entry.gutter.MinSize().Width+20*cell.Width, 4*cell.Height+2*codePad)
}

func (r *codeRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	gutter := r.entry.gutter.MinSize().Width
	r.entry.gutter.Move(fyne.NewPos(1, 1))
	r.entry.gutter.Resize(fyne.NewSize(gutter, size.Height-2))
	r.entry.scroll.Move(fyne.NewPos(1+gutter, 1))
	r.entry.scroll.Resize(fyne.NewSize(size.Width-gutter-2, size.Height-2))
	r.entry.redraw()
}

func (r *codeRenderer) Refresh() {
	r.ground.SetLine(theme.ColorLine)
	if r.entry.area.focused {
		r.ground.SetLine(theme.ColorAccent)
	}
	r.Layout(r.entry.Size())
	r.ground.Refresh()
}

// lieOn has the page show the editor when it gets the keyboard.
func (e *CodeEntry) lieOn(page *Page) { e.page = page }
