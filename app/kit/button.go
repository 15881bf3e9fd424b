package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Button is like Fyne's button, but Enter presses it too, and it keeps the focus when a key presses it.
type Button struct {
	fyneButton
	Keyboard

	spoken string  // the text for screen readers if the button shows only an icon
	outer  Stepper // the group that the button belongs to; nil if the Tab key stops at the button itself
	enters bool    // Enter was called, so the button may take the focus
	under  bool    // the pointer is over the button
}

// Stepper is a group of buttons that the Tab key treats as one control. Step moves the focus away from one of the
// buttons: to the next button if by is 1, and to the previous one if by is -1.
type Stepper interface {
	fyne.Focusable
	Step(from *Button, by int)
}

// Within makes the button part of a group. The Tab key skips the button; [Button.Enter] focuses it.
func (b *Button) Within(outer Stepper) { b.outer = outer }

// Inner reports whether the button is part of a group.
func (b *Button) Inner() bool { return b.outer != nil }

// Enter focuses a button that is part of a group. The Tab key alone skips such a button.
func (b *Button) Enter() {
	b.enters = true
	Focus(b)
}

// Leave makes the Tab key skip the button again after Enter.
func (b *Button) Leave() { b.enters = false }

// NewButton returns a button with a text.
func NewButton(text string, importance widget.Importance, tapped func()) *Button {
	b := &Button{}
	b.Text, b.Importance, b.OnTapped = text, importance, tapped
	return b.init()
}

// NewButtonWithIcon returns a button with an icon before its text.
func NewButtonWithIcon(text string, icon fyne.Resource, importance widget.Importance, tapped func()) *Button {
	b := NewButton(text, importance, tapped)
	b.Icon = icon
	return b
}

// NewIconButton returns a button that shows only an icon. spoken is its text for screen readers.
func NewIconButton(icon fyne.Resource, spoken string, tapped func()) *Button {
	b := &Button{spoken: spoken}
	b.Icon, b.Importance, b.OnTapped = icon, widget.LowImportance, tapped
	return b.init()
}

func (b *Button) init() *Button {
	b.self, b.inner, b.skips = b, &b.Button, b.skip
	b.ExtendBaseWidget(b)
	return b
}

// NewMenuButton returns a "⋯" button that opens a menu below itself. The menu is made when it is opened.
func NewMenuButton(spoken string, menu func() *fyne.Menu) *Button {
	b := NewIconButton(base.MoreHorizontalIcon(), spoken, nil)
	b.OnTapped = func() { b.ShowMenu(menu()) }
	return b
}

// ShowMenu opens a menu below the button.
func (b *Button) ShowMenu(menu *fyne.Menu) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(b); canvas != nil && menu != nil && len(menu.Items) > 0 {
		widget.ShowPopUpMenuAtRelativePosition(menu, canvas, fyne.NewPos(0, b.Size().Height), b)
	}
}

// SetMeaning changes the picture of a button made by [NewIconButton], and what it is called.
func (b *Button) SetMeaning(icon fyne.Resource, spoken string) {
	if b.spoken != spoken {
		b.spoken = spoken
		b.SetIcon(icon)
	}
}

// SetText changes the text. If the text is the same, nothing is drawn.
func (b *Button) SetText(text string) {
	if b.Text != text {
		b.Button.SetText(text)
	}
}

// AccessibilityLabel returns the text for screen readers.
func (b *Button) AccessibilityLabel() string {
	if b.Text == "" {
		return b.spoken
	}
	return b.Text
}

// Focused reports whether the button has the focus, or will get it back from a dialog over it or from another program.
func (b *Button) Focused() bool { return b.focused || HoldsKeyboard(b) }

// skip moves the focus on if the button must not have it, and reports whether it did. Fyne also focuses a button that
// was hidden or disabled while another program had the keyboard.
func (b *Button) skip() bool {
	if b.idle() {
		b.stepAside()
		return true
	}
	if b.outer != nil && !b.enters && !b.under {
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(b); Modifiers()&fyne.KeyModifierShift != 0 {
			canvas.FocusPrevious()
		} else {
			canvas.FocusNext()
		}
		return true
	}
	return false
}

// MouseIn implements [desktop.Hoverable].
func (b *Button) MouseIn(event *desktop.MouseEvent) {
	b.under = true
	b.Button.MouseIn(event)
}

// MouseOut implements [desktop.Hoverable].
func (b *Button) MouseOut() {
	b.under = false
	b.Button.MouseOut()
}

// ringColor returns the colour of the line that shows the focus, or "" without the focus.
func (b *Button) ringColor() fyne.ThemeColorName {
	switch {
	case !b.focused:
		return ""
	case b.Importance == widget.HighImportance:
		return base.ColorNameForegroundOnPrimary
	case b.Importance == widget.DangerImportance:
		return base.ColorNameForegroundOnError
	}
	return b.Ring()
}

// Disable implements [fyne.Disableable]. If the button has the focus, the focus moves on, since a disabled button does
// not show the focus.
func (b *Button) Disable() {
	b.stepAside()
	b.Button.Disable()
}

// Hide implements [fyne.CanvasObject]. If the button has the focus, the focus moves on.
func (b *Button) Hide() {
	b.stepAside()
	b.Button.Hide()
}

// idle reports whether the button is disabled or hidden.
func (b *Button) idle() bool { return b.Disabled() || !b.Visible() }

// stepAside moves the focus from the button to its group or, if it has none, to the next object. It asks the canvas
// which object has the focus, because Fyne tells the button that it has lost the focus when another program comes to
// the front.
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

// CreateRenderer implements [fyne.Widget].
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	return newRingedRenderer(b.Button.CreateRenderer(), b, b.ringColor)
}

// TypedKey presses the button on Enter. In a group, the left and right arrow keys move to another button. Other keys
// go to the window. Fyne's own button gives up the focus when a key presses it. This one keeps the focus, so that the
// user is back here after a dialog that the button has opened.
func (b *Button) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.press()
	case fyne.KeySpace: // handled by TypedRune
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
		if !b.Pass(event) {
			PassKey(b, event)
		}
	}
}

// TypedRune presses the button on the space bar. Fyne reports the space bar first as a key and then as a rune. If the
// button reacted to the key and its action focused a field, the rune would be typed into that field.
func (b *Button) TypedRune(r rune) {
	if r == ' ' {
		b.press()
	}
}

func (b *Button) press() {
	switch {
	case b.idle(): // the button was disabled or hidden while a dialog was over it, and could not move the focus on then
		b.stepAside()
	case b.OnTapped != nil:
		b.OnTapped()
		Forsake(b)
	}
}
