package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// dropZone is the place below the cards where more servers can be dropped; a click pastes.
type dropZone struct {
	widget.BaseWidget
	ground  *canvas.Rectangle
	icon    *widget.Icon
	title   *kit.Lines
	text    *kit.Lines
	onPaste func() // nil: nothing can be pasted or dropped
	empty   bool   // the toolbox has no servers: there is room to say more
	hovered bool
	focused bool
}

var (
	_ fyne.Tappable     = (*dropZone)(nil)
	_ fyne.Focusable    = (*dropZone)(nil)
	_ desktop.Hoverable = (*dropZone)(nil)
)

func newDropZone(paste func()) *dropZone {
	z := &dropZone{
		ground: canvas.NewRectangle(nil), onPaste: paste, icon: widget.NewIcon(theme.ToolboxIcon(theme.ColorMuted)),
		title: kit.NewLines(2, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Align: fyne.TextAlignCenter}),
		text:  kit.NewLines(3, kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}),
	}
	z.title.Set(lang.L("This toolbox has no servers yet"))
	if paste != nil {
		z.text.Set(lang.L("Drop a server here, or paste what its instructions told you to paste"))
	}
	z.ExtendBaseWidget(z)
	return z
}

func (z *dropZone) setEmpty(empty bool) {
	if empty != z.empty {
		z.empty = empty
		z.Refresh()
	}
}

// AccessibilityLabel says what the place is for.
func (z *dropZone) AccessibilityLabel() string { return z.text.Text() }

// AccessibilityRole says that it can be pressed.
func (z *dropZone) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// Tapped pastes.
func (z *dropZone) Tapped(*fyne.PointEvent) { z.paste() }

func (z *dropZone) paste() {
	if z.onPaste != nil {
		z.onPaste()
	}
}

// Cursor shows that a click does something.
func (z *dropZone) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn is for Fyne.
func (z *dropZone) MouseIn(*desktop.MouseEvent) { z.mark(true, z.focused) }

// MouseMoved is for Fyne.
func (z *dropZone) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is for Fyne.
func (z *dropZone) MouseOut() { z.mark(false, z.focused) }

// FocusGained is for Fyne.
func (z *dropZone) FocusGained() { z.mark(z.hovered, true) }

// FocusLost is for Fyne.
func (z *dropZone) FocusLost() { z.mark(z.hovered, false) }

func (z *dropZone) mark(hovered, focused bool) {
	z.hovered, z.focused = hovered, focused
	z.Refresh()
}

// TypedRune is for Fyne.
func (z *dropZone) TypedRune(rune) {}

// TypedKey pastes with Enter or the space bar.
func (z *dropZone) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		z.paste()
	default:
		kit.PassKey(z, event)
	}
}

// TypedShortcut pastes with Ctrl+V.
func (z *dropZone) TypedShortcut(shortcut fyne.Shortcut) {
	if _, paste := shortcut.(*fyne.ShortcutPaste); paste {
		z.paste()
		return
	}
	kit.PassShortcut(z, shortcut)
}

// Parts is for [kit.Restyler].
func (z *dropZone) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{z.icon} }

// CreateRenderer is for Fyne.
func (z *dropZone) CreateRenderer() fyne.WidgetRenderer {
	r := &dropZoneRenderer{zone: z, objects: []fyne.CanvasObject{z.ground, z.icon, z.title, z.text}}
	r.paint()
	return r
}

type dropZoneRenderer struct {
	zone    *dropZone
	objects []fyne.CanvasObject
}

func (r *dropZoneRenderer) Destroy()                     {}
func (r *dropZoneRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *dropZoneRenderer) MinSize() fyne.Size {
	if r.zone.empty {
		return fyne.NewSize(100, 168)
	}
	return fyne.NewSize(100, 56)
}

func (r *dropZoneRenderer) Layout(size fyne.Size) {
	z := r.zone
	z.ground.Resize(size)
	setVisible(z.icon, z.empty)
	setVisible(z.title, z.empty)
	room := max(0, size.Width-48)
	text := z.text.Height(room)
	if !z.empty {
		z.text.Move(fyne.NewPos(24, (size.Height-text)/2))
		z.text.Resize(fyne.NewSize(room, text))
		return
	}
	title := z.title.Height(room)
	top := (size.Height - 32 - 12 - title - 6 - text) / 2
	z.icon.Move(fyne.NewPos((size.Width-32)/2, top))
	z.icon.Resize(fyne.NewSquareSize(32))
	z.title.Move(fyne.NewPos(24, top+44))
	z.title.Resize(fyne.NewSize(room, title))
	z.text.Move(fyne.NewPos(24, top+44+title+6))
	z.text.Resize(fyne.NewSize(room, text))
}

func (r *dropZoneRenderer) Refresh() {
	r.paint()
	r.Layout(r.zone.Size())
	for _, object := range r.objects {
		object.Refresh()
	}
}

func (r *dropZoneRenderer) paint() {
	look, variant := r.zone.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	ground := r.zone.ground
	ground.CornerRadius = look.Size(theme.SizeCardRadius)
	// Not clear: a line around nothing is drawn darker than it is.
	ground.FillColor = look.Color(theme.ColorBackground, variant)
	ground.StrokeColor, ground.StrokeWidth = look.Color(theme.ColorLine, variant), 1
	if r.zone.hovered {
		ground.FillColor = look.Color(base.ColorNameHover, variant)
	}
	if r.zone.focused {
		ground.StrokeColor, ground.StrokeWidth = look.Color(theme.ColorAccent, variant), 2
	}
}
