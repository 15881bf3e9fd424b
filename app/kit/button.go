package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Button is Fyne's button, except that the Enter key presses it too, and that it keeps the focus when it is clicked with
// the keyboard.
type Button struct {
	widget.Button

	// OnFocus is called when the button gets the focus, so that it can be brought into sight; nil: nothing.
	OnFocus func()

	spoken string
}

// NewButton gives a button with a text.
func NewButton(text string, importance widget.Importance, tapped func()) *Button {
	b := &Button{}
	b.Text, b.Importance, b.OnTapped = text, importance, tapped
	b.ExtendBaseWidget(b)
	return b
}

// NewIconButton gives a button with an icon alone; spoken says what it does for those who cannot see it.
func NewIconButton(icon fyne.Resource, spoken string, tapped func()) *Button {
	b := &Button{spoken: spoken}
	b.Icon, b.Importance, b.OnTapped = icon, widget.LowImportance, tapped
	b.ExtendBaseWidget(b)
	return b
}

// NewMenuButton gives the "⋯" that opens a menu below itself. The menu is made when it is opened.
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

// AccessibilityLabel says what the button does.
func (b *Button) AccessibilityLabel() string {
	if b.Text == "" {
		return b.spoken
	}
	return b.Text
}

// FocusGained is for Fyne.
func (b *Button) FocusGained() {
	b.Button.FocusGained()
	if b.OnFocus != nil {
		b.OnFocus()
	}
}

// TypedKey presses the button with Enter or the space bar. The Esc key is the window's.
func (b *Button) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyEscape:
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(b); canvas != nil && canvas.OnTypedKey() != nil {
			canvas.OnTypedKey()(event)
		}
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		canvas := fyne.CurrentApp().Driver().CanvasForObject(b)
		b.Tapped(nil)
		if canvas != nil && canvas.Focused() == nil && canvas.Overlays().Top() == nil && b.Visible() {
			canvas.Focus(b)
		}
	}
}
