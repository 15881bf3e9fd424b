package kit

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Sheet lies over the whole window, darkens it, and has a panel in its middle. It follows the window's size.
type Sheet struct {
	widget.BaseWidget
	panel *Box
	size  func(room fyne.Size) fyne.Size // of the panel
}

// SheetMargin is the least space around the panel of a sheet, in pixels.
const SheetMargin = 20

// NewSheet returns a sheet; size says how large its panel is where there is so much room.
func NewSheet(content fyne.CanvasObject, size func(room fyne.Size) fyne.Size) *Sheet {
	s := &Sheet{panel: NewBox(BoxStyle{Fill: theme.ColorBackground, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, content), size: size}
	s.ExtendBaseWidget(s)
	return s
}

// Tapped does nothing: a click beside the panel neither closes the sheet nor reaches what is below.
func (s *Sheet) Tapped(*fyne.PointEvent) {}

// Parts is for [ScrollByKey].
func (s *Sheet) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{s.panel} }

// CreateRenderer is for Fyne.
func (s *Sheet) CreateRenderer() fyne.WidgetRenderer {
	shade := canvas.NewRectangle(color.NRGBA{A: 0x70})
	place := func(size fyne.Size) {
		shade.Resize(size)
		panel := s.size(size.SubtractWidthHeight(2*SheetMargin, 2*SheetMargin))
		s.panel.Resize(panel)
		s.panel.Move(fyne.NewPos((size.Width-panel.Width)/2, (size.Height-panel.Height)/2))
	}
	return NewDrawing(s, s.panel.MinSize, place, nil, shade, s.panel)
}

// TakeOff takes what lies over a window away from there. What lies over that stays, with the keyboard where it is; Fyne alone would
// take it away too, and nobody would be told.
func TakeOff(canvas fyne.Canvas, overlay fyne.CanvasObject) {
	overlays := canvas.Overlays()
	if !slices.Contains(overlays.List(), overlay) {
		return
	}
	type lifted struct {
		over    fyne.CanvasObject
		focused fyne.Focusable
	}
	var above []lifted
	for top := overlays.Top(); top != overlay; top = overlays.Top() {
		above = append(above, lifted{top, canvas.Focused()}) // it tells of the topmost only
		overlays.Remove(top)
	}
	overlays.Remove(overlay)
	for _, back := range slices.Backward(above) {
		overlays.Add(back.over)
		if back.focused != nil {
			canvas.Focus(back.focused)
		}
	}
}
