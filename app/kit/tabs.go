package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Tabs is a row of names of which one is chosen. Unlike Fyne's tabs it can have the keyboard: the arrows go from one to the
// next. What the tabs show is its owner's.
type Tabs struct {
	Control

	// OnChosen is called when another tab is chosen, by the user or by Choose.
	OnChosen func(index int)

	// OnAgain is called when the chosen tab is clicked once more; nil: nothing.
	OnAgain func(index int)

	labels  []string
	chosen  int
	hovered int
}

// NewTabs gives a row of tabs, the first of which is chosen.
func NewTabs(labels ...string) *Tabs {
	t := &Tabs{labels: labels, hovered: -1}
	t.Init(t, nil, nil)
	return t
}

// Chosen is the tab that is chosen.
func (t *Tabs) Chosen() int { return t.chosen }

// Choose goes to a tab.
func (t *Tabs) Choose(index int) {
	if index == t.chosen || index < 0 || index >= len(t.labels) {
		return
	}
	t.chosen = index
	t.Refresh()
	if t.OnChosen != nil {
		t.OnChosen(index)
	}
}

// Step goes so many tabs on, and round at the ends.
func (t *Tabs) Step(by int) {
	n := len(t.labels)
	t.Choose(((t.chosen+by)%n + n) % n)
}

// TypedKey goes from tab to tab.
func (t *Tabs) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		t.Step(-1)
	case fyne.KeyRight, fyne.KeyDown:
		t.Step(1)
	case fyne.KeyHome:
		t.Choose(0)
	case fyne.KeyEnd:
		t.Choose(len(t.labels) - 1)
	default:
		t.Control.TypedKey(event)
	}
}

// TypedShortcut lets Ctrl+Tab go on and Ctrl+Shift+Tab go back.
func (t *Tabs) TypedShortcut(shortcut fyne.Shortcut) {
	if step, ok := TabStep(shortcut); ok {
		t.Step(step)
		return
	}
	PassShortcut(t, shortcut)
}

// TabStep tells whether a shortcut is Ctrl+Tab or Ctrl+Shift+Tab, and how many tabs on it goes.
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

// MouseIn, MouseMoved and MouseOut show what would be chosen.
func (t *Tabs) MouseIn(event *desktop.MouseEvent) { t.hover(t.at(event.Position.X)) }

// MouseMoved is for Fyne.
func (t *Tabs) MouseMoved(event *desktop.MouseEvent) { t.hover(t.at(event.Position.X)) }

// MouseOut is for Fyne.
func (t *Tabs) MouseOut() { t.hover(-1) }

func (t *Tabs) hover(index int) {
	if index != t.hovered {
		t.hovered = index
		t.Refresh()
	}
}

// Measures of tabs, in pixels.
const (
	tabsHeight = 38
	tabPad     = 12
	tabLine    = 2
)

// at is the tab at a place, or -1.
func (t *Tabs) at(x float32) int {
	left := float32(0)
	for i := range t.labels {
		left += t.width(i)
		if x < left {
			return i
		}
	}
	return -1
}

func (t *Tabs) width(i int) float32 {
	// That of the bold text, so that choosing one doesn't move the others.
	return fyne.MeasureText(t.labels[i], t.Theme().Size(theme.SizeText), fyne.TextStyle{Bold: true}).Width + 2*tabPad
}

// CreateRenderer is for Fyne.
func (t *Tabs) CreateRenderer() fyne.WidgetRenderer {
	r := &tabsRenderer{tabs: t, ground: canvas.NewRectangle(nil), under: canvas.NewRectangle(nil), bottom: canvas.NewRectangle(nil)}
	r.objects = []fyne.CanvasObject{r.ground, r.bottom, r.under}
	for range t.labels {
		text := canvas.NewText("", nil)
		r.texts = append(r.texts, text)
		r.objects = append(r.objects, text)
	}
	return r
}

type tabsRenderer struct {
	tabs    *Tabs
	ground  *canvas.Rectangle // of the tab under the pointer or with the keyboard
	under   *canvas.Rectangle
	bottom  *canvas.Rectangle
	texts   []*canvas.Text
	objects []fyne.CanvasObject
}

func (r *tabsRenderer) Destroy()                     {}
func (r *tabsRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *tabsRenderer) MinSize() fyne.Size {
	width := float32(0)
	for i := range r.tabs.labels {
		width += r.tabs.width(i)
	}
	return fyne.NewSize(width, tabsHeight)
}

func (r *tabsRenderer) Refresh() {
	r.Layout(r.tabs.Size())
	canvas.Refresh(r.tabs)
}

func (r *tabsRenderer) Layout(size fyne.Size) {
	t := r.tabs
	look, variant := t.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	place(r.bottom, fyne.NewPos(0, size.Height-1), fyne.NewSize(size.Width, 1), look.Color(theme.ColorLine, variant))
	left := float32(0)
	r.ground.Hide()
	for i, text := range r.texts {
		width := t.width(i)
		text.Text, text.TextSize, text.TextStyle = t.labels[i], look.Size(theme.SizeText), fyne.TextStyle{Bold: i == t.chosen}
		text.Color = look.Color(theme.ColorMuted, variant)
		text.Alignment = fyne.TextAlignCenter
		height := fyne.MeasureText(text.Text, text.TextSize, text.TextStyle).Height
		text.Move(fyne.NewPos(left, (size.Height-height)/2))
		text.Resize(fyne.NewSize(width, height))
		if i == t.chosen {
			text.Color = look.Color(theme.ColorText, variant)
			place(r.under, fyne.NewPos(left+tabPad-4, size.Height-tabLine), fyne.NewSize(width-2*tabPad+8, tabLine), look.Color(theme.ColorAccent, variant))
		}
		fill := fyne.ThemeColorName("")
		switch {
		case t.focused && i == t.chosen:
			fill = base.ColorNameFocus
		case i == t.hovered && i != t.chosen:
			fill = base.ColorNameHover
		}
		if fill != "" && (i == t.hovered && !t.focused || i == t.chosen) {
			r.ground.CornerRadius = look.Size(theme.SizeFieldRadius)
			r.ground.StrokeWidth = 0
			if t.focused {
				r.ground.StrokeWidth, r.ground.StrokeColor = ringWidth, look.Color(theme.ColorAccent, variant)
			}
			r.ground.Show()
			place(r.ground, fyne.NewPos(left+2, 4), fyne.NewSize(width-4, size.Height-10), look.Color(fill, variant))
		}
		text.Refresh()
		left += width
	}
}
