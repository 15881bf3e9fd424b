package frame

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// TextLink is a link in the status line. It is underlined while it is focused or under the pointer.
type TextLink struct {
	kit.Control
	Text *kit.Text
	tap  func()
}

func newTextLink(tap func()) *TextLink {
	l := &TextLink{Text: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Shrinks: true}), tap: tap}
	l.Init(l, nil, nil)
	return l
}

func (l *TextLink) set(text string, color fyne.ThemeColorName) {
	l.Text.SetStyle(text, kit.TextStyle{Size: theme.SizeSmall, Color: color, Shrinks: true})
	l.Refresh()
}

// Full returns the size of the whole text.
func (l *TextLink) Full() fyne.Size { return l.Text.Full() }

// AccessibilityLabel returns the text of the link.
func (l *TextLink) AccessibilityLabel() string { return l.Text.Text() }

// Tapped follows the link.
func (l *TextLink) Tapped(*fyne.PointEvent) { l.tap() }

// TypedKey follows the link with Enter and the space bar.
func (l *TextLink) TypedKey(event *fyne.KeyEvent) { l.PressKey(event, l.tap) }

// CreateRenderer implements [fyne.Widget].
func (l *TextLink) CreateRenderer() fyne.WidgetRenderer {
	line := canvas.NewRectangle(nil)
	place := func(size fyne.Size) {
		l.Text.Resize(size)
		line.Resize(fyne.NewSize(min(size.Width, l.Text.Full().Width), 1))
		line.Move(fyne.NewPos(0, size.Height-1))
	}
	paint := func() {
		line.Hidden = !l.Focused() && !l.Hovered()
		line.FillColor = l.Theme().Color(theme.ColorAccent, fyne.CurrentApp().Settings().ThemeVariant())
	}
	return kit.NewDrawing(l, l.Text.MinSize, place, paint, l.Text, line)
}
