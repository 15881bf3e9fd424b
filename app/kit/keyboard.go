package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// keyboard is what all controls have in common that can have the keyboard. Controls of Fyne embed it beside what they are and call
// take and pass; [Control] is it for controls of our own.
type keyboard struct {
	// OnFocus is called when the keyboard comes or goes; it may be nil.
	OnFocus func(focused bool)

	// OnEscape is called by the Esc key; nil: the key is the window's.
	OnEscape func()

	focused bool
	page    *Page // that the control lies on; nil: none
}

// take notes that an object has got the keyboard or lost it. On a page the object is brought into sight: when the window comes to
// the front, what had the keyboard gets it again, and Fyne does not say why something gets it.
func (k *keyboard) take(object fyne.CanvasObject, focused bool) {
	k.focused = focused
	if focused && k.page != nil {
		k.page.Reveal(object)
	}
	if k.OnFocus != nil {
		k.OnFocus(focused)
	}
	if k.page != nil && k.page.OnFocus != nil {
		k.page.OnFocus(focused)
	}
}

// pass deals with the keys that no control uses itself, and reports whether the key was one of them.
func (k *keyboard) pass(object fyne.CanvasObject, event *fyne.KeyEvent) bool {
	switch {
	case event.Name == fyne.KeyEscape && k.OnEscape != nil:
		k.OnEscape()
	case event.Name == fyne.KeyEscape, event.Name == fyne.KeyF1:
		PassKey(object, event)
	default:
		return false
	}
	return true
}

// ring is the colour of the line around what has the keyboard; empty without it.
func (k *keyboard) ring() fyne.ThemeColorName {
	if k.focused {
		return theme.ColorAccent
	}
	return ""
}

func (k *keyboard) lieOn(page *Page) { k.page = page }

func (k *keyboard) liesOn(page *Page) bool { return k.page == page }

// Has reports whether a control lies on the page.
func (p *Page) Has(object fyne.Focusable) bool {
	control, ok := object.(interface{ liesOn(*Page) bool })
	return ok && control.liesOn(p)
}

// adopt tells all that is in the containers and boxes of an object which page it lies on.
func (p *Page) adopt(object fyne.CanvasObject) {
	switch o := object.(type) {
	case interface{ lieOn(*Page) }:
		o.lieOn(p)
	case *fyne.Container:
		for _, part := range o.Objects {
			p.adopt(part)
		}
	case *Box:
		if o.content != nil {
			p.adopt(o.content)
		}
	}
}

// Control is the base of a control of our own that can have the keyboard and be pressed. A control embeds it, calls
// [Control.Init], and says in TypedKey what keys do.
type Control struct {
	widget.BaseWidget
	keyboard

	// OnState is called when the keyboard or the pointer comes or goes; nil: the control is refreshed.
	OnState func()

	self    control
	hovered bool
	content fyne.CanvasObject
	ground  *Box
	style   func() BoxStyle
}

type control interface {
	fyne.Widget
	fyne.Focusable
}

var (
	_ desktop.Hoverable  = (*Control)(nil)
	_ desktop.Cursorable = (*Control)(nil)
)

// Init must be called with what embeds the control. The control shows a content on a ground whose style is asked for whenever it is
// refreshed. Both are nil for one that has a renderer of its own.
func (c *Control) Init(self control, content fyne.CanvasObject, style func() BoxStyle) {
	c.self, c.content, c.style = self, content, style
	if style != nil {
		c.ground = NewBox(style(), content)
	}
	c.ExtendBaseWidget(self)
}

// Focused reports whether the control has the keyboard.
func (c *Control) Focused() bool { return c.focused }

// Hovered reports whether the pointer is over the control.
func (c *Control) Hovered() bool { return c.hovered }

// FocusGained is for Fyne.
func (c *Control) FocusGained() { c.take(c.self, true); c.state() }

// FocusLost is for Fyne.
func (c *Control) FocusLost() { c.take(c.self, false); c.state() }

// TypedRune is for Fyne.
func (c *Control) TypedRune(rune) {}

// TypedKey leaves all keys to the window but Esc, if that does something.
func (c *Control) TypedKey(event *fyne.KeyEvent) {
	if !c.pass(c.self, event) {
		PassKey(c.self, event)
	}
}

// PressKey presses the control with Enter or the space bar, and does with other keys what TypedKey does.
func (c *Control) PressKey(event *fyne.KeyEvent, press func()) {
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		press()
	default:
		c.TypedKey(event)
	}
}

// TypedShortcut leaves shortcuts to the window.
func (c *Control) TypedShortcut(shortcut fyne.Shortcut) { PassShortcut(c.self, shortcut) }

// MouseIn is for Fyne.
func (c *Control) MouseIn(*desktop.MouseEvent) { c.hovered = true; c.state() }

// MouseMoved is for Fyne.
func (c *Control) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is for Fyne.
func (c *Control) MouseOut() { c.hovered = false; c.state() }

// Cursor shows that a click does something.
func (c *Control) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (c *Control) state() {
	if c.OnState != nil {
		c.OnState()
	} else {
		c.Refresh()
	}
}

// CreateRenderer is for Fyne.
func (c *Control) CreateRenderer() fyne.WidgetRenderer {
	return &controlRenderer{widget.NewSimpleRenderer(c.ground), c}
}

type controlRenderer struct {
	fyne.WidgetRenderer
	control *Control
}

func (r *controlRenderer) Refresh() {
	r.control.ground.style = r.control.style()
	r.control.ground.Refresh()
}
