package kit

import (
	"math"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Whole shows a text of any length whole, letters on a grid: lines are broken at its edge wherever that is, so that nothing lies beyond it,
// and a text of more than some lines is scrolled. It draws only what can be seen, so a megabyte is as quick as a word.
type Whole struct {
	Control
	spans  []WholeSpan
	most   int // lines that are shown without scrolling
	area   *wholeArea
	scroll *container.Scroll

	rows    []wholePlace // where the lines begin, at columns
	columns int
}

// WholeSpan is a part of the text of a [Whole].
type WholeSpan struct {
	Text  string
	Color fyne.ThemeColorName // empty: that of text
	Break bool                // the line ends behind it
}

// wholePlace is a place in the text: a byte of a span.
type wholePlace struct{ span, at int }

// NewWhole returns a text that shows so many lines at most before it is scrolled. Nothing in the spans ends a line but a Break.
func NewWhole(most int, spans ...WholeSpan) *Whole {
	w := &Whole{spans: spans, most: most}
	w.area = &wholeArea{whole: w}
	w.area.ExtendBaseWidget(w.area)
	w.scroll = container.NewVScroll(w.area)
	w.scroll.OnScrolled = func(fyne.Position) { w.area.Refresh() }
	w.Init(w, nil, nil)
	return w
}

// Text is the whole text, with "\n" where a line is to end.
func (w *Whole) Text() string {
	var b strings.Builder
	for _, span := range w.spans {
		b.WriteString(span.Text)
		if span.Break {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Scrolls reports whether there is more than can be seen at once.
func (w *Whole) Scrolls() bool { return len(w.rows) > w.most }

// Disabled reports whether the keyboard passes it by: only what is scrolled wants keys.
func (w *Whole) Disabled() bool { return !w.Scrolls() }

// Enable and Disable are for Fyne.
func (w *Whole) Enable() {}

// Disable is for Fyne.
func (w *Whole) Disable() {}

// Parts are what keys can scroll.
func (w *Whole) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{w.scroll} }

// Cursor is that of the window: a click does nothing.
func (w *Whole) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// cell is the size of one letter.
func (w *Whole) cell() fyne.Size {
	size := fyne.MeasureText("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM", w.textSize(), fyne.TextStyle{Monospace: true})
	return fyne.NewSize(size.Width/32, float32(math.Ceil(float64(size.Height)))) // a letter's width is rounded, that of many less so
}

func (w *Whole) textSize() float32 { return w.Theme().Size(theme.SizeSmall) }

// wholePad is the space around the text, in pixels, and wholeBar that for the bar that scrolls it.
const (
	wholePad = 8
	wholeBar = 8
)

// arrange breaks the text into lines for a width.
func (w *Whole) arrange(width float32) {
	columns := max(8, int((width-2*wholePad-wholeBar)/w.cell().Width))
	if columns == w.columns || width <= 0 {
		return
	}
	w.columns = columns
	w.rows = append(w.rows[:0], wholePlace{})
	cell, space := 0, -1 // how far the line goes, and the cell behind its last space
	var spaceAt wholePlace
	for s := range w.spans {
		text := w.spans[s].Text
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			wide := cells(r, cell)
			if cell+wide > columns {
				if space > columns/2 {
					w.rows = append(w.rows, spaceAt)
					cell -= space
				} else {
					w.rows = append(w.rows, wholePlace{s, i})
					cell = 0
				}
				space = -1
			}
			cell += wide
			i += size
			if r == ' ' {
				space, spaceAt = cell, wholePlace{s, i}
			}
		}
		if w.spans[s].Break && s+1 < len(w.spans) {
			w.rows = append(w.rows, wholePlace{s + 1, 0})
			cell, space = 0, -1
		}
	}
}

// CreateRenderer is for Fyne.
func (w *Whole) CreateRenderer() fyne.WidgetRenderer {
	r := &wholeRenderer{whole: w, ground: NewBox(BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius}, nil)}
	r.objects = []fyne.CanvasObject{r.ground, w.scroll}
	r.Layout(w.Size())
	return r
}

type wholeRenderer struct {
	whole   *Whole
	ground  *Box
	objects []fyne.CanvasObject
}

func (r *wholeRenderer) Destroy()                     {}
func (r *wholeRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *wholeRenderer) MinSize() fyne.Size {
	w := r.whole
	w.arrange(w.Size().Width)
	return fyne.NewSize(0, float32(max(1, min(len(w.rows), w.most)))*w.cell().Height+2*wholePad)
}

func (r *wholeRenderer) Layout(size fyne.Size) {
	w := r.whole
	w.arrange(size.Width)
	r.ground.Resize(size)
	r.objects[1] = w.scroll
	if !w.Scrolls() {
		r.objects[1] = w.area // the wheel is for the page on which this lies
	}
	w.scroll.Resize(size)
	w.area.Resize(fyne.NewSize(size.Width, max(size.Height, w.area.MinSize().Height)))
	w.area.Refresh()
}

func (r *wholeRenderer) Refresh() {
	r.ground.SetLine(r.whole.ring())
	r.Layout(r.whole.Size())
	r.ground.Refresh()
	canvas.Refresh(r.whole)
}

// wholeArea is the text of a Whole: as high as all of it, with objects for the lines that can be seen.
type wholeArea struct {
	widget.BaseWidget
	whole *Whole
}

// CreateRenderer is for Fyne.
func (a *wholeArea) CreateRenderer() fyne.WidgetRenderer {
	r := &wholeAreaRenderer{area: a}
	r.draw()
	return r
}

type wholeAreaRenderer struct {
	area    *wholeArea
	texts   []*canvas.Text
	objects []fyne.CanvasObject
}

func (r *wholeAreaRenderer) Destroy()                     {}
func (r *wholeAreaRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *wholeAreaRenderer) Layout(fyne.Size)             { r.draw() }

func (r *wholeAreaRenderer) MinSize() fyne.Size {
	w := r.area.whole
	return fyne.NewSize(0, float32(max(1, len(w.rows)))*w.cell().Height+2*wholePad)
}

func (r *wholeAreaRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.area)
}

