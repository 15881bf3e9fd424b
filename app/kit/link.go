package kit

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Link is a link in a text. It is underlined, so that its colour is not its only sign, and has a frame if it has the
// focus.
type Link struct {
	Control

	text *Text
	open func()
}

// NewLink returns a link that calls open when it is clicked.
func NewLink(text string, size fyne.ThemeSizeName, open func()) *Link {
	l := &Link{text: NewText(text, TextStyle{Size: size, Color: theme.ColorAccent, Shrinks: true}), open: open}
	l.Init(l, nil, nil)
	return l
}

// Text returns the text of the link.
func (l *Link) Text() string { return l.text.Text() }

// Tapped opens the link.
func (l *Link) Tapped(*fyne.PointEvent) { l.open() }

// TypedKey opens the link on Enter and the space bar.
func (l *Link) TypedKey(event *fyne.KeyEvent) { l.PressKey(event, l.open) }

// CreateRenderer implements [fyne.Widget].
func (l *Link) CreateRenderer() fyne.WidgetRenderer {
	line, frame := canvas.NewRectangle(nil), canvas.NewRectangle(color.Transparent)
	frame.StrokeWidth, frame.CornerRadius = ringWidth, 3
	place := func(size fyne.Size) {
		l.text.Resize(size)
		width := min(size.Width, l.text.Full().Width)
		line.Move(fyne.NewPos(0, size.Height-2))
		line.Resize(fyne.NewSize(width, 1))
		frame.Move(fyne.NewPos(-4, -1))
		frame.Resize(fyne.NewSize(width+8, size.Height+2))
	}
	paint := func() {
		accent := l.Theme().Color(theme.ColorAccent, fyne.CurrentApp().Settings().ThemeVariant())
		line.FillColor, frame.StrokeColor = accent, accent
		frame.Hidden = !l.focused
	}
	// The link asks for the width of its whole text, so that it moves to the next line as one word. It is cut only if
	// that line is narrower.
	return NewDrawing(l, l.text.Full, place, paint, l.text, line, frame)
}

// addresses matches web addresses in a text. Punctuation at the end, such as a full stop, is not part of an address.
var addresses = lazyregexp.New(`https?://[^\s]*[^\s.,;:!?)]`)

// NewLinked returns a paragraph in which web addresses are links that call open. If open is nil or there is no
// address, it returns an ordinary paragraph.
func NewLinked(text string, style TextStyle, open func(address string)) fyne.CanvasObject {
	text = Line(text)
	found := addresses.FindAllStringIndex(text, -1)
	if open == nil || len(found) == 0 {
		return NewParagraph(text, style)
	}
	size := style.filled().Size
	var words []fyne.CanvasObject
	say := func(text string) {
		for _, word := range strings.Fields(text) {
			words = append(words, NewText(word, style))
		}
	}
	end := 0
	for _, at := range found {
		say(text[end:at[0]])
		address := text[at[0]:at[1]]
		_, shown, _ := strings.Cut(strings.TrimSuffix(address, "/"), "://")
		link := NewLink(shown, size, func() { open(address) })
		words = append(words, link)
		end = at[1]
		// keep what follows, such as a full stop, beside the link
		if stop, _, _ := strings.Cut(text[end:], " "); stop != "" {
			words[len(words)-1] = Row(0, link, NewText(stop, style))
			end += len(stop)
		}
	}
	say(text[end:])
	space := fyne.MeasureText(" ", theme.Theme{}.Size(size), fyne.TextStyle{}).Width
	flow := NewFlow(space, words...)
	flow.Layout.(*flowLayout).lead = 2
	return flow
}
