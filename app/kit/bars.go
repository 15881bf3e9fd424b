package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Bar is one value of a chart.
type Bar struct {
	Value float64
	Say   string // the value in words with its unit, for the pointer, the arrow keys and screen readers
}

// Bars is a bar chart, for example with one bar for each day. Its name is at the top left. The top right shows the sum
// in words or the text of one bar. This is the bar under the pointer or, if the chart has the focus, the bar that the
// arrow keys have gone to.
type Bars struct {
	Control
	bars        []Bar
	most        float64                 // the value of a bar of the full height
	at          int                     // the bar that the arrow keys have gone to, or -1
	pointed     int                     // the bar under the pointer, or -1
	rects       Pool[*canvas.Rectangle] // the drawn bars
	name        *Text                   // above the chart, at the left
	all         *Text                   // above the chart, at the right: the sum or the text of one bar
	first, last *Text                   // below the first and the last bar
	sum         string                  // the sum in words
}

// NewBars returns an empty chart.
func NewBars() *Bars {
	small := TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	b := &Bars{at: -1, pointed: -1,
		name: NewText("", TextStyle{Bold: true, Shrinks: true}), all: NewText("", small), first: NewText("", small),
		last: NewText("", small)}
	b.OnFocus = func(focused bool) {
		if focused && b.at < 0 {
			b.at = len(b.bars) - 1
		}
		b.tell()
	}
	b.Init(b, nil, nil)
	return b
}

// Set shows bars with a name, the sum in words, and texts below the first and the last bar. A bar whose value is most
// or more has the full height.
func (b *Bars) Set(name, sum string, bars []Bar, most float64, first, last string) {
	b.name.Set(name)
	b.bars, b.most, b.sum = bars, most, sum
	b.first.Set(first)
	b.last.Set(last)
	b.at, b.pointed = min(b.at, len(bars)-1), min(b.pointed, len(bars)-1)
	b.tell()
	b.Refresh()
}

// told returns the index of the bar whose text is shown, or -1 if the sum is shown.
func (b *Bars) told() int {
	switch {
	case b.pointed >= 0:
		return b.pointed
	case b.Focused():
		return b.at
	}
	return -1
}

func (b *Bars) tell() {
	text := b.sum
	if at := b.told(); at >= 0 {
		text = b.bars[at].Say
	}
	b.all.Set(text)
}

// step is called when a key goes to a bar. It shows the text of this bar or, if the bar does not exist, of the nearest
// one.
func (b *Bars) step(to int) {
	if len(b.bars) > 0 {
		b.pointed = -1
		b.at = max(0, min(to, len(b.bars)-1))
		b.tell()
		b.Refresh()
	}
}

// TypedKey moves from bar to bar with the left and right arrow keys, Home and End.
func (b *Bars) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyLeft:
		b.step(b.at - 1)
	case fyne.KeyRight:
		b.step(b.at + 1)
	case fyne.KeyHome:
		b.step(0)
	case fyne.KeyEnd:
		b.step(len(b.bars) - 1)
	default:
		b.Control.TypedKey(event)
	}
}

// MouseIn implements [desktop.Hoverable].
func (b *Bars) MouseIn(event *desktop.MouseEvent) { b.MouseMoved(event) }

// MouseMoved shows the words for the bar under the pointer.
func (b *Bars) MouseMoved(event *desktop.MouseEvent) {
	at := -1
	if n := len(b.bars); n > 0 && b.Size().Width > 0 {
		at = max(0, min(int(float32(n)*event.Position.X/b.Size().Width), n-1))
	}
	b.point(at)
}

// MouseOut implements [desktop.Hoverable].
func (b *Bars) MouseOut() { b.point(-1) }

func (b *Bars) point(at int) {
	if at != b.pointed {
		b.pointed = at
		b.tell()
		b.Refresh()
	}
}

// Cursor returns the default cursor, because a click does nothing.
func (b *Bars) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// AccessibilityLabel returns the name and the sum and, if the text of a bar is shown, that text.
func (b *Bars) AccessibilityLabel() string {
	label := b.name.Text() + ", " + b.sum
	if at := b.told(); at >= 0 {
		label += ", " + b.bars[at].Say
	}
	return label
}

