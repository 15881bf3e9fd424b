package settings

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

// option is one of several things that exclude each other, with a sentence that explains it.
type option struct {
	widget.BaseWidget
	chosen   func()    // is called when the user chooses it
	step     func(int) // goes to the option above or below
	reveal   func()    // scrolls it into sight
	mark     *widget.Icon
	ground   *canvas.Rectangle
	content  fyne.CanvasObject
	on       bool
	focused  bool
	hovered  bool
	disabled bool
}

var (
	_ fyne.Tappable      = (*option)(nil)
	_ fyne.Focusable     = (*option)(nil)
	_ fyne.Shortcutable  = (*option)(nil)
	_ desktop.Hoverable  = (*option)(nil)
	_ desktop.Cursorable = (*option)(nil)
)

func newOption(title, explanation string, chosen func()) *option {
	o := &option{chosen: chosen, mark: widget.NewIcon(nil), ground: canvas.NewRectangle(nil)}
	words := kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	words.Set(explanation)
	mark := container.NewVBox(container.NewGridWrap(fyne.NewSquareSize(20), o.mark))
	text := paragraphs(kit.NewText(title, kit.TextStyle{Shrinks: true}), words)
	o.content = kit.Inset(container.NewBorder(nil, nil, container.NewHBox(mark, kit.NewGap(8, 1)), nil, text), 8, 10)
	o.ExtendBaseWidget(o)
	return o
}

// follow shows whether it is chosen, and whether it can be.
func (o *option) follow(on, disabled bool) {
	if on != o.on || disabled != o.disabled {
		o.on, o.disabled = on, disabled
		o.Refresh()
	}
}

func (o *option) choose() {
	if !o.disabled && !o.on {
		o.chosen()
	}
}

// Tapped chooses the option.
func (o *option) Tapped(*fyne.PointEvent) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(o); canvas != nil {
		canvas.Focus(o)
	}
	o.choose()
}

// FocusGained is for Fyne.
func (o *option) FocusGained() {
	o.focused = true
	o.Refresh()
	o.reveal()
}

// FocusLost is for Fyne.
func (o *option) FocusLost() { o.focused = false; o.Refresh() }

// TypedRune is for Fyne.
func (o *option) TypedRune(rune) {}

// TypedShortcut is for Fyne.
func (o *option) TypedShortcut(shortcut fyne.Shortcut) { kit.PassShortcut(o, shortcut) }

// TypedKey chooses with the space bar and Enter; the arrows go to the others.
func (o *option) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		o.choose()
	case fyne.KeyUp, fyne.KeyLeft:
		o.step(-1)
	case fyne.KeyDown, fyne.KeyRight:
		o.step(1)
	default:
		kit.PassKey(o, event)
	}
}

// MouseIn is for Fyne.
func (o *option) MouseIn(*desktop.MouseEvent) { o.hovered = true; o.Refresh() }

// MouseMoved is for Fyne.
func (o *option) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is for Fyne.
func (o *option) MouseOut() { o.hovered = false; o.Refresh() }

// Cursor shows that it can be clicked.
func (o *option) Cursor() desktop.Cursor {
	if o.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// Parts is for [kit.Restyler].
func (o *option) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{o.mark} }

// CreateRenderer is for Fyne.
func (o *option) CreateRenderer() fyne.WidgetRenderer {
	r := &optionRenderer{o}
	r.restyle()
	return r
}

type optionRenderer struct{ option *option }

func (r *optionRenderer) Destroy() {}
func (r *optionRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.option.ground, r.option.content}
}
func (r *optionRenderer) MinSize() fyne.Size { return r.option.content.MinSize() }

func (r *optionRenderer) Layout(size fyne.Size) {
	r.option.ground.Resize(size)
	r.option.content.Resize(size)
}

func (r *optionRenderer) Refresh() {
	r.restyle()
	r.option.content.Refresh()
	canvas.Refresh(r.option)
}

func (r *optionRenderer) restyle() {
	o := r.option
	look, variant := o.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	icon, color := base.RadioButtonIcon(), theme.ColorMuted
	if o.on {
		icon, color = base.RadioButtonCheckedIcon(), theme.ColorAccent
	}
	if o.disabled {
		color = base.ColorNameDisabled
	}
	o.mark.SetResource(base.NewColoredResource(icon, color))
	o.ground.CornerRadius, o.ground.StrokeWidth = look.Size(theme.SizeFieldRadius), 0
	o.ground.FillColor = look.Color(theme.ColorClear, variant)
	switch {
	case o.on:
		o.ground.FillColor = look.Color(theme.ColorTint, variant)
	case o.hovered && !o.disabled:
		o.ground.FillColor = look.Color(base.ColorNameHover, variant)
	}
	if o.focused {
		o.ground.StrokeWidth, o.ground.StrokeColor = 1.5, look.Color(theme.ColorAccent, variant)
	}
}
