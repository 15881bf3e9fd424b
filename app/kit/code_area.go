package kit

import (
	"image/color"
	"math"
	"strconv"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// codePad is the space around the text of a CodeEntry, in pixels.
const codePad = 6

// codeArea is the text of a CodeEntry: as large as all of it, with objects for the part that can be seen.
type codeArea struct {
	widget.BaseWidget
	entry   *CodeEntry
	focused bool
	shift   bool // held down
	leaving bool // nothing was done here yet, or Esc was the last key: Tab leaves the text
}

// cell is the size of one letter. Lines are a little apart.
func (a *codeArea) cell() fyne.Size {
	const many = 32 // a letter's width is rounded, that of many less so
	size := fyne.MeasureText("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM", a.textSize(), fyne.TextStyle{Monospace: true})
	// In whole pixels, so that there is nothing between the grounds of two lines.
	return fyne.NewSize(size.Width/many, float32(math.Ceil(float64(size.Height)))+2)
}

func (a *codeArea) textSize() float32 { return a.Theme().Size(theme.SizeText) - 1 }

// MinSize is the size of the whole text.
func (a *codeArea) MinSize() fyne.Size {
	a.ExtendBaseWidget(a)
	cell := a.cell()
	return fyne.NewSize(2*codePad+float32(a.entry.widest+1)*cell.Width, 2*codePad+float32(len(a.entry.buffer.lines))*cell.Height)
}

// visible are the lines that can be seen, from the first up to the one behind the last.
func (a *codeArea) visible() (from, to int) {
	cell := a.cell()
	top := a.entry.scroll.Offset.Y - codePad
	from = max(0, int(top/cell.Height))
	to = min(len(a.entry.buffer.lines), int((top+a.entry.scroll.Size().Height)/cell.Height)+1)
	return min(from, to), to
}

// at is the place in the text nearest to a position.
func (a *codeArea) at(position fyne.Position) codePos {
	cell := a.cell()
	p := a.entry.buffer.clamp(codePos{line: int((position.Y - codePad) / cell.Height)})
	p.at = atCell(a.entry.buffer.lines[p.line], (position.X-codePad)/cell.Width)
	return p
}

// CreateRenderer is for Fyne.
func (a *codeArea) CreateRenderer() fyne.WidgetRenderer {
	r := &codeAreaRenderer{area: a, caret: canvas.NewRectangle(nil), here: canvas.NewRectangle(nil)}
	r.draw()
	return r
}

type codeAreaRenderer struct {
	area  *codeArea
	here  *canvas.Rectangle // the ground of the caret's line
	caret *canvas.Rectangle

	grounds []*canvas.Rectangle // of the selection
	under   []*canvas.Rectangle // the lines under what is marked
	texts   []*canvas.Text
	objects []fyne.CanvasObject
}

func (r *codeAreaRenderer) Destroy()                     {}
func (r *codeAreaRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *codeAreaRenderer) MinSize() fyne.Size           { return r.area.MinSize() }
func (r *codeAreaRenderer) Layout(fyne.Size)             { r.draw() }

func (r *codeAreaRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.area)
}

