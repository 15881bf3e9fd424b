package kit

import "fyne.io/fyne/v2"

// SetVisible shows an object, or hides it.
func SetVisible(object fyne.CanvasObject, visible bool) {
	switch {
	case visible == object.Visible():
	case visible:
		object.Show()
	default:
		object.Hide()
	}
}

// SetEnabled has a control react to the user, or not.
func SetEnabled(control fyne.Disableable, enabled bool) {
	switch {
	case enabled != control.Disabled():
	case enabled:
		control.Enable()
	default:
		control.Disable()
	}
}
