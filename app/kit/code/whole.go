package code

import (
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/app/kit"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Whole shows all of a text in a fixed-width font. A line breaks at a space or, in a long word, at the edge, so that
// nothing is out of view at the side. A text with many lines scrolls. Only the visible part is drawn, so a megabyte is
// drawn as fast as a word.
type Whole struct {
	kit.Control
	spans  []WholeSpan
	most   int // how many lines are visible at once
	area   *wholeArea
	scroll *container.Scroll

	rows    []wholePlace // where each line begins
	columns int          // the greatest width of a line in rows, in cells; 0 before rows is computed
}

// WholeSpan is a part of the text of a [Whole].
type WholeSpan struct {
	Text  string
	Color fyne.ThemeColorName // empty means the colour of text
	Break bool                // the line ends after this part
}

// wholePlace is a place in the text: a span and a byte in it.
type wholePlace struct{ span, at int }

// NewWhole returns a text that shows at most the given number of lines, and scrolls if it has more. A "\n" in a span
// does not end a line; only Break does.
func NewWhole(most int, spans ...WholeSpan) *Whole {
	w := &Whole{spans: spans, most: most}
	w.area = &wholeArea{whole: w}
	w.area.ExtendBaseWidget(w.area)
	w.scroll = container.NewVScroll(w.area)
	w.scroll.OnScrolled = func(fyne.Position) { w.area.Refresh() }
	w.Init(w, nil, nil)
	return w
}

// Text returns the whole text, with "\n" for each Break.
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

// Scrolls reports whether the text has more lines than are visible at once.
func (w *Whole) Scrolls() bool { return len(w.rows) > w.most }

// Disabled reports whether the Tab key skips the text: only a text that scrolls needs keys.
func (w *Whole) Disabled() bool { return !w.Scrolls() }

// Enable implements [fyne.Disableable]; it does nothing.
func (w *Whole) Enable() {}

// Disable implements [fyne.Disableable]; it does nothing.
func (w *Whole) Disable() {}

// Parts implements [kit.Composed].
func (w *Whole) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{w.scroll} }

// Cursor returns the default cursor, because a click does nothing.
func (w *Whole) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// cell returns the size of a letter.
func (w *Whole) cell() fyne.Size { return monoCell(w.textSize()) }

func (w *Whole) textSize() float32 { return w.Theme().Size(theme.SizeSmall) }

// wholePad is the space around the text, and wholeBar the space for the scroll bar, in pixels.
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
	cell, space := 0, -1 // the width of the line so far, and the cell after its last space
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

// CreateRenderer implements [fyne.Widget].
func (w *Whole) CreateRenderer() fyne.WidgetRenderer {
	ground := kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius}, nil)
	least := func() fyne.Size {
		w.arrange(w.Size().Width)
		return fyne.NewSize(0, float32(max(1, min(len(w.rows), w.most)))*w.cell().Height+2*wholePad)
	}
	return kit.NewSketch(w, least, func(objects []fyne.CanvasObject) []fyne.CanvasObject {
		size := w.Size()
		w.arrange(size.Width)
		ground.SetLine(w.Ring())
		ground.Resize(size)
		ground.Refresh()
		w.scroll.Resize(size)
		w.area.Resize(fyne.NewSize(size.Width, max(size.Height, w.area.MinSize().Height)))
		w.area.Refresh()
		if !w.Scrolls() {
			return append(objects, ground, w.area) // without the scroll, the mouse wheel scrolls the page instead
		}
		return append(objects, ground, w.scroll)
	})
}

// wholeArea is the text of a Whole. It is as high as the whole text, but has objects only for the visible lines.
type wholeArea struct {
	widget.BaseWidget
	whole *Whole
	texts monoTexts
}

// CreateRenderer implements [fyne.Widget].
func (a *wholeArea) CreateRenderer() fyne.WidgetRenderer {
	least := func() fyne.Size {
		return fyne.NewSize(0, float32(max(1, len(a.whole.rows)))*a.whole.cell().Height+2*wholePad)
	}
	return kit.NewSketch(a, least, a.draw)
}

// draw makes the objects for the visible part. It reuses those of the previous drawing.
func (a *wholeArea) draw(objects []fyne.CanvasObject) []fyne.CanvasObject {
	w := a.whole
	look, variant := w.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	cell, size := w.cell(), w.textSize()
	from := max(0, int((w.scroll.Offset.Y-wholePad)/cell.Height))
	to := min(len(w.rows), from+int(w.scroll.Size().Height/cell.Height)+2)
	for row := from; row < to; row++ {
		end := wholePlace{len(w.spans), 0}
		if row+1 < len(w.rows) {
			end = w.rows[row+1]
		}
		column := 0
		for at := w.rows[row]; at.span < end.span || at.span == end.span &&
			at.at < end.at; at = (wholePlace{at.span + 1, 0}) {
			if at.span >= len(w.spans) {
				break
			}
			span := w.spans[at.span]
			text := span.Text[at.at:]
			if at.span == end.span {
				text = span.Text[at.at:end.at]
			}
			for _, run := range codeRuns(text, 0, w.columns) {
				ink := span.Color
				if ink == "" {
					ink = theme.ColorText
				}
				a.texts.write(run.text, look.Color(ink, variant), size,
					fyne.NewPos(wholePad+float32(column+run.cell)*cell.Width, wholePad+float32(row)*cell.Height), cell)
			}
			column += cellOf(text, len(text))
		}
	}
	return a.texts.Take(objects)
}
