package file

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// diffView shows a diff: a sign, a number and a ground for each line. It draws only what can be seen. With the keyboard it is
// scrolled by the arrows.
type diffView struct {
	widget.BaseWidget
	diff    diffOf
	scroll  *container.Scroll
	area    *diffArea
	ground  *kit.Box
	focused bool
}

var _ fyne.Focusable = (*diffView)(nil)

func newDiffView() *diffView {
	v := &diffView{}
	v.area = &diffArea{view: v}
	v.area.ExtendBaseWidget(v.area)
	v.scroll = container.NewScroll(v.area)
	v.scroll.OnScrolled = func(fyne.Position) { v.area.Refresh() }
	v.ground = kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel, Line: theme.ColorLine, Radius: theme.SizeFieldRadius}, nil)
	v.ExtendBaseWidget(v)
	return v
}

// show shows another diff, from its beginning.
func (v *diffView) show(diff diffOf) {
	if slices.Equal(v.diff.lines, diff.lines) {
		return
	}
	v.diff = diff
	v.scroll.ScrollToOffset(fyne.Position{})
	v.scroll.Refresh()
	v.area.Refresh()
}

// maxDiffLine is how many letters of a line are shown.
const maxDiffLine = 1000

// plain makes a line of text that takes a cell for each letter: tabs become spaces, and what cannot be seen a dot.
func plain(line string) string {
	var out strings.Builder
	count := 0
	for _, r := range line {
		if count >= maxDiffLine {
			out.WriteRune('…')
			break
		}
		switch {
		case r == '\t':
			for more := 4 - count%4; more > 1; more-- {
				out.WriteByte(' ')
				count++
			}
			r = ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r != ' ' && unicode.IsSpace(r):
			r = '·'
		}
		out.WriteRune(r)
		count++
	}
	return out.String()
}

// FocusGained is for Fyne.
func (v *diffView) FocusGained() { v.focused = true; v.Refresh() }

// FocusLost is for Fyne.
func (v *diffView) FocusLost() { v.focused = false; v.Refresh() }

// TypedRune is for Fyne.
func (v *diffView) TypedRune(rune) {}

// TypedKey scrolls.
func (v *diffView) TypedKey(event *fyne.KeyEvent) {
	line, page := v.area.cell().Height, v.scroll.Size().Height-2*v.area.cell().Height
	offset := v.scroll.Offset
	switch event.Name {
	case fyne.KeyUp:
		offset.Y -= line
	case fyne.KeyDown:
		offset.Y += line
	case fyne.KeyPageUp:
		offset.Y -= page
	case fyne.KeyPageDown, fyne.KeySpace:
		offset.Y += page
	case fyne.KeyHome:
		offset = fyne.Position{}
	case fyne.KeyEnd:
		offset.Y = v.area.MinSize().Height
	case fyne.KeyLeft:
		offset.X -= 4 * v.area.cell().Width
	case fyne.KeyRight:
		offset.X += 4 * v.area.cell().Width
	default:
		kit.PassKey(v, event)
		return
	}
	size := v.area.MinSize().Subtract(v.scroll.Size())
	offset.X, offset.Y = max(0, min(offset.X, size.Width)), max(0, min(offset.Y, size.Height))
	v.scroll.ScrollToOffset(offset)
	v.area.Refresh()
}

// Parts is for [kit.Restyler].
func (v *diffView) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{v.scroll} }

// CreateRenderer is for Fyne.
func (v *diffView) CreateRenderer() fyne.WidgetRenderer { return &diffRenderer{v} }

type diffRenderer struct{ view *diffView }

func (r *diffRenderer) Destroy() {}
func (r *diffRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.view.ground, r.view.scroll}
}
func (r *diffRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 80) }

func (r *diffRenderer) Layout(size fyne.Size) {
	r.view.ground.Resize(size)
	r.view.scroll.Move(fyne.NewPos(1, 1))
	r.view.scroll.Resize(fyne.NewSize(max(0, size.Width-2), max(0, size.Height-2)))
	r.view.area.Refresh()
}

func (r *diffRenderer) Refresh() {
	r.view.ground.SetLine(theme.ColorLine)
	if r.view.focused {
		r.view.ground.SetLine(theme.ColorAccent)
	}
	r.Layout(r.view.Size())
	r.view.ground.Refresh()
}

// diffArea is all of the diff, with objects for the part that can be seen.
type diffArea struct {
	widget.BaseWidget
	view *diffView
}

const diffPad = 6 // around the lines, in pixels

func (a *diffArea) textSize() float32 { return a.Theme().Size(theme.SizeText) - 1 }

