package code

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// codePad is the space around the text of an Entry, in pixels.
const codePad = 6

// codeArea is the text of an Entry. It is as large as the whole text, but has objects only for the visible part.
type codeArea struct {
	widget.BaseWidget
	kit.Keyboard
	entry   *Entry
	shift   bool // the Shift key is held down
	leaving bool // Tab leaves the text, because the user has done nothing in it yet, or because Esc was the last key
}

// cell returns the size of the cell of a letter. The height includes some space between lines.
func (a *codeArea) cell() fyne.Size { return monoCell(a.textSize()).AddWidthHeight(0, 2) }

// monoCell returns the size of a letter in the fixed-width font. The height is in whole pixels, so that there is no
// gap between the backgrounds of two lines.
func monoCell(textSize float32) fyne.Size {
	const many = "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM" // measure many letters, because the width is rounded
	size := fyne.MeasureText(many, textSize, fyne.TextStyle{Monospace: true})
	return fyne.NewSize(size.Width/float32(len(many)), float32(math.Ceil(float64(size.Height))))
}

func (a *codeArea) textSize() float32 { return a.Theme().Size(theme.SizeText) - 1 }

// MinSize returns the size of the whole text.
func (a *codeArea) MinSize() fyne.Size {
	a.ExtendBaseWidget(a)
	cell := a.cell()
	return fyne.NewSize(2*codePad+float32(a.entry.widest+1)*cell.Width,
		2*codePad+float32(len(a.entry.buffer.lines))*cell.Height)
}

// visible returns the range of visible lines, counted from 0; to is not included.
func (a *codeArea) visible() (from, to int) {
	cell := a.cell()
	top := a.entry.scroll.Offset.Y - codePad
	from = max(0, int(top/cell.Height))
	to = min(len(a.entry.buffer.lines), int((top+a.entry.scroll.Size().Height)/cell.Height)+1)
	return min(from, to), to
}

// at returns the place in the text that is nearest to a position.
func (a *codeArea) at(position fyne.Position) codePos {
	cell := a.cell()
	p := a.entry.buffer.clamp(codePos{line: int((position.Y - codePad) / cell.Height)})
	p.at = atCell(a.entry.buffer.lines[p.line], (position.X-codePad)/cell.Width)
	return p
}

// CreateRenderer implements [fyne.Widget].
func (a *codeArea) CreateRenderer() fyne.WidgetRenderer {
	r := &codeAreaRenderer{area: a, caret: canvas.NewRectangle(nil), here: canvas.NewRectangle(nil)}
	return kit.NewSketch(a, a.MinSize, r.draw)
}

type codeAreaRenderer struct {
	area  *codeArea
	here  *canvas.Rectangle // the background of the caret's line
	caret *canvas.Rectangle

	grounds kit.Pool[*canvas.Rectangle] // behind selected text, parts that cannot be changed, and added or removed lines
	under   kit.Pool[*canvas.Rectangle] // lines under marked text
	texts   monoTexts
}