// draw makes the objects for what can be seen. Those of before are used again.
func (r *wholeAreaRenderer) draw() {
	w := r.area.whole
	look, variant := w.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	cell, size := w.cell(), w.textSize()
	from := max(0, int((w.scroll.Offset.Y-wholePad)/cell.Height))
	to := min(len(w.rows), from+int(w.scroll.Size().Height/cell.Height)+2)
	texts := 0
	for row := from; row < to; row++ {
		end := wholePlace{len(w.spans), 0}
		if row+1 < len(w.rows) {
			end = w.rows[row+1]
		}
		column := 0
		for at := w.rows[row]; at.span < end.span || at.span == end.span && at.at < end.at; at = (wholePlace{at.span + 1, 0}) {
			if at.span >= len(w.spans) {
				break
			}
			span := w.spans[at.span]
			text := span.Text[at.at:]
			if at.span == end.span {
				text = span.Text[at.at:end.at]
			}
			for _, run := range codeRuns(text, 0, w.columns) {
				if texts == len(r.texts) {
					r.texts = append(r.texts, canvas.NewText("", nil))
				}
				object := r.texts[texts]
				texts++
				ink := span.Color
				if ink == "" {
					ink = theme.ColorText
				}
				object.Text, object.Color, object.TextSize, object.TextStyle = run.text, look.Color(ink, variant), size, fyne.TextStyle{Monospace: true}
				object.Move(fyne.NewPos(wholePad+float32(column+run.cell)*cell.Width, wholePad+float32(row)*cell.Height))
				object.Resize(fyne.NewSize(float32(utf8.RuneCountInString(run.text))*cell.Width, cell.Height))
				object.Refresh()
			}
			column += cellOf(text, len(text))
		}
	}
	r.objects = r.objects[:0]
	for _, object := range r.texts[:texts] {
		r.objects = append(r.objects, object)
	}
}
