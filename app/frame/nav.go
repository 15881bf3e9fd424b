package frame

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Entry is a screen in the bar.
type Entry struct {
	Icon   fyne.Resource
	Word   string
	Bottom bool // it stands at the bottom, apart from the others
}

// Nav is the bar at the left: an icon and a word for each screen. Room is left for more of them.
type Nav struct {
	Buttons []*NavButton

	root fyne.CanvasObject
}

// The measures of the bar, in pixels.
const (
	navWidth  = 96
	navHeight = 60 // of one button
)

// newNav returns the bar.
func newNav(entries []Entry, choose func(entry int)) *Nav {
	n := &Nav{}
	var top, bottom []fyne.CanvasObject
	for i, entry := range entries {
		button := newNavButton(entry.Icon, entry.Word, func() { choose(i) })
		button.step = func(by int) { n.step(i + by) }
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

// show marks the screen that is shown; a negative entry is none of them.
func (n *Nav) show(entry int) {
	for i, button := range n.Buttons {
		button.choose(i == entry)
	}
}

// step moves the keyboard along the bar.
func (n *Nav) step(to int) {
	if to >= 0 && to < len(n.Buttons) {
		kit.Focus(n.Buttons[to])
	}
}

// NavButton is one screen in the bar.
type NavButton struct {
	kit.Control
	icon fyne.Resource
	Word string
	tap  func()
	step func(by int)

	chosen bool
}

func newNavButton(icon fyne.Resource, word string, tap func()) *NavButton {
	b := &NavButton{icon: icon, Word: word, tap: tap}
	b.Init(b, nil, nil)
	return b
}

// AccessibilityLabel says what the button shows.
func (b *NavButton) AccessibilityLabel() string { return b.Word }

// Tapped shows the screen.
func (b *NavButton) Tapped(*fyne.PointEvent) { b.tap() }

func (b *NavButton) choose(chosen bool) {
	if b.chosen != chosen {
		b.chosen = chosen
		b.Refresh()
	}
}

// TypedKey shows the screen with Enter and the space bar, and goes along the bar with the arrows.
func (b *NavButton) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyUp:
		b.step(-1)
	case fyne.KeyDown:
		b.step(1)
	default:
		b.PressKey(event, b.tap)
	}
}

// CreateRenderer is for Fyne.
func (b *NavButton) CreateRenderer() fyne.WidgetRenderer {
	r := &navRenderer{button: b, ground: canvas.NewRectangle(nil), icon: canvas.NewImageFromResource(nil), word: canvas.NewText(b.Word, nil)}
	r.icon.FillMode = canvas.ImageFillContain
	r.word.Alignment = fyne.TextAlignCenter
	r.restyle()
	return r
}

type navRenderer struct {
	button *NavButton
	ground *canvas.Rectangle
	icon   *canvas.Image
	word   *canvas.Text
}

func (r *navRenderer) Destroy() {}
func (r *navRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.icon, r.word}
}
func (r *navRenderer) MinSize() fyne.Size {
	return fyne.NewSize(max(navWidth-12, r.word.MinSize().Width+8), navHeight)
}

func (r *navRenderer) Layout(size fyne.Size) {
	const icon = 24
	r.ground.Resize(size)
	height := r.word.MinSize().Height
	top := (size.Height - icon - 3 - height) / 2
	r.icon.Resize(fyne.NewSquareSize(icon))
	r.icon.Move(fyne.NewPos((size.Width-icon)/2, top))
	r.word.Resize(fyne.NewSize(size.Width, height))
	r.word.Move(fyne.NewPos(0, top+icon+3))
}

func (r *navRenderer) Refresh() {
	r.restyle()
	r.ground.Refresh()
	r.icon.Refresh()
	r.word.Refresh()
}

func (r *navRenderer) restyle() {
	look, variant := r.button.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	ground, text := theme.ColorClear, fyne.ThemeColorName(theme.ColorMuted)
	if r.button.Hovered() {
		ground = base.ColorNameHover
	}
	icon := fyne.ThemeColorName(theme.ColorText)
	if r.button.chosen {
		ground, text, icon = theme.ColorTint, theme.ColorAccent, theme.ColorAccent
	}
	r.ground.FillColor = look.Color(ground, variant)
	r.ground.CornerRadius = look.Size(theme.SizeFieldRadius)
	r.ground.StrokeColor, r.ground.StrokeWidth = nil, 0
	if r.button.Focused() {
		r.ground.StrokeColor, r.ground.StrokeWidth = look.Color(theme.ColorAccent, variant), 2
	}
	r.icon.Resource = base.NewColoredResource(r.button.icon, icon)
	r.word.Color = look.Color(text, variant)
	r.word.TextSize = look.Size(theme.SizeSmall)
	r.word.TextStyle = fyne.TextStyle{Bold: r.button.chosen}
}