func (a *diffArea) cell() fyne.Size {
	const many = "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM" // a letter's width is rounded, that of many less so
	size := fyne.MeasureText(many, a.textSize(), fyne.TextStyle{Monospace: true})
	// In whole pixels, so that there is nothing between the grounds of two lines.
	return fyne.NewSize(size.Width/float32(len(many)), float32(math.Ceil(float64(size.Height)))+3)
}

// gutter is the width of the numbers and signs.
func (a *diffArea) gutter() float32 {
	return float32(max(2, len(strconv.Itoa(a.view.diff.highest)))+4) * a.cell().Width
}

// MinSize is the size of the whole diff.
func (a *diffArea) MinSize() fyne.Size {
	a.ExtendBaseWidget(a)
	cell := a.cell()
	return fyne.NewSize(a.gutter()+float32(a.view.diff.widest+1)*cell.Width+2*diffPad, float32(len(a.view.diff.lines))*cell.Height+2*diffPad)
}

// CreateRenderer is for Fyne, which drops the renderer of what has been out of sight for a while, and does not lay the next one
// out: the size is the same.
func (a *diffArea) CreateRenderer() fyne.WidgetRenderer {
	r := &diffAreaRenderer{area: a}
	r.draw()
	return r
}

type diffAreaRenderer struct {
	area    *diffArea
	grounds []*canvas.Rectangle
	texts   []*canvas.Text
	objects []fyne.CanvasObject
}

func (r *diffAreaRenderer) Destroy()                     {}
func (r *diffAreaRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *diffAreaRenderer) MinSize() fyne.Size           { return r.area.MinSize() }
func (r *diffAreaRenderer) Layout(fyne.Size)             { r.draw() }

func (r *diffAreaRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.area)
}

func (r *diffAreaRenderer) draw() {
	a := r.area
	view := a.view
	look, variant := a.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	paint := func(name fyne.ThemeColorName) color.Color { return look.Color(name, variant) }
	cell, gutter := a.cell(), a.gutter()
	top, height := view.scroll.Offset.Y, view.scroll.Size().Height
	from := max(0, int((top-diffPad)/cell.Height))
	to := min(len(view.diff.lines), int((top+height)/cell.Height)+1)
	grounds, texts := 0, 0
	r.objects = r.objects[:0]
	ground := func(y float32, fill color.Color) {
		if grounds == len(r.grounds) {
			r.grounds = append(r.grounds, canvas.NewRectangle(nil))
		}
		object := r.grounds[grounds]
		grounds++
		object.FillColor = fill
		object.Move(fyne.NewPos(0, y))
		object.Resize(fyne.NewSize(max(a.Size().Width, a.MinSize().Width), cell.Height))
		object.Refresh()
		r.objects = append(r.objects, object)
	}
	text := func(x, y float32, words string, ink fyne.ThemeColorName, style fyne.TextStyle, size float32) {
		if texts == len(r.texts) {
			r.texts = append(r.texts, canvas.NewText("", nil))
		}
		object := r.texts[texts]
		texts++
		object.Text, object.Color, object.TextSize, object.TextStyle = words, paint(ink), size, style
		object.Move(fyne.NewPos(x, y+1))
		object.Resize(fyne.NewSize(float32(utf8.RuneCountInString(words))*cell.Width, cell.Height-2)) // measured only when it is painted
		object.Refresh()
		r.objects = append(r.objects, object)
	}
	mono := fyne.TextStyle{Monospace: true}
	for i := from; i < to; i++ {
		line := view.diff.lines[i]
		y := diffPad + float32(i)*cell.Height
		ink := fyne.ThemeColorName(theme.ColorText)
		switch line.kind {
		case diffPlace:
			ground(y, paint(theme.ColorChip))
			text(diffPad+cell.Width, y, line.text, theme.ColorMuted, fyne.TextStyle{}, look.Size(theme.SizeSmall))
			continue
		case diffAdded:
			ground(y, faint(paint(theme.ColorGood)))
			text(gutter-2*cell.Width+diffPad, y, "+", theme.ColorGood, fyne.TextStyle{Monospace: true, Bold: true}, a.textSize())
		case diffRemoved:
			ground(y, faint(paint(theme.ColorWrong)))
			text(gutter-2*cell.Width+diffPad, y, "−", theme.ColorWrong, fyne.TextStyle{Monospace: true, Bold: true}, a.textSize())
		default:
			ink = theme.ColorMuted
		}
		number := strconv.Itoa(line.number)
		text(gutter-3*cell.Width+diffPad-float32(len(number))*cell.Width, y, number, theme.ColorMuted, mono, a.textSize())
		text(gutter+diffPad, y, line.text, ink, mono, a.textSize())
	}
}

// faint is a colour as a ground that text can be read on.
func faint(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0x22}
}
