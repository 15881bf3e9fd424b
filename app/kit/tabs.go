package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Tabs is a row of tabs, one of which is chosen. Unlike Fyne's tabs, it can have the focus, and the arrow keys choose
// a tab. It does not show the content of the chosen tab.
type Tabs struct {
	labels

	// OnAgain is called when the user clicks the tab that is chosen already; it may be nil.
	OnAgain func(index int)
}

// Sizes of tabs, in pixels.
const (
	tabsHeight = 38
	tabPad     = 12 // at each side of a label
	tabLine    = 2  // the thickness of the line below the chosen tab
)

// NewTabs returns a row of tabs. The first tab is chosen.
func NewTabs(labels ...string) *Tabs {
	t := &Tabs{}
	t.start(t, labels, tabPad, tabsHeight, t.paint)
	return t
}

// Step chooses the next tab if by is 1, and the previous one if by is -1. The first tab comes after the last.
func (t *Tabs) Step(by int) {
	n := len(t.labels.labels)
	t.Choose(((t.chosen+by)%n + n) % n)
}

// TypedKey chooses a tab with the arrow keys, Home and End.
func (t *Tabs) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		t.Step(-1)
	case fyne.KeyRight, fyne.KeyDown:
		t.Step(1)
	case fyne.KeyHome:
		t.Choose(0)
	case fyne.KeyEnd:
		t.Choose(len(t.labels.labels) - 1)
	default:
		t.Control.TypedKey(event)
	}
}

// TypedShortcut chooses the next tab on Ctrl+Tab and the previous one on Ctrl+Shift+Tab.
func (t *Tabs) TypedShortcut(shortcut fyne.Shortcut) {
	if step, ok := TabStep(shortcut); ok {
		t.Step(step)
		return
	}
	PassShortcut(t, shortcut)
}

// TabStep reports whether a shortcut is Ctrl+Tab or Ctrl+Shift+Tab, and returns the step for it, 1 or -1.
func TabStep(shortcut fyne.Shortcut) (step int, ok bool) {
	custom, ok := shortcut.(*desktop.CustomShortcut)
	if !ok || custom.KeyName != fyne.KeyTab {
		return 0, false
	}
	switch custom.Modifier {
	case fyne.KeyModifierControl:
		return 1, true
	case fyne.KeyModifierControl | fyne.KeyModifierShift:
		return -1, true
	}
	return 0, false
}

// Tapped chooses the tab under the pointer.
func (t *Tabs) Tapped(event *fyne.PointEvent) {
	switch index := t.at(event.Position.X); {
	case index < 0:
	case index == t.chosen && t.OnAgain != nil:
		t.OnAgain(index)
	default:
		t.Choose(index)
	}
}

func (t *Tabs) paint(d *drawnLabels, size fyne.Size) {
	look, variant := t.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	// ground is behind the tab that is under the pointer or has the focus
	bottom, ground, under := d.shapes[0], d.shapes[1], d.shapes[2]
	Fill(bottom, fyne.NewPos(0, size.Height-1), fyne.NewSize(size.Width, 1), look.Color(theme.ColorLine, variant))
	ground.Hide()
	for i, text := range d.texts {
		left, width := d.place(i)
		if i == t.chosen {
			text.Color = look.Color(theme.ColorText, variant)
			Fill(under, fyne.NewPos(left+tabPad-4, size.Height-tabLine), fyne.NewSize(width-2*tabPad+8, tabLine),
				look.Color(theme.ColorAccent, variant))
		}
		fill, stroke := base.ColorNameHover, float32(0)
		switch {
		case t.focused && i == t.chosen:
			fill, stroke = base.ColorNameFocus, ringWidth
		case t.focused, i != t.hovered, i == t.chosen:
			continue
		}
		ground.CornerRadius = look.Size(theme.SizeFieldRadius)
		ground.StrokeWidth, ground.StrokeColor = stroke, look.Color(theme.ColorAccent, variant)
		ground.Show()
		Fill(ground, fyne.NewPos(left+2, 4), fyne.NewSize(width-4, size.Height-10), look.Color(fill, variant))
	}
}
