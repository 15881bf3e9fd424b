package add

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// The largest the dialog becomes, in pixels.
const (
	sheetWidth  = 940
	sheetHeight = 720
)

// newSheet gives the sheet that has the dialog in its middle: roomy, but never larger than is pleasant to read.
func newSheet(content fyne.CanvasObject) *kit.Sheet {
	return kit.NewSheet(content, func(room fyne.Size) fyne.Size {
		return fyne.NewSize(min(room.Width, sheetWidth), min(room.Height, sheetHeight))
	})
}
