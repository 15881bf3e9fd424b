package serverlog

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Sizes of a row, in pixels.
const (
	rowHeight = 22
	rowPad    = kit.GapWide
	timeWidth = 74
	wordWidth = 104
	// wordless is the width below which a row leaves out the source, so that the text has room.
	wordless = 380
)

// row shows one line. Rows are reused for other lines, so show sets everything that a row displays.
type row struct {
	widget.BaseWidget
	time, word, text *kit.Text
	ground           fyne.ThemeColorName // the background; empty for none
	mark             fyne.ThemeColorName // the colour of the edge at the left
	tapped           func()
}

var (
	_ fyne.Tappable      = (*row)(nil)
	_ desktop.Cursorable = (*row)(nil)
)

func newRow() *row {
	r := &row{time: kit.NewText("", kit.TextStyle{}), word: kit.NewText("", kit.TextStyle{}),
		text: kit.NewText("", kit.TextStyle{})}
	r.ExtendBaseWidget(r)
	return r
}

// look says why a row is highlighted.
type look struct{ selected, match, current bool }

func (r *row) show(l line, look look, tapped func()) {
	small := kit.TextStyle{Size: theme.SizeSmall, Mono: true, Shrinks: true}
	muted, word, text := small, small, small
	muted.Color = theme.ColorMuted
	word.Color, word.Mono = l.wordColor(), false
	text.Color = l.levelColor()
	r.time.SetStyle(kit.Seconds(l.Time), muted)
	r.word.SetStyle(l.word(), word)
	r.text.SetStyle(l.Text, text)
	r.ground, r.mark = "", ""
	switch {
	case look.selected:
		r.ground = theme.ColorTint
	case look.match:
		r.ground = theme.ColorChip
	}
	if look.match {
		r.mark = theme.ColorWorking
	}
	if look.current {
		r.mark, r.ground = theme.ColorAccent, theme.ColorTint
	}
	r.tapped = tapped
	r.Refresh()
}

// Tapped selects the line.
func (r *row) Tapped(*fyne.PointEvent) {
	if r.tapped != nil {
		r.tapped()
	}
}

// Cursor implements [desktop.Cursorable].
func (r *row) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// CreateRenderer implements [fyne.Widget].
func (r *row) CreateRenderer() fyne.WidgetRenderer {
	ground, mark := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	place := func(size fyne.Size) {
		ground.Resize(size)
		mark.Resize(fyne.NewSize(3, size.Height))
		x := float32(rowPad)
		place := func(text *kit.Text, width float32) {
			text.Move(fyne.NewPos(x, 0))
			text.Resize(fyne.NewSize(max(0, width), size.Height))
			x += width
		}
		place(r.time, timeWidth)
		kit.SetVisible(r.word, size.Width >= wordless)
		if r.word.Visible() {
			place(r.word, wordWidth)
		}
		place(r.text, size.Width-x-rowPad)
	}
	paint := func() {
		look, variant := r.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
		for rectangle, name := range map[*canvas.Rectangle]fyne.ThemeColorName{ground: r.ground, mark: r.mark} {
			kit.SetVisible(rectangle, name != "")
			if name != "" {
				rectangle.FillColor = look.Color(name, variant)
			}
		}
	}
	return kit.NewDrawing(r, func() fyne.Size {
		return fyne.NewSize(200, rowHeight)
	}, place, paint, ground, mark, r.time, r.word, r.text)
}
