package kit

import (
	"fyne.io/fyne/v2"
)

// Check is a checkbox that reports when it gets or loses the focus.
type Check struct {
	fyneCheck
	Keyboard

	// OnEnter is called on Enter; it may be nil.
	OnEnter func()
}

// NewCheck returns a checkbox that is not ticked.
func NewCheck(label string, changed func(bool)) *Check {
	c := &Check{}
	c.Text, c.OnChanged = label, changed
	c.self, c.inner = c, &c.Check
	c.ExtendBaseWidget(c)
	return c
}

// Follow ticks or clears the checkbox without calling OnChanged.
func (c *Check) Follow(checked bool) {
	if c.Checked != checked {
		c.Checked = checked
		c.Refresh()
	}
}

// Focused reports whether the checkbox has the focus, or will get it back from a dialog over it or from another
// program.
func (c *Check) Focused() bool { return c.focused || HoldsKeyboard(c) }

// CreateRenderer implements [fyne.Widget].
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return newRingedRenderer(c.Check.CreateRenderer(), c, c.Ring)
}

// TypedKey implements [fyne.Focusable]. Fyne's checkbox handles the space bar in TypedRune.
func (c *Check) TypedKey(event *fyne.KeyEvent) {
	switch {
	case c.Pass(event):
	case (event.Name == fyne.KeyReturn || event.Name == fyne.KeyEnter) && c.OnEnter != nil:
		c.OnEnter()
	case event.Name != fyne.KeySpace:
		PassKey(c, event)
	}
}
