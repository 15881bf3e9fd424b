package settings

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// linksWidth is the width of the list of sections, in pixels.
const linksWidth = 216

// focusWidth is the width of the frame around a focused link or option, in pixels.
const focusWidth = 1.5

// newLinks returns the title of the screen above the list of its sections. Neither scrolls with the sections. A click
// on a name shows the section.
func newLinks(title string, screen *Screen) fyne.CanvasObject {
	heading := kit.NewText(title, kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true})
	list := kit.Column(0, kit.InsetSides(heading, 0, kit.GapWide, kit.Gap, 0))
	for i, text := range screen.titles {
		list.Add(newLink(text, Section(i), screen))
	}
	return kit.Sized(linksWidth, 0, kit.InsetSides(list, kit.GapBlock, kit.GapBlock, kit.GapBlock, 0))
}

// link is the name of a section. A click shows the section.
type link struct {
	kit.Control
	text   string
	to     Section
	screen *Screen
}

func newLink(text string, to Section, screen *Screen) *link {
	l := &link{text: text, to: to, screen: screen}
	l.Init(l, kit.Inset(kit.NewText(text, kit.TextStyle{Shrinks: true}), kit.Gap, kit.Gap), func() kit.BoxStyle {
		style := l.Highlight(false)
		style.Width = focusWidth
		return style
	})
	return l
}

// AccessibilityLabel returns the name of the section.
func (l *link) AccessibilityLabel() string { return l.text }

func (l *link) open() { l.screen.Show(l.to) }

// Tapped shows the section.
func (l *link) Tapped(*fyne.PointEvent) { l.open() }

// TypedKey shows the section with Enter and the space bar.
func (l *link) TypedKey(event *fyne.KeyEvent) { l.PressKey(event, l.open) }