// draw makes the objects for what can be seen. Those of before are used again.
func (r *codeAreaRenderer) draw() {
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
	grounds, under, texts := 0, 0, 0
	rectangle := func(pool *[]*canvas.Rectangle, n *int, position fyne.Position, size fyne.Size, fill color.Color) {
		if *n == len(*pool) {
			*pool = append(*pool, canvas.NewRectangle(nil))
		}
		place((*pool)[*n], position, size, fill)
		*n++
	}

	kept := e.buffer.kept
	for len(kept) > 0 && kept[0].line < from {
		kept = kept[1:]
	}
	for line := from; line < to; line++ {
		text, look := e.buffer.lines[line], e.look(line)
		if look.sign != "" {
			rectangle(&r.grounds, &grounds, fyne.NewPos(e.scroll.Offset.X, y(line)), fyne.NewSize(e.scroll.Size().Width, cell.Height), faint(paint(look.state.Color())))
		}
		for ; len(kept) > 0 && kept[0].line == line; kept = kept[1:] {
			start, end := max(cellOf(text, kept[0].from), left), min(cellOf(text, kept[0].to), right)
			if end > start {
				rectangle(&r.grounds, &grounds, fyne.NewPos(x(start), y(line)+1), fyne.NewSize(float32(end-start)*cell.Width, cell.Height-2), paint(keptGround))
			}
		}
		if selFrom != selTo && selFrom.line <= line && line <= selTo.line {
			start, end := 0, 0
			if line == selFrom.line {
				start = cellOf(text, selFrom.at)
			}
			if line == selTo.line {
				end = cellOf(text, selTo.at)
			} else {
				end = cellOf(text, len(text)) + 1 // the line break is selected too
			}
			start, end = max(start, left), min(end, right)
			if end > start {
				rectangle(&r.grounds, &grounds, fyne.NewPos(x(start), y(line)), fyne.NewSize(float32(end-start)*cell.Width, cell.Height), paint(base.ColorNameFocus))
			}
		}
		for _, mark := range e.marks[line] {
			start := cellOf(text, byteAt(text, mark.Column))
			end := max(start+1, cellOf(text, byteAt(text, mark.Column+max(1, mark.Length))))
			start, end = max(start, left), min(end, right)
			if end > start {
				rectangle(&r.under, &under, fyne.NewPos(x(start), y(line)+cell.Height-3), fyne.NewSize(float32(end-start)*cell.Width, 2), paint(mark.State.Color()))
			}
		}
		for _, run := range codeRuns(text, left, right) {
			ink := theme.ColorText
			switch {
			case run.odd:
				ink = theme.ColorWorking
			case look.muted:
				ink = theme.ColorMuted
			}
			// What begins left of the place is cut to what is in it, so that no text is ever wider than the screen.
			if cut := left - run.cell; cut > 0 && len(run.text) > cut && run.text[0] < 0x80 {
				run.text, run.cell = run.text[cut:], left
			}
			if texts == len(r.texts) {
				r.texts = append(r.texts, canvas.NewText("", nil))
			}
			object := r.texts[texts]
			texts++
			object.Text, object.Color, object.TextSize, object.TextStyle = run.text, paint(ink), size, fyne.TextStyle{Monospace: true}
			object.Move(fyne.NewPos(x(run.cell), y(line)+1))
			object.Resize(fyne.NewSize(float32(len(run.text))*cell.Width, cell.Height-2))
			object.Refresh()
		}
	}

	r.objects = r.objects[:0]
	caretCell := cellOf(e.buffer.lines[e.caret.line], e.caret.at)
	if a.focused {
		place(r.here, fyne.NewPos(e.scroll.Offset.X, y(e.caret.line)), fyne.NewSize(e.scroll.Size().Width, cell.Height), paint(theme.ColorChip))
		if selFrom == selTo {
			r.objects = append(r.objects, r.here)
		}
	}
	for _, object := range r.grounds[:grounds] {
		r.objects = append(r.objects, object)
	}
	for _, object := range r.under[:under] {
		r.objects = append(r.objects, object)
	}
	for _, object := range r.texts[:texts] {
		r.objects = append(r.objects, object)
	}
	if a.focused {
		place(r.caret, fyne.NewPos(x(caretCell)-1, y(e.caret.line)), fyne.NewSize(2, cell.Height), paint(theme.ColorAccent))
		r.objects = append(r.objects, r.caret)
	}
}

// faint is a colour as a ground on which text can be read.
func faint(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0x22}
}

func place(object *canvas.Rectangle, position fyne.Position, size fyne.Size, fill color.Color) {
	object.FillColor = fill
	object.Move(position)
	object.Resize(size)
	object.Refresh()
}

var (
	_ desktop.Mouseable   = (*codeArea)(nil)
	_ desktop.Cursorable  = (*codeArea)(nil)
	_ fyne.Draggable      = (*codeArea)(nil)
	_ fyne.Tappable       = (*codeArea)(nil)
	_ fyne.DoubleTappable = (*codeArea)(nil)
)

// Cursor shows that there is text.
func (a *codeArea) Cursor() desktop.Cursor { return desktop.TextCursor }

// MouseDown puts the caret where the mouse is.
func (a *codeArea) MouseDown(event *desktop.MouseEvent) {
	if event.Button != desktop.MouseButtonPrimary {
		return
	}
	a.focus()
	a.leaving = false
	a.entry.moveTo(a.at(event.Position), event.Modifier&fyne.KeyModifierShift != 0)
}

// MouseUp is for Fyne.
func (a *codeArea) MouseUp(*desktop.MouseEvent) {}

// Tapped is for Fyne, which asks for it so that the place can be clicked at all; MouseDown has done the work.
func (a *codeArea) Tapped(event *fyne.PointEvent) { a.focus() }

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

