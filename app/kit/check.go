package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Check is a box to be ticked that tells when the keyboard comes and goes.
type Check struct {
	widget.Check
	keyboard

	// OnEnter is called by the Enter key; it may be nil.
	OnEnter func()
}

// NewCheck returns a box that is not ticked.
func NewCheck(label string, changed func(bool)) *Check {
	c := &Check{}
	c.Text, c.OnChanged = label, changed
	c.ExtendBaseWidget(c)
	return c
}

// Follow ticks the box or not, without telling OnChanged.
func (c *Check) Follow(checked bool) {
	if c.Checked != checked {
		c.Checked = checked
		c.Refresh()
	}
}

// Focused reports whether the keyboard is here, also while a dialog or another program has it for a time.
func (c *Check) Focused() bool { return c.focused || HoldsKeyboard(c) }

// FocusGained is for Fyne.
func (c *Check) FocusGained() {
	c.Check.FocusGained()
	c.take(c, true)
}

// FocusLost is for Fyne.
func (c *Check) FocusLost() {
	c.Check.FocusLost()
	c.take(c, false)
}

// CreateRenderer is for Fyne.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return newRingedRenderer(c.Check.CreateRenderer(), c, c.ring)
}

// TypedKey is for Fyne, whose box uses none: the space bar comes as a letter.
func (c *Check) TypedKey(event *fyne.KeyEvent) {
	switch {
	case c.pass(c, event):
	case (event.Name == fyne.KeyReturn || event.Name == fyne.KeyEnter) && c.OnEnter != nil:
		c.OnEnter()
	case event.Name != fyne.KeySpace:
		PassKey(c, event)
	}
}
