package welcome

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// progress shows the three steps, and at which of them we are.
type progress struct {
	widget.BaseWidget
	at Step
}

func newProgress() *progress {
	p := &progress{at: -1}
	p.ExtendBaseWidget(p)
	return p
}

// Set says at which step we are.
func (p *progress) Set(at Step) {
	if p.at != at {
		p.at = at
		p.Refresh()
	}
}

// AccessibilityLabel says it in words.
func (p *progress) AccessibilityLabel() string {
	words := stepWords()
	if p.at < 0 || int(p.at) >= len(words) {
		return ""
	}
	return lang.L("Step {{.Number}} of 3: {{.Name}}", map[string]any{"Number": int(p.at) + 1, "Name": words[p.at]})
}

func stepWords() [3]string {
	return [3]string{lang.L("Bring in servers"), lang.L("Connect AI apps"), lang.L("Done")}
}

// Measures of the progress, in pixels.
const (
	markSize  = 24
	tickInset = 4
	markGap   = 8  // between a mark and its word
	stepGap   = 12 // between a word and the line to the next step
	leastLine = 16
)

// CreateRenderer is for Fyne.
func (p *progress) CreateRenderer() fyne.WidgetRenderer {
	r := &progressRenderer{progress: p}
	for i, word := range stepWords() {
		r.circles[i] = canvas.NewCircle(nil)
		r.numbers[i] = canvas.NewText(strconv.Itoa(i+1), nil)
		r.numbers[i].Alignment = fyne.TextAlignCenter
		r.ticks[i] = canvas.NewImageFromResource(base.NewColoredResource(base.ConfirmIcon(), theme.ColorAccent))
		r.words[i] = canvas.NewText(word, nil)
		if i > 0 {
			r.lines[i-1] = canvas.NewRectangle(nil)
		}
	}
	r.restyle()
	return r
}

type progressRenderer struct {
	progress *progress
	circles  [3]*canvas.Circle
	numbers  [3]*canvas.Text
	ticks    [3]*canvas.Image // in the place of the numbers of steps that are behind us
	words    [3]*canvas.Text
	lines    [2]*canvas.Rectangle
}

func (r *progressRenderer) Destroy() {}

func (r *progressRenderer) Objects() []fyne.CanvasObject {
	var all []fyne.CanvasObject
	for i := range r.circles {
		all = append(all, r.circles[i], r.numbers[i], r.ticks[i], r.words[i])
	}
	return append(all, r.lines[0], r.lines[1])
}

func (r *progressRenderer) MinSize() fyne.Size {
	width := float32(2 * (2*stepGap + leastLine))
	for _, word := range r.words {
		width += markSize + markGap + word.MinSize().Width
	}
	return fyne.NewSize(width, markSize)
}

func (r *progressRenderer) Layout(size fyne.Size) {
	line := leastLine + max(0, size.Width-r.MinSize().Width)/2
	x := float32(0)
	for i := range r.circles {
		if i > 0 {
			r.lines[i-1].Move(fyne.NewPos(x+stepGap, markSize/2))
			r.lines[i-1].Resize(fyne.NewSize(line, 1))
			x += 2*stepGap + line
		}
		r.circles[i].Move(fyne.NewPos(x, 0))
		r.circles[i].Resize(fyne.NewSquareSize(markSize))
		r.ticks[i].Move(fyne.NewPos(x+tickInset, tickInset))
		r.ticks[i].Resize(fyne.NewSquareSize(markSize - 2*tickInset))
		height := r.numbers[i].MinSize().Height
		r.numbers[i].Move(fyne.NewPos(x, (markSize-height)/2))
		r.numbers[i].Resize(fyne.NewSize(markSize, height))
		x += markSize + markGap
		word := r.words[i].MinSize()
		r.words[i].Move(fyne.NewPos(x, (markSize-word.Height)/2))
		r.words[i].Resize(word)
		x += word.Width
	}
}

func (r *progressRenderer) Refresh() {
	r.restyle()
	r.Layout(r.progress.Size())
	for _, object := range r.Objects() {
		object.Refresh()
	}
}

func (r *progressRenderer) restyle() {
	look, variant := r.progress.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	paint := func(name fyne.ThemeColorName) color.Color { return look.Color(name, variant) }
	for i := range r.circles {
		step := Step(i)
		passed, now := step < r.progress.at, step == r.progress.at
		circle, number, word := r.circles[i], r.numbers[i], r.words[i]
		circle.FillColor, circle.StrokeColor, circle.StrokeWidth = paint(theme.ColorClear), paint(theme.ColorLine), 1.5
		number.Color, word.Color = paint(theme.ColorMuted), paint(theme.ColorMuted)
		if now {
			circle.FillColor, circle.StrokeColor = paint(theme.ColorAccent), paint(theme.ColorAccent)
			number.Color, word.Color = paint(base.ColorNameForegroundOnPrimary), paint(theme.ColorText)
		}
		if passed {
			circle.FillColor, circle.StrokeColor = paint(theme.ColorTint), paint(theme.ColorTint)
		}
		kit.SetVisible(number, !passed)
		kit.SetVisible(r.ticks[i], passed)
		number.TextSize, number.TextStyle.Bold = look.Size(theme.SizeSmall), true
		word.TextSize, word.TextStyle.Bold = look.Size(theme.SizeText), now
		if i > 0 {
			r.lines[i-1].FillColor = paint(theme.ColorLine)
			if step <= r.progress.at {
				r.lines[i-1].FillColor = paint(theme.ColorAccent)
			}
		}
	}
}