// Dragged stretches the selection.
func (a *codeArea) Dragged(event *fyne.DragEvent) { a.entry.moveTo(a.at(event.Position), true) }

// DragEnd is for Fyne.
func (a *codeArea) DragEnd() {}

func (a *codeArea) focus() {
	if window := fyne.CurrentApp().Driver().CanvasForObject(a); window != nil && !a.focused {
		window.Focus(a)
	}
}

// codeGutter shows the numbers of the lines that can be seen, and the shapes of their marks.
type codeGutter struct {
	widget.BaseWidget
	entry *CodeEntry
	icons []*widget.Icon // of the marks
}

// MinSize has room for the highest number and one mark.
func (g *codeGutter) MinSize() fyne.Size {
	g.ExtendBaseWidget(g)
	highest := len(g.entry.buffer.lines)
	for _, line := range g.entry.difference {
		highest = max(highest, line.Number)
	}
	digits := max(2, len(strconv.Itoa(highest)))
	return fyne.NewSize(gutterMark+float32(digits)*g.entry.area.cell().Width+10, 0)
}

// gutterMark is the width of the place for a mark.
const gutterMark = 20

// CreateRenderer is for Fyne.
func (g *codeGutter) CreateRenderer() fyne.WidgetRenderer {
	r := &codeGutterRenderer{gutter: g, edge: canvas.NewRectangle(nil)}
	r.draw()
	return r
}

type codeGutterRenderer struct {
	gutter  *codeGutter
	edge    *canvas.Rectangle
	texts   []*canvas.Text // numbers and signs
	objects []fyne.CanvasObject
}

func (r *codeGutterRenderer) Destroy()                     {}
func (r *codeGutterRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *codeGutterRenderer) MinSize() fyne.Size           { return r.gutter.MinSize() }
func (r *codeGutterRenderer) Layout(fyne.Size)             { r.draw() }

func (r *codeGutterRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.gutter)
}

func (r *codeGutterRenderer) draw() {
	e := r.gutter.entry
	look, variant := r.gutter.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	cell, size := e.area.cell(), r.gutter.Size()
	place(r.edge, fyne.NewPos(size.Width-1, 0), fyne.NewSize(1, size.Height), look.Color(theme.ColorLine, variant))
	r.objects = append(r.objects[:0], r.edge)
	from, to := e.area.visible()
	icons, texts := 0, 0
	write := func(x, y float32, text string, ink fyne.ThemeColorName) {
		if texts == len(r.texts) {
			r.texts = append(r.texts, canvas.NewText("", nil))
		}
		object := r.texts[texts]
		texts++
		object.Text, object.TextSize, object.TextStyle = text, e.area.textSize(), fyne.TextStyle{Monospace: true}
		object.Color = look.Color(ink, variant)
		object.Move(fyne.NewPos(x, y))
		object.Resize(fyne.NewSize(float32(utf8.RuneCountInString(text))*cell.Width, cell.Height-2))
		object.Refresh()
		r.objects = append(r.objects, object)
	}
	for line := from; line < to; line++ {
		top := codePad + float32(line)*cell.Height - e.scroll.Offset.Y
		if top+cell.Height > size.Height || top < 0 && top > -cell.Height && top+2 < 0 {
			continue // numbers are not cut in two
		}
		shown, ink := e.look(line), fyne.ThemeColorName(theme.ColorMuted)
		if marks := e.marks[line]; len(marks) > 0 {
			worst := worstMark(marks)
			ink = worst.Color()
			if icons == len(r.gutter.icons) {
				r.gutter.icons = append(r.gutter.icons, widget.NewIcon(nil))
			}
			icon := r.gutter.icons[icons]
			icons++
			icon.SetResource(worst.Icon())
			icon.Move(fyne.NewPos(5, top+(cell.Height-12)/2))
			icon.Resize(fyne.NewSquareSize(12))
			r.objects = append(r.objects, icon)
		}
		if shown.sign != "" {
			write(7, top+1, shown.sign, shown.state.Color())
		}
		write(size.Width-7-float32(len(shown.number))*cell.Width, top+1, shown.number, ink)
	}
}

func worstMark(marks []Mark) theme.State {
	worst := marks[0].State
	for _, mark := range marks {
		if mark.State == theme.StateWrong {
			return theme.StateWrong
		}
	}
	return worst
}
