package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Button is Fyne's button, except that the Enter key presses it too, and that it keeps the focus when it is clicked with
// the keyboard.
type Button struct {
	widget.Button
	keyboard

	spoken string
	outer  Stepper // whose button it is; nil: it has its own place for the Tab key
	enters bool    // the keyboard may come to it, though it is another's
	under  bool    // the pointer is over it
}

// Stepper is something with buttons that is one stop of the Tab key. Step leads the keyboard from one of its buttons to the one that is so
// many further.
type Stepper interface {
	fyne.Focusable
	Step(from *Button, by int)
}

// Within makes it one of the buttons of something: the Tab key passes by, and [Button.Enter] leads to it.
func (b *Button) Within(outer Stepper) { b.outer = outer }

// Inner reports whether the button is part of something that has the keyboard for it.
func (b *Button) Inner() bool { return b.outer != nil }

// Enter gives the keyboard to a button that is within something.
func (b *Button) Enter() {
	b.enters = true
	Focus(b)
}

// Leave has the Tab key pass by a button again that was entered.
func (b *Button) Leave() { b.enters = false }

// NewButton returns a button with a text.
func NewButton(text string, importance widget.Importance, tapped func()) *Button {
	b := &Button{}
	b.Text, b.Importance, b.OnTapped = text, importance, tapped
	b.ExtendBaseWidget(b)
	return b
}

// NewIconButton returns a button with an icon alone; spoken says what it does for those who cannot see it.
func NewIconButton(icon fyne.Resource, spoken string, tapped func()) *Button {
	b := &Button{spoken: spoken}
	b.Icon, b.Importance, b.OnTapped = icon, widget.LowImportance, tapped
	b.ExtendBaseWidget(b)
	return b
}

// NewMenuButton returns the "⋯" that opens a menu below itself. The menu is made when it is opened.
func NewMenuButton(spoken string, menu func() *fyne.Menu) *Button {
	var b *Button
	b = NewIconButton(base.MoreHorizontalIcon(), spoken, func() { b.ShowMenu(menu()) })
	return b
}

// ShowMenu opens a menu below the button.
func (b *Button) ShowMenu(menu *fyne.Menu) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(b); canvas != nil && menu != nil && len(menu.Items) > 0 {
		widget.ShowPopUpMenuAtRelativePosition(menu, canvas, fyne.NewPos(0, b.Size().Height), b)
	}
}

// SetText changes the text. A button that says it already is not drawn anew.
func (b *Button) SetText(text string) {
	if b.Text != text {
		b.Button.SetText(text)
	}
}

// AccessibilityLabel says what the button does.
func (b *Button) AccessibilityLabel() string {
	if b.Text == "" {
		return b.spoken
	}
	return b.Text
}

// Focused reports whether the keyboard is here, also while a dialog that lies over the button, or another program, has it for a time.
func (b *Button) Focused() bool { return b.focused || HoldsKeyboard(b) }

// FocusGained is for Fyne, which also gives the keyboard back to a button that was hidden or disabled while another program had it.
func (b *Button) FocusGained() {
	if b.idle() {
		b.stepAside()
		return
	}
	if b.outer != nil && !b.enters && !b.under {
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(b); Modifiers()&fyne.KeyModifierShift != 0 {
			canvas.FocusPrevious()
		} else {
			canvas.FocusNext()
		}
		return
	}
	b.Button.FocusGained()
	b.take(b, true)
}

// FocusLost is for Fyne.
func (b *Button) FocusLost() {
	b.Button.FocusLost()
	b.take(b, false)
}

// MouseIn is for Fyne.
func (b *Button) MouseIn(event *desktop.MouseEvent) {
	b.under = true
	b.Button.MouseIn(event)
}

// MouseOut is for Fyne.
func (b *Button) MouseOut() {
	b.under = false
	b.Button.MouseOut()
}

// ringColor is the colour of the line that shows the focus; empty without it.
func (b *Button) ringColor() fyne.ThemeColorName {
	switch {
	case !b.focused:
		return ""
	case b.Importance == widget.HighImportance:
		return base.ColorNameForegroundOnPrimary
	case b.Importance == widget.DangerImportance:
		return base.ColorNameForegroundOnError
	}
	return b.ring()
}

// Disable is for Fyne. The keyboard goes on to what comes next: where nothing can be done, it is not seen either.
func (b *Button) Disable() {
	b.stepAside()
	b.Button.Disable()
}

// Hide is for Fyne, with the same about the keyboard.
func (b *Button) Hide() {
	b.stepAside()
	b.Button.Hide()
}

// idle reports whether the button can do nothing now.
func (b *Button) idle() bool { return b.Disabled() || !b.Visible() }

// stepAside asks the window and not the button, which has been told that the keyboard is gone while another program has it.
func (b *Button) stepAside() {
	if !HoldsKeyboard(b) {
		return
	}
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(b); b.outer != nil {
		canvas.Focus(b.outer)
	} else {
		canvas.FocusNext()
	}
}

// CreateRenderer is for Fyne.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	return newRingedRenderer(b.Button.CreateRenderer(), b, b.ringColor)
}

// TypedKey presses the button with Enter or the space bar, and leaves all other keys to the window. Fyne would take the keyboard
// away from what is pressed: when a dialog that it opens is closed, one is where one was before.
func (b *Button) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.press()
	case fyne.KeySpace: // it comes as a rune, too
	case fyne.KeyLeft, fyne.KeyRight:
		switch {
		case b.outer == nil:
			PassKey(b, event)
		case event.Name == fyne.KeyLeft:
			b.outer.Step(b, -1)
		default:
			b.outer.Step(b, 1)
		}
	default:
		if !b.pass(b, event) {
			PassKey(b, event)
		}
	}
}

// TypedRune presses the button with the space bar. Fyne tells of the key first and then of the space: a button that is pressed with the key and
// gives the keyboard to a field would have the space typed there.
func (b *Button) TypedRune(r rune) {
	if r == ' ' {
		b.press()
	}
}

func (b *Button) press() {
	switch {
	case b.idle(): // since a dialog lay over it, so that it could not step aside
		b.stepAside()
	case b.OnTapped != nil:
		b.OnTapped()
		Forsake(b)
	}
}
