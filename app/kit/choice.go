package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Choice is a choice between a few things that exclude each other, side by side in one box.
type Choice struct {
	widget.BaseWidget

	// OnChosen is called when the user chooses another.
	OnChosen func(index int)

	// OnFocus is called when the keyboard comes or goes; it may be nil.
	OnFocus func(bool)

	labels  []string
	chosen  int
	hovered int
	focused bool
}

// NewChoice gives a choice whose first label is chosen.
func NewChoice(labels ...string) *Choice {
	c := &Choice{labels: labels, hovered: -1}
	c.ExtendBaseWidget(c)
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

var (
	_ fyne.Focusable     = (*Choice)(nil)
	_ fyne.Tappable      = (*Choice)(nil)
	_ desktop.Hoverable  = (*Choice)(nil)
	_ desktop.Cursorable = (*Choice)(nil)
)

// FocusGained is for Fyne.
func (c *Choice) FocusGained() { c.focus(true) }

// FocusLost is for Fyne.
func (c *Choice) FocusLost() { c.focus(false) }

func (c *Choice) focus(focused bool) {
	c.focused = focused
	c.Refresh()
	if c.OnFocus != nil {
		c.OnFocus(focused)
	}
}

// TypedRune is for Fyne.
func (c *Choice) TypedRune(rune) {}

// TypedKey chooses with the arrows, and the next with the space bar.
func (c *Choice) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		c.choose(c.chosen - 1)
	case fyne.KeyRight, fyne.KeyDown:
		c.choose(c.chosen + 1)
	case fyne.KeySpace:
		c.choose((c.chosen + 1) % len(c.labels))
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

// Cursor shows that it can be clicked.
func (c *Choice) Cursor() desktop.Cursor { return desktop.PointerCursor }

const (
	choiceHeight = 34
	choicePad    = 14
)

// part is the width of one of the labels: all have the same.
func (c *Choice) part() float32 {
	widest := float32(0)
	for _, label := range c.labels {
		widest = max(widest, fyne.MeasureText(label, c.Theme().Size(theme.SizeText), fyne.TextStyle{Bold: true}).Width)
	}
	return widest + 2*choicePad
}

func (c *Choice) at(x float32) int {
	index := int(x / c.part())
	if x < 0 || index >= len(c.labels) {
		return -1
	}
	return index
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
	return fyne.NewSize(float32(len(r.texts))*r.choice.part(), choiceHeight)
}

func (r *choiceRenderer) Refresh() {
	r.Layout(r.choice.Size())
	canvas.Refresh(r.choice)
}

func (r *choiceRenderer) Layout(fyne.Size) {
	c := r.choice
	look, variant := c.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	part, radius := c.part(), look.Size(theme.SizeFieldRadius)
	r.ground.CornerRadius, r.chosen.CornerRadius, r.hover.CornerRadius = radius, radius-1, radius-1
	r.ground.StrokeWidth, r.ground.StrokeColor = 1, look.Color(base.ColorNameInputBorder, variant)
	if c.focused {
		r.ground.StrokeWidth, r.ground.StrokeColor = 2, look.Color(theme.ColorAccent, variant)
	}
	place(r.ground, fyne.NewPos(0, 0), fyne.NewSize(part*float32(len(r.texts)), choiceHeight), look.Color(theme.ColorPanel, variant))
	r.hover.Hide()
	if c.hovered >= 0 && c.hovered != c.chosen {
		r.hover.Show()
		place(r.hover, fyne.NewPos(float32(c.hovered)*part+3, 3), fyne.NewSize(part-6, choiceHeight-6), look.Color(base.ColorNameHover, variant))
	}
	place(r.chosen, fyne.NewPos(float32(c.chosen)*part+3, 3), fyne.NewSize(part-6, choiceHeight-6), look.Color(theme.ColorTint, variant))
	for i, text := range r.texts {
		text.Text, text.TextSize, text.TextStyle = c.labels[i], look.Size(theme.SizeText), fyne.TextStyle{Bold: i == c.chosen}
		text.Color, text.Alignment = look.Color(theme.ColorMuted, variant), fyne.TextAlignCenter
		if i == c.chosen {
			text.Color = look.Color(theme.ColorAccent, variant)
		}
		height := fyne.MeasureText(text.Text, text.TextSize, text.TextStyle).Height
		text.Move(fyne.NewPos(float32(i)*part, (choiceHeight-height)/2))
		text.Resize(fyne.NewSize(part, height))
		text.Refresh()
	}
}
