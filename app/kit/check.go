package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Check is a checkbox that reports when it gets or loses the focus.
type Check struct {
	widget.Check
	keyboard

	// OnEnter is called on Enter; it may be nil.
	OnEnter func()
}

// NewCheck returns a checkbox that is not ticked.
func NewCheck(label string, changed func(bool)) *Check {
	c := &Check{}
	c.Text, c.OnChanged = label, changed
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

// Focused reports whether the checkbox has the focus, also if a dialog or another program has the keyboard for a while.
func (c *Check) Focused() bool { return c.focused || HoldsKeyboard(c) }

// FocusGained implements [fyne.Focusable].
func (c *Check) FocusGained() {
	c.Check.FocusGained()
	c.take(c, true)
}

// FocusLost implements [fyne.Focusable].
func (c *Check) FocusLost() {
	c.Check.FocusLost()
	c.take(c, false)
}

// CreateRenderer implements [fyne.Widget].
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return newRingedRenderer(c.Check.CreateRenderer(), c, c.ring)
}

// TypedKey implements [fyne.Focusable]. Fyne's checkbox handles the space bar in TypedRune.
func (c *Check) TypedKey(event *fyne.KeyEvent) {
	switch {
	case c.pass(c, event):
	case (event.Name == fyne.KeyReturn || event.Name == fyne.KeyEnter) && c.OnEnter != nil:
		c.OnEnter()
	case event.Name != fyne.KeySpace:
		PassKey(c, event)
	}
}
