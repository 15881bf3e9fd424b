package kit

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Sheet covers and darkens the window, and has a panel in the middle. It follows the size of the window.
type Sheet struct {
	widget.BaseWidget
	panel *Box
	size  func(room fyne.Size) fyne.Size // returns the size of the panel
}

// SheetMargin is the smallest distance of the panel from the edges of the window, in pixels.
const SheetMargin = 20

// NewSheet returns a sheet with content on its panel. size returns the size of the panel for the available room.
func NewSheet(content fyne.CanvasObject, size func(room fyne.Size) fyne.Size) *Sheet {
	s := &Sheet{panel: NewBox(BoxStyle{Fill: theme.ColorBackground, Line: theme.ColorLine, Radius: theme.SizeCardRadius},
		content), size: size}
	s.ExtendBaseWidget(s)
	return s
}

// Tapped does nothing, so that a click beside the panel neither closes the sheet nor reaches an object under it.
func (s *Sheet) Tapped(*fyne.PointEvent) {}

// Parts implements [Composed].
func (s *Sheet) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{s.panel} }

// CreateRenderer implements [fyne.Widget].
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

// TakeOff removes an overlay from a window. The overlays above it stay and keep their focus. Fyne's own Remove would
// also remove these overlays, without telling them.
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
		above = append(above, lifted{top, canvas.Focused()}) // the canvas knows the focus of the topmost overlay only
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
