package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Choice is a choice between a few things that exclude each other, side by side in one box.
type Choice struct{ labels }

// Measures of a choice, in pixels.
const (
	choiceHeight = 34
	choicePad    = 14
	choiceInset  = 3 // between the outline and the ground of a label
)

// NewChoice returns a choice whose first label is chosen.
func NewChoice(labels ...string) *Choice {
	c := &Choice{}
	c.start(c, labels, choicePad, choiceHeight, c.paint)
	return c
}

// NewFullChoice lays a choice out at the width of all of its labels, so that it ends where its place does.
func NewFullChoice(choice *Choice) *fyne.Container { return Sized(choice.Full(), 0, choice) }

// TypedKey chooses with the arrows, and the next with the space bar.
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

// Tapped chooses what is under the pointer.
func (c *Choice) Tapped(event *fyne.PointEvent) { c.Choose(c.at(event.Position.X)) }

func (c *Choice) paint(r *labelsRenderer, _ fyne.Size) {
	look, variant := c.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	ground, hover, chosen := r.shapes[0], r.shapes[1], r.shapes[2]
	radius := look.Size(theme.SizeFieldRadius)
	ground.CornerRadius, chosen.CornerRadius, hover.CornerRadius = radius, radius-1, radius-1
	ground.StrokeWidth, ground.StrokeColor = 1, look.Color(base.ColorNameInputBorder, variant)
	if c.focused {
		ground.StrokeWidth, ground.StrokeColor = ringWidth, look.Color(theme.ColorAccent, variant)
	}
	hover.Hide()
	end := float32(0)
	for i, text := range r.texts {
		left, width := r.place(i)
		inner, size := fyne.NewPos(left+choiceInset, choiceInset), fyne.NewSize(width-2*choiceInset, choiceHeight-2*choiceInset)
		switch i {
		case c.chosen:
			text.Color = look.Color(theme.ColorAccent, variant)
			place(chosen, inner, size, look.Color(theme.ColorTint, variant))
		case c.hovered:
			hover.Show()
			place(hover, inner, size, look.Color(base.ColorNameHover, variant))
		}
		end = left + width
	}
	place(ground, fyne.NewPos(0, 0), fyne.NewSize(end, choiceHeight), look.Color(theme.ColorPanel, variant))
}
