package kit

import "fyne.io/fyne/v2"

// measured remembers the size of a text. Fyne forgets all sizes when the theme changes, but our themes differ only in
// colours, and measuring everything again takes longer than a frame.
type measured struct {
	text  string
	size  float32 // of its letters
	style fyne.TextStyle
	is    fyne.Size // of text
}

// of returns the size of a text. It measures the text only if it differs from the last one.
func (m *measured) of(text string, size float32, style fyne.TextStyle) fyne.Size {
	if m.is.IsZero() || m.text != text || m.size != size || m.style != style {
		m.text, m.size, m.style, m.is = text, size, style, fyne.MeasureText(text, size, style)
	}
	return m.is
}