// draw makes the objects for the visible part. It reuses those of the previous drawing.
func (r *codeAreaRenderer) draw(objects []fyne.CanvasObject) []fyne.CanvasObject {
	a := r.area
	e := a.entry
	look, variant := a.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	paint := func(name fyne.ThemeColorName) color.Color { return look.Color(name, variant) }
	cell, size := a.cell(), a.textSize()
	x := func(cells int) float32 { return codePad + float32(cells)*cell.Width }
	y := func(line int) float32 { return codePad + float32(line)*cell.Height }

	from, to := a.visible()
	left := max(0, int((e.scroll.Offset.X-codePad)/cell.Width))
	right := left + int(e.scroll.Size().Width/cell.Width) + 2
	selFrom, selTo := e.selection()
	// bar fills the visible cells of a line from start up to, but not including, end. top is the distance from the upper
	// edge of the line.
	bar := func(of *kit.Pool[*canvas.Rectangle], line, start, end int, top, height float32, fill color.Color) {
		if start, end = max(start, left), min(end, right); end > start {
			kit.Fill(of.Next(kit.NewRectangle), fyne.NewPos(x(start), y(line)+top),
				fyne.NewSize(float32(end-start)*cell.Width, height), fill)
		}
	}

	kept := e.buffer.kept
	for len(kept) > 0 && kept[0].line < from {
		kept = kept[1:]
	}
	for line := from; line < to; line++ {
		text, look := e.buffer.lines[line], e.look(line)
		if look.sign != "" {
			kit.Fill(r.grounds.Next(kit.NewRectangle), fyne.NewPos(e.scroll.Offset.X, y(line)),
				fyne.NewSize(e.scroll.Size().Width, cell.Height), faint(paint(look.state.Color())))
		}
		for ; len(kept) > 0 && kept[0].line == line; kept = kept[1:] {
			bar(&r.grounds, line, cellOf(text, kept[0].from), cellOf(text, kept[0].to), 1, cell.Height-2, paint(keptGround))
		}
		start, end := e.selectedIn(line)
		bar(&r.grounds, line, start, end, 0, cell.Height, paint(base.ColorNameFocus))
		for _, mark := range e.marks[line] {
			start := cellOf(text, byteAt(text, mark.Column))
			end := max(start+1, cellOf(text, byteAt(text, mark.Column+max(1, mark.Length))))
			bar(&r.under, line, start, end, cell.Height-3, 2, paint(mark.State.Color()))
		}
		for _, run := range codeRuns(text, left, right) {
			ink := theme.ColorText
			switch {
			case run.odd:
				ink = theme.ColorWorking
			case look.muted:
				ink = theme.ColorMuted
			}
			// Cut off the text to the left of the visible part, so that no text is ever wider than the screen.
			if cut := left - run.cell; cut > 0 && len(run.text) > cut && run.text[0] < 0x80 {
				run.text, run.cell = run.text[cut:], left
			}
			r.texts.write(run.text, paint(ink), size, fyne.NewPos(x(run.cell), y(line)+1),
				fyne.NewSize(cell.Width, cell.Height-2))
		}
	}

	caretCell := cellOf(e.buffer.lines[e.caret.line], e.caret.at)
	if a.HasFocus() {
		kit.Fill(r.here, fyne.NewPos(e.scroll.Offset.X, y(e.caret.line)), fyne.NewSize(e.scroll.Size().Width, cell.Height),
			paint(theme.ColorChip))
		if selFrom == selTo {
			objects = append(objects, r.here)
		}
	}
	objects = r.texts.Take(r.under.Take(r.grounds.Take(objects)))
	if a.HasFocus() {
		kit.Fill(r.caret, fyne.NewPos(x(caretCell)-1, y(e.caret.line)), fyne.NewSize(2, cell.Height), paint(theme.ColorAccent))
		objects = append(objects, r.caret)
	}
	return objects
}

// selectedIn returns the selected cells of a line: from start up to, but not including, end. Both are 0 if the
// selection does not touch the line.
func (e *Entry) selectedIn(line int) (start, end int) {
	from, to := e.selection()
	if from == to || line < from.line || to.line < line {
		return 0, 0
	}
	text := e.buffer.lines[line]
	if line == from.line {
		start = cellOf(text, from.at)
	}
	if line == to.line {
		return start, cellOf(text, to.at)
	}
	return start, cellOf(text, len(text)) + 1 // the line break is selected too
}

// monoTexts are the objects of a text on a grid of cells.
type monoTexts struct{ kit.Pool[*canvas.Text] }

// write adds a text to the drawing. at is its position, and cell is the size of a cell.
func (m *monoTexts) write(text string, ink color.Color, size float32, at fyne.Position, cell fyne.Size) {
	object := m.Next(kit.NewCanvasText)
	object.Text, object.Color, object.TextSize, object.TextStyle = text, ink, size, fyne.TextStyle{Monospace: true}
	object.Move(at)
	// at least as wide as the text: Fyne does not draw objects out of view
	object.Resize(fyne.NewSize(float32(len(text))*cell.Width, cell.Height))
	object.Refresh()
}

// faint makes a colour so transparent that text on it can be read.
func faint(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0x22}
}

var (
	_ desktop.Mouseable   = (*codeArea)(nil)
	_ desktop.Cursorable  = (*codeArea)(nil)
	_ fyne.Draggable      = (*codeArea)(nil)
	_ fyne.Tappable       = (*codeArea)(nil)
	_ fyne.DoubleTappable = (*codeArea)(nil)
)

// Cursor returns the cursor for text.
func (a *codeArea) Cursor() desktop.Cursor { return desktop.TextCursor }

// MouseDown moves the caret to the pointer. With the Shift key, it extends the selection.
func (a *codeArea) MouseDown(event *desktop.MouseEvent) {
	if event.Button != desktop.MouseButtonPrimary {
		return
	}
	kit.Focus(a)
	a.leaving = false
	a.entry.moveTo(a.at(event.Position), event.Modifier&fyne.KeyModifierShift != 0)
}

