package frame

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Entry is a screen in the navigation bar.
type Entry struct {
	Icon   fyne.Resource
	Word   string
	Bottom bool // the entry is at the bottom of the bar
}

// Nav is the navigation bar at the left: an icon and a word for each screen.
type Nav struct {
	Buttons []*NavButton // in the order of the entries

	root fyne.CanvasObject
}

// The sizes of the bar, in pixels.
const (
	navWidth  = 96
	navHeight = 60 // the height of a button
)

// newNav returns the bar.
func newNav(entries []Entry, choose func(entry int)) *Nav {
	n := &Nav{}
	var top, bottom []fyne.CanvasObject
	for i, entry := range entries {
		button := newNavButton(entry.Icon, entry.Word, func() { choose(i) })
		button.nav, button.at = n, i
		n.Buttons = append(n.Buttons, button)
		if entry.Bottom {
			bottom = append(bottom, button)
		} else {
			top = append(top, button)
		}
	}
	column := kit.Column(0, kit.Rest(kit.Column(kit.GapTight, top...)), kit.Column(kit.GapTight, bottom...))
	n.root = kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Inset(column, kit.Gap, kit.Gap))
	return n
}

// show marks the entry of the current screen. A negative number marks none.
func (n *Nav) show(entry int) {
	for i, button := range n.Buttons {
		button.choose(i == entry)
	}
}

// step moves the focus to a button, if there is one with this index.
func (n *Nav) step(to int) {
	if to >= 0 && to < len(n.Buttons) {
		kit.Focus(n.Buttons[to])
	}
}

// NavButton is an entry of the bar.
type NavButton struct {
	kit.Control
	icon fyne.Resource
	mark *widget.Icon
	text *kit.Text
	Word string
	tap  func()
	nav  *Nav
	at   int // the index of the button in nav

	chosen bool
}

func newNavButton(icon fyne.Resource, word string, tap func()) *NavButton {
	b := &NavButton{icon: icon, mark: widget.NewIcon(nil), text: kit.NewText("", kit.TextStyle{}), Word: word, tap: tap}
	b.draw()
	parts := kit.Column(kit.GapTight, kit.NewGap(navWidth-20, 0), container.NewCenter(kit.Sized(24, 24, b.mark)), b.text)
	b.Init(b, kit.Inset(kit.Row(0, kit.NewGap(0, navHeight), kit.Rest(parts)), 0, kit.GapTight), func() kit.BoxStyle {
		return b.Highlight(b.chosen)
	})
	return b
}

// AccessibilityLabel returns the name of the screen.
func (b *NavButton) AccessibilityLabel() string { return b.Word }

// Tapped shows the screen.
func (b *NavButton) Tapped(*fyne.PointEvent) { b.tap() }

func (b *NavButton) choose(chosen bool) {
	if b.chosen != chosen {
		b.chosen = chosen
		b.draw()
		b.Refresh()
	}
}

// TypedKey shows the screen with Enter and the space bar, and moves along the bar with the arrow keys.
func (b *NavButton) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyUp:
		b.nav.step(b.at - 1)
	case fyne.KeyDown:
		b.nav.step(b.at + 1)
	default:
		b.PressKey(event, b.tap)
	}
}

// draw updates the look of the button.
func (b *NavButton) draw() {
	text, icon := fyne.ThemeColorName(theme.ColorMuted), fyne.ThemeColorName(theme.ColorText)
	if b.chosen {
		text, icon = theme.ColorAccent, theme.ColorAccent
	}
	b.mark.SetResource(base.NewColoredResource(b.icon, icon))
	b.text.SetStyle(b.Word, kit.TextStyle{Size: theme.SizeSmall, Color: text, Bold: b.chosen,
		Align: fyne.TextAlignCenter})
}
