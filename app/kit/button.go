package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Button is Fyne's button, except that the Enter key presses it too, and that it keeps the focus when it is clicked with
// the keyboard.
type Button struct {
	widget.Button

	// OnFocus is called when the button gets the focus, so that it can be brought into sight; nil: nothing.
	OnFocus func()

	spoken  string
	focused bool
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
	b.focused = true
	b.Button.FocusGained()
	if b.OnFocus != nil {
		b.OnFocus()
	}
}

// FocusLost is for Fyne.
func (b *Button) FocusLost() {
	b.focused = false
	b.Button.FocusLost()
}

// ringColor is the colour of the line that shows the focus; empty: Fyne's tint of the accent is seen on the button's ground.
func (b *Button) ringColor() fyne.ThemeColorName {
	switch {
	case !b.focused || b.Disabled():
		return ""
	case b.Importance == widget.HighImportance:
		return base.ColorNameForegroundOnPrimary
	case b.Importance == widget.DangerImportance:
		return base.ColorNameForegroundOnError
	}
	return ""
}

// CreateRenderer is for Fyne.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	return &buttonRenderer{WidgetRenderer: b.Button.CreateRenderer(), button: b}
}

// buttonRenderer adds the ring of the focus, within the button.
type buttonRenderer struct {
	fyne.WidgetRenderer
	button *Button
	ring   *ring // made when it is first seen
}

const ringInset = 2

func (r *buttonRenderer) Objects() []fyne.CanvasObject {
	objects := r.WidgetRenderer.Objects()
	if r.button.ringColor() != "" && r.ring != nil {
		objects = append(slices.Clip(objects), r.ring)
	}
	return objects
}

func (r *buttonRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	if r.ring != nil {
		r.ring.Move(fyne.NewSquareOffsetPos(ringInset))
		r.ring.Resize(size.SubtractWidthHeight(2*ringInset, 2*ringInset))
	}
}

func (r *buttonRenderer) Refresh() {
	if color := r.button.ringColor(); color != "" {
		if r.ring == nil {
			r.ring = newRing(color, theme.SizeFieldRadius)
		}
		r.ring.color = color
		r.ring.Refresh()
		r.Layout(r.button.Size())
	}
	r.WidgetRenderer.Refresh()
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
		within := canvas != nil && canvas.Overlays().Top() != nil // a dialog, which may be gone afterwards
		b.Tapped(nil)
		if canvas != nil && !within && canvas.Focused() == nil && canvas.Overlays().Top() == nil && b.Visible() {
			canvas.Focus(b)
		}
	}
}
