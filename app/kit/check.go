package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Check is a box to be ticked that tells when the keyboard comes and goes.
type Check struct {
	widget.Check
	// OnFocus is called when the keyboard comes or goes; it may be nil.
	OnFocus func(focused bool)
	// OnEscape is called by the Esc key; it may be nil.
	OnEscape func()
	// OnEnter is called by the Enter key; it may be nil.
	OnEnter func()
}

// NewCheck gives a box that is not ticked.
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

// FocusGained is for Fyne.
func (c *Check) FocusGained() {
	c.Check.FocusGained()
	if c.OnFocus != nil {
		c.OnFocus(true)
	}
}

// FocusLost is for Fyne.
func (c *Check) FocusLost() {
	c.Check.FocusLost()
	if c.OnFocus != nil {
		c.OnFocus(false)
	}
}

// TypedKey is for Fyne.
func (c *Check) TypedKey(event *fyne.KeyEvent) {
	if event.Name == fyne.KeyEscape && c.OnEscape != nil {
		c.OnEscape()
		return
	}
	if (event.Name == fyne.KeyReturn || event.Name == fyne.KeyEnter) && c.OnEnter != nil {
		c.OnEnter()
		return
	}
	c.Check.TypedKey(event)
}
