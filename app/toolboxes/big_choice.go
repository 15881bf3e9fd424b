package toolboxes

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// bigChoice is a large button that looks like a card. It is one of a few ways to begin.
type bigChoice struct {
	kit.Control
	title    string
	onChosen func()
}

func newBigChoice(icon fyne.Resource, title, text string, primary bool, chosen func()) *bigChoice {
	color, style := theme.ColorMuted,
		kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}
	if primary {
		color = theme.ColorAccent
		style.Fill, style.Line = theme.ColorTint, theme.ColorAccent
	}
	mark := kit.Sized(24, 24, widget.NewIcon(base.NewColoredResource(icon, color)))
	words := kit.Column(kit.GapHair, kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true}),
		kit.NewParagraph(text, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	c := &bigChoice{title: title, onChosen: chosen}
	c.Init(c, kit.Inset(kit.Row(kit.GapBlock, mark, kit.Rest(words)), kit.GapWide, kit.GapBlock), func() kit.BoxStyle {
		style := style
		if c.Focused() || c.Hovered() {
			style.Line, style.Width = theme.ColorAccent, 2
		}
		return style
	})
	return c
}

// AccessibilityLabel says what the choice does.
func (c *bigChoice) AccessibilityLabel() string { return c.title }

// AccessibilityRole says that it is a button.
func (c *bigChoice) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// Tapped chooses.
func (c *bigChoice) Tapped(*fyne.PointEvent) { c.onChosen() }

// TypedKey chooses with Enter or the space bar.
func (c *bigChoice) TypedKey(event *fyne.KeyEvent) { c.PressKey(event, c.onChosen) }
