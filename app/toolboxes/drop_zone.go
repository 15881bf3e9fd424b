package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// dropZone is the area below the cards where more servers can be dropped. A click pastes.
type dropZone struct {
	kit.Control
	more  []fyne.CanvasObject // shown in a toolbox without servers
	text  *kit.Lines
	paste func()
	empty bool // the toolbox has no servers
}

// The heights of the area in pixels, below servers and in a toolbox without servers.
const (
	zoneHeight      = 56
	zoneHeightEmpty = 168
)

func newDropZone(paste func()) *dropZone {
	z := &dropZone{paste: paste, text: kit.NewLines(3,
		kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter})}
	z.text.Set(lang.L("Drop a server here, or paste what its instructions say"))
	icon := container.NewCenter(kit.Sized(32, 32, widget.NewIcon(theme.ToolboxIcon(theme.ColorMuted))))
	z.more = []fyne.CanvasObject{icon, kit.NewParagraph(lang.L("No servers yet"),
		kit.TextStyle{Size: theme.SizeHeading, Bold: true, Align: fyne.TextAlignCenter})}
	for _, object := range z.more {
		object.Hide()
	}
	z.Init(z, kit.Inset(kit.Row(0, kit.Rest(kit.Column(kit.Gap, append(z.more, z.text)...))), 0, kit.GapEdge), z.style)
	return z
}

func (z *dropZone) setEmpty(empty bool) {
	if empty != z.empty {
		z.empty = empty
		for _, object := range z.more {
			kit.SetVisible(object, empty)
		}
		z.Refresh()
	}
}

// height returns the height of the area, in pixels.
func (z *dropZone) height() float32 {
	if z.empty {
		return zoneHeightEmpty
	}
	return zoneHeight
}

func (z *dropZone) style() kit.BoxStyle {
	// The area needs a fill. Around a transparent area the line would be drawn darker.
	style := kit.BoxStyle{Fill: theme.ColorBackground, Line: theme.ColorLine, Radius: theme.SizeCardRadius}
	if z.Hovered() {
		style.Fill = base.ColorNameHover
	}
	if z.Focused() {
		style.Line, style.Width = theme.ColorAccent, 2
	}
	return style
}

// AccessibilityLabel returns what the area is for.
func (z *dropZone) AccessibilityLabel() string { return z.text.Text() }

// AccessibilityRole says that the area can be pressed.
func (z *dropZone) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// Tapped pastes.
func (z *dropZone) Tapped(*fyne.PointEvent) { z.paste() }

// TypedKey pastes with Enter or the space bar.
func (z *dropZone) TypedKey(event *fyne.KeyEvent) { z.PressKey(event, z.paste) }

// TypedShortcut pastes with Ctrl+V.
func (z *dropZone) TypedShortcut(shortcut fyne.Shortcut) {
	if _, paste := shortcut.(*fyne.ShortcutPaste); paste {
		z.paste()
		return
	}
	z.Control.TypedShortcut(shortcut)
}