// MouseUp implements [desktop.Mouseable].
func (a *codeArea) MouseUp(*desktop.MouseEvent) {}

// Tapped focuses the text. MouseDown has moved the caret already.
func (a *codeArea) Tapped(event *fyne.PointEvent) { kit.Focus(a) }

// DoubleTapped selects a word.
func (a *codeArea) DoubleTapped(event *fyne.PointEvent) {
	e := a.entry
	p := a.at(event.Position)
	from, to := p, p
	line := e.buffer.lines[p.line]
	for from.at > 0 && wordRune(rune(line[from.at-1])) {
		from.at--
	}
	for to.at < len(line) && wordRune(rune(line[to.at])) {
		to.at++
	}
	e.anchor, e.caret = e.buffer.clamp(from), e.buffer.clamp(to)
	e.redraw()
}

// Dragged extends the selection.
func (a *codeArea) Dragged(event *fyne.DragEvent) { a.entry.moveTo(a.at(event.Position), true) }

// DragEnd implements [fyne.Draggable].
func (a *codeArea) DragEnd() {}

// codeGutter shows the numbers of the visible lines, the icons of their marks, and the signs of added and removed
// lines.
type codeGutter struct {
	widget.BaseWidget
	entry *Entry
}

// MinSize returns room for the highest number and one icon.
func (g *codeGutter) MinSize() fyne.Size {
	if !g.Visible() {
		return fyne.Size{}
	}
	g.ExtendBaseWidget(g)
	highest := len(g.entry.buffer.lines)
	for _, line := range g.entry.difference {
		highest = max(highest, line.Number)
	}
	digits := max(2, len(strconv.Itoa(highest)))
	return fyne.NewSize(gutterMark+float32(digits)*g.entry.area.cell().Width+10, 0)
}

// gutterMark is the width of the column for icons.
const gutterMark = 20

// CreateRenderer implements [fyne.Widget].
func (g *codeGutter) CreateRenderer() fyne.WidgetRenderer {
	r := &codeGutterRenderer{gutter: g, edge: canvas.NewRectangle(nil)}
	return kit.NewSketch(g, g.MinSize, r.draw)
}

type codeGutterRenderer struct {
	gutter *codeGutter
	edge   *canvas.Rectangle
	icons  kit.Pool[*widget.Icon] // of the marks
	texts  monoTexts              // numbers and signs
}

func (r *codeGutterRenderer) draw(objects []fyne.CanvasObject) []fyne.CanvasObject {
	e := r.gutter.entry
	look, variant := r.gutter.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	cell, size := e.area.cell(), r.gutter.Size()
	kit.Fill(r.edge, fyne.NewPos(size.Width-1, 0), fyne.NewSize(1, size.Height), look.Color(theme.ColorLine, variant))
	objects = append(objects, r.edge)
	from, to := e.area.visible()
	write := func(x, y float32, text string, ink fyne.ThemeColorName) {
		r.texts.write(text, look.Color(ink, variant), e.area.textSize(), fyne.NewPos(x, y),
			fyne.NewSize(cell.Width, cell.Height-2))
	}
	for line := from; line < to; line++ {
		top := codePad + float32(line)*cell.Height - e.scroll.Offset.Y
		if top+cell.Height > size.Height || top < 0 && top > -cell.Height && top+2 < 0 {
			continue // a number is not cut in two
		}
		shown, ink := e.look(line), theme.ColorMuted
		if marks := e.marks[line]; len(marks) > 0 {
			worst := worstMark(marks)
			ink = worst.Color()
			icon := r.icons.Next(func() *widget.Icon { return widget.NewIcon(nil) })
			icon.SetResource(worst.Icon())
			icon.Move(fyne.NewPos(5, top+(cell.Height-12)/2))
			icon.Resize(fyne.NewSquareSize(12))
		}
		if shown.sign != "" {
			write(7, top+1, shown.sign, shown.state.Color())
		}
		write(size.Width-7-float32(len(shown.number))*cell.Width, top+1, shown.number, ink)
	}
	return r.texts.Take(r.icons.Take(objects))
}

func worstMark(marks []Mark) theme.State {
	if slices.ContainsFunc(marks, func(m Mark) bool { return m.State == theme.StateWrong }) {
		return theme.StateWrong
	}
	return marks[0].State
}
