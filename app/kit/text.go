package kit

import (
	"cmp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Line cuts a text that is longer than these limits. No line on any screen shows more, and a text may come from a file
// of any size.
const (
	maxRunes = 600      // characters of the result
	maxBytes = 16 << 10 // bytes of the text
)

// Text is one line of text that ends in "…" if there is too little room. Unlike Fyne's label, it has no padding, so
// layouts decide all spacing.
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
	// Shrinks lets the text become narrower than its full width, down to nothing. Otherwise the text asks for its full
	// width.
	Shrinks bool
}

// filled returns the style with its defaults.
func (s TextStyle) filled() TextStyle {
	s.Size, s.Color = cmp.Or(s.Size, theme.SizeText), cmp.Or(s.Color, theme.ColorText)
	return s
}

func (s TextStyle) font() fyne.TextStyle { return fyne.TextStyle{Bold: s.Bold, Monospace: s.Mono} }

// Small returns the style of explanations: a small text in a lighter colour.
func Small() TextStyle { return TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted} }

// NewText returns a line of text.
func NewText(text string, style TextStyle) *Text {
	t := &Text{style: style.filled(), text: Line(text)}
	t.ExtendBaseWidget(t)
	return t
}

// Text returns the whole text, even if only a part is visible.
func (t *Text) Text() string { return t.text }

// Full returns the size of the whole text, which may be larger than the size of t.
func (t *Text) Full() fyne.Size {
	return t.full.of(t.text, t.Theme().Size(t.style.Size), t.style.font())
}

// Set changes the text.
func (t *Text) Set(text string) { t.SetStyle(text, t.style) }

// SetStyle changes the text and its style, for rows that are reused.
func (t *Text) SetStyle(text string, style TextStyle) {
	if text, style = Line(text), style.filled(); text != t.text || style != t.style {
		t.text, t.style = text, style
		t.Refresh()
	}
}

// CreateRenderer implements [fyne.Widget].
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	line := canvas.NewText("", nil)
	var full fyne.Size // the size of the whole text in the current style
	least := func() fyne.Size {
		if t.style.Shrinks {
			return fyne.NewSize(0, full.Height)
		}
		return full
	}
	place := func(size fyne.Size) {
		line.Move(fyne.NewPos(0, (size.Height-full.Height)/2))
		line.Resize(fyne.NewSize(size.Width, full.Height))
		if shown := t.fit(size.Width); shown != line.Text {
			line.Text = shown
			line.Refresh()
		}
	}
	paint := func() {
		look := t.Theme()
		line.Color = look.Color(t.style.Color, fyne.CurrentApp().Settings().ThemeVariant())
		line.TextSize, line.TextStyle, line.Alignment = look.Size(t.style.Size), t.style.font(), t.style.Align
		full = t.Full()
	}
	return NewDrawing(t, least, place, paint, line)
}

// fit returns as much of the text as fits into a width, with an ellipsis if something was cut.
func (t *Text) fit(width float32) string {
	full := t.Full().Width
	// Allow half a pixel, because layouts add up rounded numbers.
	if full <= width+0.5 {
		return t.text
	}
	fits := func(text string) bool {
		return fyne.MeasureText(text, t.Theme().Size(t.style.Size), t.style.font()).Width <= width
	}
	runes := []rune(t.text)
	low := most(len(runes), int(float32(len(runes))*width/full)-1, func(n int) bool { return fits(shortened(runes, n)) })
	if low == 0 && !fits("…") {
		return ""
	}
	return shortened(runes, low)
}

// most returns the largest n up to limit for which fits(n) is true. It takes for granted that fits(0) is true. The
// search starts at guess, so that a good guess saves calls of fits, which are slow.
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

// Line turns any text into one safe line. Names and descriptions come from files and servers that may be hostile. They
// must not break a row in two or change the order of the text beside them. Line turns line ends and tabs into spaces,
// and removes invisible characters. It cuts a long text, which then ends in "…".
func Line(text string) string {
	all := len(text) <= maxBytes
	if !all {
		text = strings.ToValidUTF8(text[:maxBytes], "")
	}
	text = visible.Line(text)
	cut := Beginning(text, maxRunes)
	if !all && cut == text {
		cut += "…"
	}
	return cut
}

// Beginning returns at most the given number of characters from the start of a text, followed by "…" if something was
// cut.
func Beginning(text string, characters int) string {
	if len(text) <= characters {
		return text
	}
	if runes := []rune(text); len(runes) > characters {
		return string(runes[:characters]) + "…"
	}
	return text
}

// Cut is [Beginning] for a [Line] of any text.
func Cut(text string, characters int) string { return Beginning(Line(text), characters) }

// Block makes text of several lines safe, as [Line] does for one line. It removes invisible characters, which might
// hide or reorder other text.
func Block(text string) string { return visible.Without(text) }
