package kit

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Line cuts a text that is longer than these limits. No line on any screen shows more, and a text may come from a file of any size.
const (
	maxRunes = 600      // characters of the result
	maxBytes = 16 << 10 // bytes of the text
)

// Text is one line of text that ends in "…" if there is too little room. Unlike Fyne's label, it has no padding, so layouts decide all spacing.
type Text struct {
	widget.BaseWidget
	style TextStyle
	text  string
	full  measured
}

// TextStyle is the look of a Text. The zero value is ordinary text.
type TextStyle struct {
	Size  fyne.ThemeSizeName  // empty means theme.SizeText
	Color fyne.ThemeColorName // empty means theme.ColorText
	Bold  bool
	Mono  bool
	Align fyne.TextAlign
	// Shrinks lets the text become narrower than its full width, down to nothing. Otherwise the text asks for its full width.
	Shrinks bool
}

// NewText returns a line of text.
func NewText(text string, style TextStyle) *Text {
	t := &Text{style: style, text: Line(text)}
	t.ExtendBaseWidget(t)
	return t
}

// Text returns the whole text, even if only a part is visible.
func (t *Text) Text() string { return t.text }

// Full returns the size of the whole text, which may be larger than the size of t.
func (t *Text) Full() fyne.Size {
	size, bold, mono := t.style.Size, t.style.Bold, t.style.Mono
	if size == "" {
		size = theme.SizeText
	}
	return t.full.of(t.text, t.Theme().Size(size), fyne.TextStyle{Bold: bold, Monospace: mono})
}

// Set changes the text.
func (t *Text) Set(text string) {
	if text = Line(text); text == t.text {
		return
	}
	t.text = text
	t.Refresh()
}

// SetStyle changes the text and its style, for rows that are reused.
func (t *Text) SetStyle(text string, style TextStyle) {
	text = Line(text)
	if text == t.text && style == t.style {
		return
	}
	t.text, t.style = text, style
	t.Refresh()
}

// CreateRenderer implements [fyne.Widget].
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	line := canvas.NewText("", nil)
	r := &textRenderer{text: t, line: line}
	r.restyle()
	return r
}

type textRenderer struct {
	text *Text
	line *canvas.Text
	full fyne.Size // the size of the whole text in the current style
}

func (r *textRenderer) Destroy() {}

func (r *textRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.line} }

func (r *textRenderer) MinSize() fyne.Size {
	if r.text.style.Shrinks {
		return fyne.NewSize(0, r.full.Height)
	}
	return r.full
}

func (r *textRenderer) Layout(size fyne.Size) {
	r.line.Move(fyne.NewPos(0, (size.Height-r.full.Height)/2))
	r.line.Resize(fyne.NewSize(size.Width, r.full.Height))
	if shown := r.fit(size.Width); shown != r.line.Text {
		r.line.Text = shown
		r.line.Refresh()
	}
}

func (r *textRenderer) Refresh() {
	before := r.full
	r.restyle()
	r.Layout(r.text.Size())
	r.line.Refresh()
	if before != r.full {
		canvas.Refresh(r.text)
	}
}

// restyle updates the look from the style and the current theme.
func (r *textRenderer) restyle() {
	style := r.text.style
	if style.Size == "" {
		style.Size = theme.SizeText
	}
	if style.Color == "" {
		style.Color = theme.ColorText
	}
	look := r.text.Theme()
	r.line.Color = look.Color(style.Color, fyne.CurrentApp().Settings().ThemeVariant())
	r.line.TextSize = look.Size(style.Size)
	r.line.TextStyle = fyne.TextStyle{Bold: style.Bold, Monospace: style.Mono}
	r.line.Alignment = style.Align
	r.full = r.text.Full()
}

func (r *textRenderer) measure(text string) fyne.Size {
	return fyne.MeasureText(text, r.line.TextSize, r.line.TextStyle)
}

// fit returns as much of the text as fits into a width, with an ellipsis if something was cut.
func (r *textRenderer) fit(width float32) string {
	// Allow half a pixel, because layouts add up rounded numbers.
	if r.full.Width <= width+0.5 {
		return r.text.text
	}
	runes := []rune(r.text.text)
	low := most(len(runes), int(float32(len(runes))*width/r.full.Width)-1, func(n int) bool {
		return r.measure(shortened(runes, n)).Width <= width
	})
	if low == 0 && r.measure("…").Width > width {
		return ""
	}
	return shortened(runes, low)
}

// most returns the largest n up to limit for which fits(n) is true. It takes for granted that fits(0) is true. The search starts at guess, so that a
// good guess saves calls of fits, which are slow.
func most(limit, guess int, fits func(n int) bool) int {
	low, high := 0, limit // low fits, and high+1 does not
	guess = max(low, min(guess, high))
	for step := 1; low < high; step *= 2 {
		if guess > low && !fits(guess) {
			high = guess - 1
			if guess = max(low, guess-step); guess <= low {
				break
			}
			continue
		}
		low = max(low, guess)
		if next := guess + step; next <= high && fits(next) {
			low, guess = next, next
			continue
		} else if next <= high {
			high = next - 1
		}
		break
	}
	for low < high {
		middle := (low + high + 1) / 2
		if fits(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// shortened returns the first n runes and an ellipsis.
func shortened(runes []rune, n int) string {
	return strings.TrimRight(string(runes[:n]), " ") + "…"
}

// Line turns any text into one safe line. Names and descriptions come from files and servers that may be hostile. They must not break a row in two or
// change the order of the text beside them. Line turns line ends and tabs into spaces, and removes invisible characters. It cuts a long text, which
// then ends in "…".
func Line(text string) string {
	all := len(text) <= maxBytes
	if !all {
		text = strings.ToValidUTF8(text[:maxBytes], "")
	}
	text = visible.Line(text)
	if runes := []rune(text); len(runes) > maxRunes {
		text, all = string(runes[:maxRunes]), false
	}
	if !all {
		text += "…"
	}
	return text
}

// Cut is like [Line] but returns at most the given number of characters, followed by "…" if something was cut.
func Cut(text string, characters int) string {
	text = Line(text)
	if runes := []rune(text); len(runes) > characters {
		text = string(runes[:characters]) + "…"
	}
	return text
}

// Block makes text of several lines safe, as [Line] does for one line. It removes invisible characters, which might hide or reorder other text.
func Block(text string) string { return visible.Without(text) }
