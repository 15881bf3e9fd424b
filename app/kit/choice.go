package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Choice is a choice between a few things that exclude each other, side by side in one box.
type Choice struct {
	Control

	// OnChosen is called when the user chooses another.
	OnChosen func(index int)

	labels  []string
	full    []measured // the labels
	chosen  int
	hovered int
}

// NewChoice gives a choice whose first label is chosen.
func NewChoice(labels ...string) *Choice {
	c := &Choice{labels: labels, hovered: -1}
	c.Init(c, nil, nil)
	return c
}

// Chosen is what is chosen.
func (c *Choice) Chosen() int { return c.chosen }

// Follow chooses without telling OnChosen.
func (c *Choice) Follow(index int) {
	if index != c.chosen {
		c.chosen = index
		c.Refresh()
	}
}

func (c *Choice) choose(index int) {
	if index < 0 || index >= len(c.labels) || index == c.chosen {
		return
	}
	c.Follow(index)
	if c.OnChosen != nil {
		c.OnChosen(index)
	}
}

// TypedKey chooses with the arrows, and the next with the space bar.
func (c *Choice) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		c.choose(c.chosen - 1)
	case fyne.KeyRight, fyne.KeyDown:
		c.choose(c.chosen + 1)
	case fyne.KeySpace:
		c.choose((c.chosen + 1) % len(c.labels))
	default:
		c.Control.TypedKey(event)
	}
}

// Tapped chooses what is under the pointer.
func (c *Choice) Tapped(event *fyne.PointEvent) { c.choose(c.at(event.Position.X)) }

// MouseIn is for Fyne.
func (c *Choice) MouseIn(event *desktop.MouseEvent) { c.hover(c.at(event.Position.X)) }

// MouseMoved is for Fyne.
func (c *Choice) MouseMoved(event *desktop.MouseEvent) { c.hover(c.at(event.Position.X)) }

// MouseOut is for Fyne.
func (c *Choice) MouseOut() { c.hover(-1) }

func (c *Choice) hover(index int) {
	if index != c.hovered {
		c.hovered = index
		c.Refresh()
	}
}

const (
	choiceHeight  = 34
	choicePad     = 14
	choiceAtLeast = 80 // the width of one part
)

// widthOf is the width of a label's part: that of the bold text, so that choosing one doesn't move the others.
func (c *Choice) widthOf(i int, label string) float32 {
	if len(c.full) != len(c.labels) {
		c.full = make([]measured, len(c.labels))
	}
	return c.full[i].of(label, c.Theme().Size(theme.SizeText), fyne.TextStyle{Bold: true}).Width + 2*choicePad
}

// parts are the widths of the labels: as much as they need, or less of each where there is no room.
func (c *Choice) parts() []float32 {
	parts, total := make([]float32, len(c.labels)), float32(0)
	for i, label := range c.labels {
		parts[i] = c.widthOf(i, label)
		total += parts[i]
	}
	if room := c.Size().Width; total > room {
		for i := range parts {
			parts[i] *= room / total
		}
	}
	return parts
}

func (c *Choice) at(x float32) int {
	left := float32(0)
	for i, width := range c.parts() {
		if left += width; x >= 0 && x < left {
			return i
		}
	}
	return -1
}

// CreateRenderer is for Fyne.
func (c *Choice) CreateRenderer() fyne.WidgetRenderer {
	r := &choiceRenderer{choice: c, ground: canvas.NewRectangle(nil), hover: canvas.NewRectangle(nil), chosen: canvas.NewRectangle(nil)}
	r.objects = []fyne.CanvasObject{r.ground, r.hover, r.chosen}
	for range c.labels {
		text := canvas.NewText("", nil)
		r.texts = append(r.texts, text)
		r.objects = append(r.objects, text)
	}
	return r
}

type choiceRenderer struct {
	choice                *Choice
	ground, hover, chosen *canvas.Rectangle
	texts                 []*canvas.Text
	objects               []fyne.CanvasObject
}

func (r *choiceRenderer) Destroy()                     {}
func (r *choiceRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *choiceRenderer) MinSize() fyne.Size {
	return fyne.NewSize(float32(len(r.texts))*choiceAtLeast, choiceHeight)
}

func (r *choiceRenderer) Refresh() {
	r.Layout(r.choice.Size())
	canvas.Refresh(r.choice)
}

func (r *choiceRenderer) Layout(fyne.Size) {
	c := r.choice
	look, variant := c.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	radius := look.Size(theme.SizeFieldRadius)
	r.ground.CornerRadius, r.chosen.CornerRadius, r.hover.CornerRadius = radius, radius-1, radius-1
	r.ground.StrokeWidth, r.ground.StrokeColor = 1, look.Color(base.ColorNameInputBorder, variant)
	if c.focused {
		r.ground.StrokeWidth, r.ground.StrokeColor = 2, look.Color(theme.ColorAccent, variant)
	}
	r.hover.Hide()
	left := float32(0)
	for i, width := range c.parts() {
		text := r.texts[i]
		text.TextSize, text.TextStyle = look.Size(theme.SizeText), fyne.TextStyle{Bold: i == c.chosen}
		text.Color, text.Alignment = look.Color(theme.ColorMuted, variant), fyne.TextAlignCenter
		inner, size := fyne.NewPos(left+3, 3), fyne.NewSize(width-6, choiceHeight-6)
		switch i {
		case c.chosen:
			text.Color = look.Color(theme.ColorAccent, variant)
			place(r.chosen, inner, size, look.Color(theme.ColorTint, variant))
		case c.hovered:
			r.hover.Show()
			place(r.hover, inner, size, look.Color(base.ColorNameHover, variant))
		}
		text.Text = fitted(c.labels[i], width-8, text.TextSize, text.TextStyle)
		height := fyne.MeasureText(text.Text, text.TextSize, text.TextStyle).Height
		text.Move(fyne.NewPos(left, (choiceHeight-height)/2))
		text.Resize(fyne.NewSize(width, height))
		text.Refresh()
		left += width
	}
	place(r.ground, fyne.NewPos(0, 0), fyne.NewSize(left, choiceHeight), look.Color(theme.ColorPanel, variant))
}

// fitted is as much of a text as fits into a width.
func fitted(text string, width, size float32, style fyne.TextStyle) string {
	runes := []rune(text)
	for n := len(runes); n > 0; n-- {
		if fyne.MeasureText(text, size, style).Width <= width+0.5 {
			break
		}
		text = shortened(runes, n-1)
	}
	return text
}