// Sizes of the chart, in pixels.
const (
	barsHeight = 56 // the least height of the room for the bars
	barsGap    = 3  // between two bars
	barWidest  = 28 // the greatest width of a bar
	barLeast   = 2  // the least height of a bar whose value is not 0
)

// CreateRenderer implements [fyne.Widget].
func (b *Bars) CreateRenderer() fyne.WidgetRenderer {
	// the line below the bars, and the background of the bar whose text is shown
	under, ground := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	ring := newRing(theme.ColorAccent, theme.SizeFieldRadius)
	least := func() fyne.Size {
		return fyne.NewSize(120, b.name.MinSize().Height+GapTight+barsHeight+GapHair+b.first.MinSize().Height)
	}
	return NewSketch(b, least, func(objects []fyne.CanvasObject) []fyne.CanvasObject {
		size, look, variant := b.Size(), b.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
		head, foot, said := b.name.MinSize().Height, b.first.MinSize().Height, b.all.MinSize()
		b.all.Resize(fyne.NewSize(said.Width, head))
		b.all.Move(fyne.NewPos(max(0, size.Width-said.Width), 0))
		b.name.Resize(fyne.NewSize(max(0, size.Width-said.Width-Gap), head))
		bottom := size.Height - foot - GapHair
		b.first.Move(fyne.NewPos(0, bottom+GapHair))
		b.first.Resize(b.first.MinSize())
		last := b.last.MinSize()
		b.last.Move(fyne.NewPos(max(0, size.Width-last.Width), bottom+GapHair))
		b.last.Resize(last)
		Fill(under, fyne.NewPos(0, bottom-1), fyne.NewSize(size.Width, 1), look.Color(theme.ColorLine, variant))
		ring.Move(fyne.NewPos(-GapTight, -GapTight))
		ring.Resize(size.AddWidthHeight(2*GapTight, 2*GapTight))
		SetVisible(ring, b.Focused())
		ring.Refresh()
		top := head + GapTight
		full := bottom - 1 - top
		ground.Hide()
		objects = append(objects, ground, under)
		for i, bar := range b.bars {
			slot := size.Width / float32(len(b.bars))
			width := min(max(1, slot-barsGap), barWidest)
			x := float32(int(float32(i)*slot + (slot-width)/2))
			high := float32(0)
			if bar.Value > 0 && b.most > 0 {
				high = max(barLeast, full*float32(min(1, bar.Value/b.most)))
			}
			Fill(b.rects.Next(NewRectangle), fyne.NewPos(x, bottom-1-high), fyne.NewSize(width, high),
				look.Color(theme.ColorAccent, variant))
			if i == b.told() {
				ground.Show()
				Fill(ground, fyne.NewPos(float32(i)*slot, top), fyne.NewSize(slot, full), look.Color(theme.ColorChip, variant))
			}
		}
		return append(b.rects.Take(objects), b.name, b.all, b.first, b.last, ring)
	})
}

// meterHeight is the height of a meter, in pixels.
const meterHeight = 8

// NewMeter returns a horizontal bar that is filled from the left up to share. The filled part up to marked has the
// colour of a failure. share and marked are from 0 to 1. The caller shows the numbers in words.
func NewMeter(share, marked float64) fyne.CanvasObject {
	ground := func(fill fyne.ThemeColorName) *Box {
		return NewBox(BoxStyle{Fill: fill, Radius: theme.SizeMeterRadius}, nil)
	}
	track, filled, wrong := ground(theme.ColorChip), ground(theme.ColorAccent), ground(theme.ColorWrong)
	width := func(part float64, size fyne.Size) fyne.Size {
		if part <= 0 {
			return fyne.Size{}
		}
		return fyne.NewSize(max(meterHeight, size.Width*float32(min(part, 1))), size.Height)
	}
	return Arranged(
		func() fyne.Size { return fyne.NewSize(80, meterHeight) },
		func(size fyne.Size) {
			track.Resize(size)
			filled.Resize(width(share, size))
			wrong.Resize(width(min(marked, share), size))
		},
		track, filled, wrong)
}
