package frame

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// TextLink is a line of text in the status line that leads somewhere. It is underlined under the pointer and when it has the
// keyboard.
type TextLink struct {
	kit.Control
	Text *kit.Text
	tap  func()
}

func newTextLink(tap func()) *TextLink {
	l := &TextLink{Text: statusText("", theme.ColorText), tap: tap}
	l.Init(l, nil, nil)
	return l
}

func (l *TextLink) set(text string, color fyne.ThemeColorName) {
	l.Text.SetStyle(text, kit.TextStyle{Size: theme.SizeSmall, Color: color})
	l.Refresh()
}

// AccessibilityLabel returns the text of the link.
func (l *TextLink) AccessibilityLabel() string { return l.Text.Text() }

// Tapped follows the link.
func (l *TextLink) Tapped(*fyne.PointEvent) { l.tap() }

// TypedKey follows the link with Enter and the space bar.
func (l *TextLink) TypedKey(event *fyne.KeyEvent) { l.PressKey(event, l.tap) }

// CreateRenderer is for Fyne.
func (l *TextLink) CreateRenderer() fyne.WidgetRenderer {
	return &linkRenderer{l, canvas.NewRectangle(nil)}
}

type linkRenderer struct {
	link *TextLink
	line *canvas.Rectangle
}

func (r *linkRenderer) Destroy()                     {}
func (r *linkRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.link.Text, r.line} }
func (r *linkRenderer) MinSize() fyne.Size           { return r.link.Text.MinSize() }

func (r *linkRenderer) Layout(size fyne.Size) {
	r.link.Text.Resize(size)
	r.line.Resize(fyne.NewSize(min(size.Width, r.link.Text.Full().Width), 1))
	r.line.Move(fyne.NewPos(0, size.Height-1))
}

func (r *linkRenderer) Refresh() {
	r.line.Hidden = !r.link.Focused() && !r.link.Hovered()
	r.line.FillColor = r.link.Theme().Color(theme.ColorAccent, fyne.CurrentApp().Settings().ThemeVariant())
	r.line.Refresh()
	r.link.Text.Refresh()
}
