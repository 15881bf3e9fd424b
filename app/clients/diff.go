package clients

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// maxDiffHeight is the largest height of a difference, in pixels. A higher one scrolls.
const maxDiffHeight = 420

// NewDiff shows how a file would change.
func NewDiff(file, unified string) fyne.CanvasObject {
	name := kit.NewParagraph(lang.L("Changes in {{.File}}", map[string]any{"File": file}),
		kit.TextStyle{Size: theme.SizeSmall, Bold: true})
	diff := code.NewDifference(code.ReadDifference(unified))
	return kit.Column(kit.GapTight, name, container.NewStack(kit.NewGap(0, min(diff.FullHeight(), maxDiffHeight)), diff))
}
