package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// bigChoice is a card that is a button: one of a few ways to begin.
type bigChoice struct {
	widget.BaseWidget
	content  fyne.CanvasObject
	ground   *canvas.Rectangle
	title    string
	primary  bool
	marked   bool
	onChosen func()
}

var (
	_ fyne.Tappable     = (*bigChoice)(nil)
	_ fyne.Focusable    = (*bigChoice)(nil)
	_ desktop.Hoverable = (*bigChoice)(nil)
)

func newBigChoice(icon fyne.Resource, title, text string, primary bool, chosen func()) *bigChoice {
	color := theme.ColorMuted
	if primary {
		color = theme.ColorAccent
	}
	mark := container.NewGridWrap(fyne.NewSquareSize(24), widget.NewIcon(base.NewColoredResource(icon, color)))
	words := kit.Column(2, kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true}),
		kit.NewParagraph(text, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	c := &bigChoice{
		ground: canvas.NewRectangle(nil), title: title, primary: primary, onChosen: chosen,
		content: kit.Inset(container.NewBorder(nil, nil, kit.Row(0, mark, kit.NewGap(16, 0)), nil, words), 14, 18),
	}
	c.ExtendBaseWidget(c)
	return c
}

// AccessibilityLabel says what the choice does.
func (c *bigChoice) AccessibilityLabel() string { return c.title }

// AccessibilityRole says that it is a button.
func (c *bigChoice) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// Tapped chooses.
func (c *bigChoice) Tapped(*fyne.PointEvent) { c.onChosen() }

// Cursor shows that a click does something.
func (c *bigChoice) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn is for Fyne.
func (c *bigChoice) MouseIn(*desktop.MouseEvent) { c.mark(true) }

// MouseMoved is for Fyne.
func (c *bigChoice) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is for Fyne.
func (c *bigChoice) MouseOut() { c.mark(false) }

// FocusGained is for Fyne.
func (c *bigChoice) FocusGained() { c.mark(true) }

// FocusLost is for Fyne.
func (c *bigChoice) FocusLost() { c.mark(false) }

// TypedRune is for Fyne.
func (c *bigChoice) TypedRune(rune) {}

// TypedKey chooses with Enter or the space bar.
func (c *bigChoice) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.onChosen()
	default:
		kit.PassKey(c, event)
	}
}

func (c *bigChoice) mark(marked bool) {
	c.marked = marked
	c.paint()
	c.ground.Refresh()
}

func (c *bigChoice) paint() {
	look, variant := c.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	c.ground.CornerRadius = look.Size(theme.SizeCardRadius)
	c.ground.FillColor = look.Color(theme.ColorCard, variant)
	c.ground.StrokeColor, c.ground.StrokeWidth = look.Color(theme.ColorLine, variant), 1
	if c.primary {
		c.ground.FillColor = look.Color(theme.ColorTint, variant)
	}
	if c.primary || c.marked {
		c.ground.StrokeColor = look.Color(theme.ColorAccent, variant)
	}
	if c.marked {
		c.ground.StrokeWidth = 2
	}
}

// CreateRenderer is for Fyne.
func (c *bigChoice) CreateRenderer() fyne.WidgetRenderer {
	c.paint()
	return &bigChoiceRenderer{choice: c, WidgetRenderer: widget.NewSimpleRenderer(container.NewStack(c.ground, c.content))}
}

// bigChoiceRenderer follows a change of the theme.
type bigChoiceRenderer struct {
	fyne.WidgetRenderer
	choice *bigChoice
}

func (r *bigChoiceRenderer) Refresh() {
	r.choice.paint()
	r.WidgetRenderer.Refresh()
}
