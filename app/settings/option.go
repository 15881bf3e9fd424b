package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// option is one of several alternatives, with a sentence that explains it.
type option struct {
	kit.Control
	of       *mode
	at       int // its place among the options
	mark     *widget.Icon
	on       bool
	disabled bool
}

func newOption(of *mode, at int, title, explanation string) *option {
	o := &option{of: of, at: at, mark: widget.NewIcon(nil)}
	text := kit.Column(kit.GapHair, kit.NewText(title, kit.TextStyle{Shrinks: true}),
		muted(explanation))
	o.draw()
	o.Init(o, kit.Inset(kit.MarkedBy(o.mark, text), kit.Gap, kit.GapWide), o.style)
	return o
}

// follow sets whether the option is chosen and whether it is disabled.
func (o *option) follow(on, disabled bool) {
	if on != o.on || disabled != o.disabled {
		o.on, o.disabled = on, disabled
		o.draw()
		o.Refresh()
	}
}

// draw sets the icon.
func (o *option) draw() {
	icon, color := base.RadioButtonIcon(), theme.ColorMuted
	if o.on {
		icon, color = base.RadioButtonCheckedIcon(), theme.ColorAccent
	}
	if o.disabled {
		color = base.ColorNameDisabled
	}
	o.mark.SetResource(base.NewColoredResource(icon, color))
}

func (o *option) style() kit.BoxStyle {
	style := o.Highlight(o.on)
	style.Width = focusWidth
	if o.disabled && !o.on {
		style.Fill = theme.ColorClear
	}
	return style
}

func (o *option) choose() {
	if !o.disabled && !o.on {
		o.of.choose(modes()[o.at])
	}
}

// Tapped chooses the option.
func (o *option) Tapped(*fyne.PointEvent) {
	kit.Focus(o)
	o.choose()
}

// TypedKey chooses the option with the space bar and Enter. The arrow keys go to the other options.
func (o *option) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyUp, fyne.KeyLeft:
		o.of.focus(o.at - 1)
	case fyne.KeyDown, fyne.KeyRight:
		o.of.focus(o.at + 1)
	default:
		o.PressKey(event, o.choose)
	}
}

// Cursor shows whether the option can be clicked.
func (o *option) Cursor() desktop.Cursor {
	if o.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}
