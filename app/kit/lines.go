package kit

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
	"github.com/go-text/typesetting/segmenter"
	"golang.org/x/text/width"
)

// Lines is text that wraps between words. If it needs more lines than its limit, it ends in "…". Its height depends on
// its current width, and is 0 while the text is empty.
type Lines struct {
	widget.BaseWidget
	style TextStyle
	text  string
	limit int      // of lines
	full  measured // the size of the whole text on one line
	high  measured // the size of one letter

	broken   []string // the last result of lines
	brokenAt linesKey // what broken was made from
}

// NewLines returns an empty text of at most limit lines.
func NewLines(limit int, style TextStyle) *Lines {
	l := &Lines{style: style.filled(), limit: limit}
	l.ExtendBaseWidget(l)
	return l
}

// NewParagraph returns text of as many lines as it needs. [Line] cuts a very long text.
func NewParagraph(text string, style TextStyle) *Lines {
	l := NewLines(maxRunes, style)
	l.text = Line(text)
	return l
}

// Set changes the text.
func (l *Lines) Set(text string) {
	if text = Line(text); text != l.text {
		l.text = text
		l.Refresh()
	}
}

// Text returns the whole text, even if only a part is visible.
func (l *Lines) Text() string { return l.text }

// Full returns the size of the whole text on one line.
func (l *Lines) Full() fyne.Size { return l.full.of(l.text, l.size(), l.style.font()) }

// Height returns the height of the text at a width. It is never less than that of one line.
func (l *Lines) Height(width float32) float32 {
	return l.lineHeight() * float32(max(1, len(l.lines(width))))
}

func (l *Lines) measure(text string) fyne.Size {
	return fyne.MeasureText(text, l.size(), l.style.font())
}

func (l *Lines) size() float32 { return l.Theme().Size(l.style.Size) }

func (l *Lines) lineHeight() float32 { return l.high.of("X", l.size(), l.style.font()).Height }

// linesKey is everything that the result of lines depends on.
type linesKey struct {
	text        string
	width, size float32
}

// lines returns the lines at a width. It keeps its last result, because layouts ask many times. If width is 0, as
// before the first layout, it measures nothing and returns nil.
func (l *Lines) lines(width float32) []string {
	if width <= 0 {
		return nil
	}
	key := linesKey{l.text, width, l.size()}
	if key != l.brokenAt {
		l.broken, l.brokenAt = l.breakLines(width), key
	}
	return l.broken
}

func (l *Lines) breakLines(width float32) []string {
	var lines []string
	rest := l.text
	for rest != "" && len(lines) < l.limit {
		full := l.measure(rest).Width
		if full <= width+0.5 {
			return append(lines, rest)
		}
		runes := []rune(rest)
		if len(lines) == l.limit-1 {
			n := l.most(len(runes), width, full, func(n int) string { return shortened(runes, n) })
			return append(lines, shortened(runes, n))
		}
		n := max(1, l.most(len(runes), width, full, func(n int) string { return string(runes[:n]) }))
		if place := lastBreak(runes, n); place > 0 {
			n = place
		}
		lines = append(lines, strings.TrimRight(string(runes[:n]), " "))
		rest = strings.TrimLeft(string(runes[n:]), " ")
	}
	return lines
}

// lastBreak returns the last place, up to n runes, at which the line may end, or 0 if there is none because a word is
// longer. A line may end at a space. Beside a wide character, such as a Japanese one, it may also end where the
// Unicode line breaking rules (UAX #14) allow a break. These rules alone are not enough: they never allow a break
// before a slash, not even at the space before a path.
func lastBreak(runes []rune, n int) int {
	place := 0
	for i := min(n, len(runes)-1); i > 0 && place == 0; i-- {
		if runes[i] == ' ' && !bound(runes, i) {
			place = i
		}
	}
	if !slices.ContainsFunc(runes, IsWide) {
		return place
	}
	var segments segmenter.Segmenter
	segments.Init(runes)
	for lines := segments.LineIterator(); lines.Next(); {
		line := lines.Line()
		end := line.Offset + len(line.Text)
		if end > n {
			break
		}
		if runes[end-1] != ' ' && (IsWide(runes[end-1]) || end < len(runes) && IsWide(runes[end])) {
			place = max(place, end)
		}
	}
	return place
}

// bound reports whether a line must not end at a space, as in French before a colon and inside quotation marks.
func bound(runes []rune, at int) bool {
	return at+1 < len(runes) && strings.ContainsRune(":;?!»", runes[at+1]) || at > 0 && runes[at-1] == '«'
}

// IsWide reports whether a character takes the room of two letters. Most such characters belong to languages that are
// written without spaces.
func IsWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// most returns the greatest n up to limit for which text(n) fits into width. full is the width of the whole text.
func (l *Lines) most(limit int, width, full float32, text func(n int) string) int {
	guess := limit
	if full > 0 {
		guess = int(float32(limit)*width/full) - 1
	}
	return most(limit, guess, func(n int) bool { return l.measure(text(n)).Width <= width })
}

// CreateRenderer implements [fyne.Widget]. It lays out the text at once: Fyne drops the renderer of an object that was
// out of view for a while, and does not call Layout of the next renderer, because the size is still the same.
func (l *Lines) CreateRenderer() fyne.WidgetRenderer {
	var texts Pool[*canvas.Text]
	least := func() fyne.Size {
		if l.text == "" {
			return fyne.Size{}
		}
		return fyne.NewSize(0, l.Height(l.Size().Width))
	}
	return NewSketch(l, least, func(objects []fyne.CanvasObject) []fyne.CanvasObject {
		ink, width, height := l.Theme().Color(l.style.Color, fyne.CurrentApp().Settings().ThemeVariant()), l.Size().Width,
			l.lineHeight()
		for i, text := range l.lines(width) {
			line := texts.Next(NewCanvasText)
			line.Text, line.Color, line.TextSize, line.TextStyle, line.Alignment = text, ink, l.size(), l.style.font(),
				l.style.Align
			line.Move(fyne.NewPos(0, float32(i)*height))
			line.Resize(fyne.NewSize(width, height))
		}
		return texts.Take(objects)
	})
}
