package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// textLink is a line of text in the status line that leads somewhere. It is underlined under the pointer and when it has the
// keyboard.
type textLink struct {
	kit.Control
	text *kit.Text
	tap  func()
}

func newTextLink(tap func()) *textLink {
	l := &textLink{text: statusText("", theme.ColorText), tap: tap}
	l.Init(l, nil, nil)
	return l
}

func (l *textLink) set(text string, color fyne.ThemeColorName) {
	l.text.SetStyle(text, kit.TextStyle{Size: theme.SizeSmall, Color: color})
	l.Refresh()
}

// Tapped follows the link.
func (l *textLink) Tapped(*fyne.PointEvent) { l.tap() }

// TypedKey follows the link with Enter and the space bar.
func (l *textLink) TypedKey(event *fyne.KeyEvent) { l.PressKey(event, l.tap) }

// CreateRenderer is for Fyne.
func (l *textLink) CreateRenderer() fyne.WidgetRenderer {
	return &linkRenderer{l, canvas.NewRectangle(nil)}
}

type linkRenderer struct {
	link *textLink
	line *canvas.Rectangle
}

func (r *linkRenderer) Destroy()                     {}
func (r *linkRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.link.text, r.line} }
func (r *linkRenderer) MinSize() fyne.Size           { return r.link.text.MinSize() }

func (r *linkRenderer) Layout(size fyne.Size) {
	r.link.text.Resize(size)
	r.line.Resize(fyne.NewSize(min(size.Width, r.link.text.Full().Width), 1))
	r.line.Move(fyne.NewPos(0, size.Height-1))
}

func (r *linkRenderer) Refresh() {
	r.line.Hidden = !r.link.Focused() && !r.link.Hovered()
	r.line.FillColor = r.link.Theme().Color(theme.ColorAccent, fyne.CurrentApp().Settings().ThemeVariant())
	r.line.Refresh()
	r.link.text.Refresh()
}
