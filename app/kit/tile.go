package kit

import (
	"image/color"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// NewTile returns a tile with the mark of the app or the server of the catalogue that has an ID or, if there is none,
// with the first letter of its name. The colour of a letter depends only on the name.
func NewTile(id, name string, size float32) fyne.CanvasObject {
	tile := NewEmptyTile(size)
	tile.Set(id, name, name)
	return tile.Object
}

// Tile is a coloured square with a mark or the first letter of a name.
type Tile struct {
	Object fyne.CanvasObject // the object to show

	tile   *canvas.Rectangle
	letter *canvas.Text
	mark   *canvas.Image
}

// NewEmptyTile returns a tile for a row that shows one thing after another.
func NewEmptyTile(size float32) *Tile {
	m := &Tile{tile: canvas.NewRectangle(color.Transparent), letter: newLetter(size), mark: &canvas.Image{}}
	m.tile.CornerRadius = size / 4
	m.mark.SetMinSize(fyne.NewSquareSize(size * 0.6))
	m.Object = container.NewGridWrap(fyne.NewSquareSize(size),
		container.NewStack(m.tile, container.NewCenter(m.letter), container.NewCenter(m.mark)))
	return m
}

// Set shows a mark as [NewTile] does. Tiles with letters and the same belongs have the same colour.
func (m *Tile) Set(id, name, belongs string) {
	mark, known := theme.NewMark(id)
	m.tile.FillColor, m.letter.Text, m.mark.Resource = mark.Fill, "", mark.Icon
	if !known {
		m.tile.FillColor, m.letter.Text = tint(belongs), initial(name)
	}
	m.mark.Hidden = !known
	m.Object.Refresh()
}

func newLetter(size float32) *canvas.Text {
	letter := canvas.NewText("", color.White)
	letter.TextStyle.Bold = true
	letter.TextSize = size * 0.45
	return letter
}

// initial returns the first letter or digit of a name as a capital or, if the name has neither, its first character.
func initial(name string) string {
	for _, r := range Line(name) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	first, _ := utf8.DecodeRuneInString(Line(name))
	return string(unicode.ToUpper(first))
}

// tint returns the colour for a name. A name always gets the same colour.
func tint(name string) color.Color {
	// White text is readable on each of these colours, and each stands out from a light and from a dark background.
	colors := []color.NRGBA{
		{0x45, 0x66, 0xCC, 0xFF}, {0x1B, 0x7D, 0x65, 0xFF}, {0xA8, 0x50, 0x27, 0xFF}, {0x80, 0x4E, 0xB8, 0xFF},
		{0xA0, 0x44, 0x7A, 0xFF}, {0x33, 0x70, 0x8C, 0xFF}, {0x62, 0x70, 0x28, 0xFF},
	}
	sum := 0
	for _, r := range name {
		sum = (sum*31 + int(r)) % len(colors)
	}
	return colors[sum]
}
