package kit

import "fyne.io/fyne/v2"

// SetVisible shows or hides an object.
func SetVisible(object fyne.CanvasObject, visible bool) {
	switch {
	case visible == object.Visible():
	case visible:
		object.Show()
	default:
		object.Hide()
	}
}

// SetEnabled enables or disables a control.
func SetEnabled(control fyne.Disableable, enabled bool) {
	switch {
	case enabled != control.Disabled():
	case enabled:
		control.Enable()
	default:
		control.Disable()
	}
}
