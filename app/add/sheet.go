package add

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// sheet lies over the whole window, darkens it, and has the dialog in its middle: roomy, but never larger than is
// pleasant to read. It follows the window's size.
type sheet struct {
	widget.BaseWidget
	panel *kit.Box
}

// The largest the dialog becomes, and the least space around it, in pixels.
const (
	sheetWidth  = 940
	sheetHeight = 720
	sheetMargin = 20
)

func newSheet(content fyne.CanvasObject) *sheet {
	s := &sheet{panel: kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, content)}
	s.ExtendBaseWidget(s)
	return s
}

// Tapped does nothing: a click beside the dialog neither closes it nor reaches what is below.
func (s *sheet) Tapped(*fyne.PointEvent) {}

// Parts is for [kit.ScrollByKey].
func (s *sheet) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{s.panel} }

// CreateRenderer is for Fyne.
func (s *sheet) CreateRenderer() fyne.WidgetRenderer {
	return &sheetRenderer{sheet: s, shade: canvas.NewRectangle(color.NRGBA{A: 0x70})}
}

type sheetRenderer struct {
	sheet *sheet
	shade *canvas.Rectangle
}

func (r *sheetRenderer) Destroy() {}

func (r *sheetRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.shade, r.sheet.panel}
}

func (r *sheetRenderer) MinSize() fyne.Size { return r.sheet.panel.MinSize() }

func (r *sheetRenderer) Layout(size fyne.Size) {
	r.shade.Resize(size)
	panel := fyne.NewSize(min(size.Width-2*sheetMargin, sheetWidth), min(size.Height-2*sheetMargin, sheetHeight))
	r.sheet.panel.Resize(panel)
	r.sheet.panel.Move(fyne.NewPos((size.Width-panel.Width)/2, (size.Height-panel.Height)/2))
}

func (r *sheetRenderer) Refresh() {
	r.shade.Refresh()
	r.sheet.panel.Refresh()
}
