package kit

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Link is an address within a text. It is underlined, so that it is known by more than its colour, and framed when it has the
// keyboard.
type Link struct {
	Control

	text *Text
	open func()
}

// NewLink returns a link; open follows it.
func NewLink(text string, size fyne.ThemeSizeName, open func()) *Link {
	l := &Link{text: NewText(text, TextStyle{Size: size, Color: theme.ColorAccent, Shrinks: true}), open: open}
	l.Init(l, nil, nil)
	return l
}

// Text is what the link says.
func (l *Link) Text() string { return l.text.Text() }

// Tapped follows the link.
func (l *Link) Tapped(*fyne.PointEvent) { l.open() }

// TypedKey follows the link with Enter and the space bar.
func (l *Link) TypedKey(event *fyne.KeyEvent) { l.PressKey(event, l.open) }

// CreateRenderer is for Fyne.
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
	// It needs room for the whole address: it wraps as one word, and is cut only where a line has no room for it.
	return NewDrawing(l, l.text.Full, place, paint, l.text, line, frame)
}

// addresses finds web addresses in a text, without the full stop or the like that follows one.
var addresses = lazyregexp.New(`https?://[^\s]*[^\s.,;:!?)]`)

// NewLinked returns a paragraph whose web addresses can be followed, which open does. Without one, or without an address, it is an
// ordinary paragraph.
func NewLinked(text string, style TextStyle, open func(address string)) fyne.CanvasObject {
	text = Line(text)
	found := addresses.FindAllStringIndex(text, -1)
	if open == nil || len(found) == 0 {
		return NewParagraph(text, style)
	}
	size := style.Size
	if size == "" {
		size = theme.SizeText
	}
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
		if stop, _, _ := strings.Cut(text[end:], " "); stop != "" { // what follows it belongs to it
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
