package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// place is a screen of the window.
type place int

// The screens, in the order of the bar.
const (
	placeToolboxes place = iota
	placeClients
	placeActivity
	placeSettings
	places // how many the bar has

	placeFile    = places     // the text of the file, to which other screens lead
	placeWelcome = places + 1 // the first steps, which have the window to themselves
)

// nav is the bar at the left: an icon and a word for each screen. Room is left for more of them.
type nav struct {
	root    fyne.CanvasObject
	buttons [places]*navButton
}

// The measures of the bar, in pixels.
const (
	navWidth  = 96
	navHeight = 60 // of one button
)

// newNav gives the bar. The last screen stands at the bottom.
func newNav(icons [places]fyne.Resource, words [places]string, choose func(place)) *nav {
	n := &nav{}
	var top []fyne.CanvasObject
	for i := range n.buttons {
		n.buttons[i] = newNavButton(icons[i], words[i], func() { choose(place(i)) })
		n.buttons[i].step = func(by int) { n.step(i + by) }
		if place(i) != placeSettings {
			top = append(top, n.buttons[i])
		}
	}
	column := kit.Column(0, kit.Rest(kit.Column(kit.GapTight, top...)), n.buttons[placeSettings])
	n.root = kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Inset(column, 8, 6))
	return n
}

// show marks the screen that is shown.
func (n *nav) show(at place) {
	if at == placeFile {
		at = placeToolboxes
	}
	for i, button := range n.buttons {
		button.choose(place(i) == at)
	}
}

// step moves the keyboard along the bar.
func (n *nav) step(to int) {
	if to < 0 || to >= len(n.buttons) {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(n.buttons[to]); c != nil {
		c.Focus(n.buttons[to])
	}
}

// navButton is one screen in the bar.
type navButton struct {
	kit.Control
	icon fyne.Resource
	word string
	tap  func()
	step func(by int)

	chosen bool
}

func newNavButton(icon fyne.Resource, word string, tap func()) *navButton {
	b := &navButton{icon: icon, word: word, tap: tap}
	b.Init(b, nil, nil)
	return b
}

// AccessibilityLabel says what the button shows.
func (b *navButton) AccessibilityLabel() string { return b.word }

// Tapped shows the screen.
func (b *navButton) Tapped(*fyne.PointEvent) { b.tap() }

func (b *navButton) choose(chosen bool) {
	if b.chosen != chosen {
		b.chosen = chosen
		b.Refresh()
	}
}

// TypedKey shows the screen with Enter and the space bar, and goes along the bar with the arrows.
func (b *navButton) TypedKey(event *fyne.KeyEvent) {
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
func (b *navButton) CreateRenderer() fyne.WidgetRenderer {
	r := &navRenderer{button: b, ground: canvas.NewRectangle(nil), icon: canvas.NewImageFromResource(nil), word: canvas.NewText(b.word, nil)}
	r.icon.FillMode = canvas.ImageFillContain
	r.word.Alignment = fyne.TextAlignCenter
	r.restyle()
	return r
}

type navRenderer struct {
	button *navButton
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
