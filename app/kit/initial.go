package kit

import (
	"image/color"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// NewInitial is the first letter of a name in a circle of a size, whose colour is always the same for the name.
func NewInitial(name string, size float32) fyne.CanvasObject {
	// White can be read on each of them, and they can be told apart on light and dark grounds.
	colors := []color.NRGBA{
		{0x45, 0x66, 0xCC, 0xFF}, {0x1B, 0x7D, 0x65, 0xFF}, {0xA8, 0x50, 0x27, 0xFF}, {0x80, 0x4E, 0xB8, 0xFF},
		{0xA0, 0x44, 0x7A, 0xFF}, {0x33, 0x70, 0x8C, 0xFF}, {0x62, 0x70, 0x28, 0xFF},
	}
	sum := 0
	for _, r := range name {
		sum = (sum*31 + int(r)) % len(colors)
	}
	first, _ := utf8.DecodeRuneInString(Line(name))
	letter := canvas.NewText(string(unicode.ToUpper(first)), color.White)
	letter.TextStyle.Bold = true
	letter.TextSize = size * 0.45
	return container.NewGridWrap(fyne.NewSquareSize(size), container.NewStack(canvas.NewCircle(colors[sum]), container.NewCenter(letter)))
}
