package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Choice lets the user choose one of a few labels, which are side by side in one box.
type Choice struct{ labels }

// Sizes of a choice, in pixels.
const (
	choiceHeight = 34
	choicePad    = 14
	choiceInset  = 3 // between the outline and the background of a label
)

// NewChoice returns a choice. The first label is chosen.
func NewChoice(labels ...string) *Choice {
	c := &Choice{}
	c.start(c, labels, choicePad, choiceHeight, c.paint)
	return c
}

// NewFullChoice makes a choice at least as wide as all its labels, so that a row does not cut them.
func NewFullChoice(choice *Choice) *fyne.Container { return Sized(choice.Full(), 0, choice) }

// TypedKey chooses with the arrow keys. The space bar chooses the next label.
func (c *Choice) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		c.Choose(c.chosen - 1)
	case fyne.KeyRight, fyne.KeyDown:
		c.Choose(c.chosen + 1)
	case fyne.KeySpace:
		c.Choose((c.chosen + 1) % len(c.labels.labels))
	default:
		c.Control.TypedKey(event)
	}
}

// Tapped chooses the label under the pointer.
func (c *Choice) Tapped(event *fyne.PointEvent) { c.Choose(c.at(event.Position.X)) }

func (c *Choice) paint(d *drawnLabels, _ fyne.Size) {
	look, variant := c.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	ground, hover, chosen := d.shapes[0], d.shapes[1], d.shapes[2]
	radius := look.Size(theme.SizeFieldRadius)
	ground.CornerRadius, chosen.CornerRadius, hover.CornerRadius = radius, radius-1, radius-1
	ground.StrokeWidth, ground.StrokeColor = 1, look.Color(base.ColorNameInputBorder, variant)
	if c.focused {
		ground.StrokeWidth, ground.StrokeColor = ringWidth, look.Color(theme.ColorAccent, variant)
	}
	hover.Hide()
	end := float32(0)
	for i, text := range d.texts {
		left, width := d.place(i)
		inner, size := fyne.NewPos(left+choiceInset, choiceInset),
			fyne.NewSize(width-2*choiceInset, choiceHeight-2*choiceInset)
		switch i {
		case c.chosen:
			text.Color = look.Color(theme.ColorAccent, variant)
			Fill(chosen, inner, size, look.Color(theme.ColorTint, variant))
		case c.hovered:
			hover.Show()
			Fill(hover, inner, size, look.Color(base.ColorNameHover, variant))
		}
		end = left + width
	}
	Fill(ground, fyne.NewPos(0, 0), fyne.NewSize(end, choiceHeight), look.Color(theme.ColorPanel, variant))
}
