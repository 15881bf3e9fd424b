package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// textLink is a line of text in the status line that leads somewhere. It is underlined under the pointer and when it has the
// keyboard.
type textLink struct {
	widget.BaseWidget
	text *kit.Text
	tap  func()

	focused, hovered bool
}

var (
	_ fyne.Focusable    = (*textLink)(nil)
	_ fyne.Tappable     = (*textLink)(nil)
	_ desktop.Hoverable = (*textLink)(nil)
)

func newTextLink(tap func()) *textLink {
	l := &textLink{text: statusText("", theme.ColorText), tap: tap}
	l.ExtendBaseWidget(l)
	return l
}

func (l *textLink) set(text string, color fyne.ThemeColorName) {
	l.text.SetStyle(text, kit.TextStyle{Size: theme.SizeSmall, Color: color})
	l.Refresh()
}

// Tapped follows the link.
func (l *textLink) Tapped(*fyne.PointEvent) { l.tap() }

func (l *textLink) MouseIn(*desktop.MouseEvent)    { l.hovered = true; l.Refresh() }
func (l *textLink) MouseMoved(*desktop.MouseEvent) {}
func (l *textLink) MouseOut()                      { l.hovered = false; l.Refresh() }
func (l *textLink) FocusGained()                   { l.focused = true; l.Refresh() }
func (l *textLink) FocusLost()                     { l.focused = false; l.Refresh() }
func (l *textLink) TypedRune(rune)                 {}
func (l *textLink) Cursor() desktop.Cursor         { return desktop.PointerCursor }

// TypedKey follows the link with Enter and the space bar.
func (l *textLink) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		l.tap()
	default:
		kit.PassKey(l, event)
	}
}

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
	r.line.Hidden = !r.link.focused && !r.link.hovered
	r.line.FillColor = r.link.Theme().Color(theme.ColorAccent, fyne.CurrentApp().Settings().ThemeVariant())
	r.line.Refresh()
	r.link.text.Refresh()
}
