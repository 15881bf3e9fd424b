package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Keyboard is what all focusable controls have in common. Fyne reports the focus to Keyboard, and Keyboard passes the
// report on. A control that is based on a control of Fyne embeds Keyboard and calls Pass. [Control] does this for
// controls of our own.
type Keyboard struct {
	// OnFocus is called when the control gets or loses the focus; it may be nil.
	OnFocus func(focused bool)

	// OnEscape is called on the Esc key. If it is nil, the window gets the key.
	OnEscape func()

	self    fyne.Widget    // the control
	inner   fyne.Focusable // the control of Fyne that self is based on; nil if there is none
	follow  func()         // called last when self has got or lost the focus; may be nil
	skips   func() bool    // moves the focus on if self must not have it, and reports whether it did; may be nil
	focused bool           // Fyne has said that self has the focus
	page    *Page          // the page that the control is on, or nil
}

// Fyne's controls, each in a struct. A control embeds one of these structs next to Keyboard. The methods of Fyne's
// control are then one level deeper than those of Keyboard, so Go calls those of Keyboard.
type (
	fyneButton struct{ widget.Button }
	fyneCheck  struct{ widget.Check }
	fyneEntry  struct{ widget.Entry }
	fyneList   struct{ widget.List }
	fyneSelect struct{ widget.Select }
	fyneTable  struct{ widget.Table }
)

// FocusGained implements [fyne.Focusable].
func (k *Keyboard) FocusGained() {
	if k.skips == nil || !k.skips() {
		k.take(true)
	}
}

// FocusLost implements [fyne.Focusable].
func (k *Keyboard) FocusLost() { k.take(false) }

// take is called when the control has got or lost the focus. If the control is on a page, the page scrolls to it. It
// does so even when the window only comes to the front, because Fyne does not say why a control gets the focus.
func (k *Keyboard) take(focused bool) {
	k.focused = focused
	switch {
	case k.inner == nil:
	case focused:
		k.inner.FocusGained()
	default:
		k.inner.FocusLost()
	}
	if focused && k.page != nil {
		k.page.Reveal(k.self)
	}
	if k.OnFocus != nil {
		k.OnFocus(focused)
	}
	if k.page != nil && k.page.OnFocus != nil {
		k.page.OnFocus(focused)
	}
	if k.follow != nil {
		k.follow()
	}
}

// Attach says which control this is, and what to call last when it has got or lost the focus.
func (k *Keyboard) Attach(self fyne.Widget, follow func()) { k.self, k.follow = self, follow }

// HasFocus reports whether Fyne has said that the control has the focus.
func (k *Keyboard) HasFocus() bool { return k.focused }

// Pass handles the keys that work alike in all controls, Esc and F1, and reports whether the key was one of them.
func (k *Keyboard) Pass(event *fyne.KeyEvent) bool {
	switch {
	case event.Name == fyne.KeyEscape && k.OnEscape != nil:
		k.OnEscape()
	case event.Name == fyne.KeyEscape, event.Name == fyne.KeyF1:
		PassKey(k.self, event)
	default:
		return false
	}
	return true
}

// Ring returns the colour of the line that shows the focus, or "" without the focus.
func (k *Keyboard) Ring() fyne.ThemeColorName {
	if k.focused {
		return theme.ColorAccent
	}
	return ""
}

// LieOn says on which page the control is, which scrolls to it when it gets the focus.
func (k *Keyboard) LieOn(page *Page) { k.page = page }

// liesOn reports whether the control is on a page.
func (k *Keyboard) liesOn(page *Page) bool { return k.page == page }

// Has reports whether a control is on the page.
func (p *Page) Has(object fyne.Focusable) bool {
	control, ok := object.(interface{ liesOn(*Page) bool })
	return ok && control.liesOn(p)
}

// adopt tells all controls in the containers and boxes of an object that they are on the page.
func (p *Page) adopt(object fyne.CanvasObject) {
	if control, ok := object.(interface{ LieOn(*Page) }); ok {
		control.LieOn(p)
		return
	}
	for _, part := range partsOf(object) {
		p.adopt(part)
	}
}

// Control is the base of a focusable control of our own. A control embeds it, calls [Control.Init], and handles keys
// in TypedKey.
type Control struct {
	widget.BaseWidget
	Keyboard

	// OnState is called when the focus or the pointer comes or goes. If it is nil, the control is refreshed.
	OnState func()

	hovered bool
	content fyne.CanvasObject
	ground  *Box
	style   func() BoxStyle
}

var (
	_ desktop.Hoverable  = (*Control)(nil)
	_ desktop.Cursorable = (*Control)(nil)
)

// Init must be called with the widget that embeds the Control. The control shows content on a background. style
// returns the style of the background and is called at each refresh. content and style are nil for a control with its
// own renderer.
func (c *Control) Init(self fyne.Widget, content fyne.CanvasObject, style func() BoxStyle) {
	c.self, c.follow, c.content, c.style = self, c.state, content, style
	if style != nil {
		c.ground = NewBox(style(), content)
	}
	c.ExtendBaseWidget(self)
}

// Focused reports whether the control has the focus.
func (c *Control) Focused() bool { return c.focused }

// Hovered reports whether the pointer is over the control.
func (c *Control) Hovered() bool { return c.hovered }

// Highlight returns the background of a control that is one of several: it shows which one is chosen, under the
// pointer or focused.
func (c *Control) Highlight(chosen bool) BoxStyle {
	style := BoxStyle{Fill: theme.ColorClear, Radius: theme.SizeFieldRadius}
	switch {
	case chosen:
		style.Fill = theme.ColorTint
	case c.hovered:
		style.Fill = base.ColorNameHover
	}
	if c.focused {
		style.Line, style.Width = theme.ColorAccent, ringWidth
	}
	return style
}

// TypedRune implements [fyne.Focusable]; it does nothing.
func (c *Control) TypedRune(rune) {}

// TypedKey leaves all keys to the window, except Esc if OnEscape is set.
func (c *Control) TypedKey(event *fyne.KeyEvent) {
	if !c.Pass(event) {
		PassKey(c.self, event)
	}
}

// PressKey calls press on Enter and the space bar. It handles other keys like TypedKey.
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

// MouseIn implements [desktop.Hoverable].
func (c *Control) MouseIn(*desktop.MouseEvent) { c.hovered = true; c.state() }

// MouseMoved implements [desktop.Hoverable].
func (c *Control) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements [desktop.Hoverable].
func (c *Control) MouseOut() { c.hovered = false; c.state() }

// Cursor shows that the control can be clicked.
func (c *Control) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (c *Control) state() {
	if c.OnState != nil {
		c.OnState()
	} else {
		c.Refresh()
	}
}

// CreateRenderer implements [fyne.Widget].
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
