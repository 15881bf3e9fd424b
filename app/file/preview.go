package file

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// preview shows what an action would do before it is done: as text, as a diff, and with the buttons that do it.
type preview struct {
	root *fyne.Container
	main *kit.Button

	conflict bool // it shows a conflict, and is closed when the conflict ends
}

// newPreview returns a preview. The last button is the main one; a button that closes the preview is added before the
// others.
func newPreview(title string, words []kit.Note, diff code.Difference, closing func(), buttons ...kit.Act) *preview {
	p := &preview{}
	head := kit.Column(kit.Gap, kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}))
	for _, word := range words {
		head.Add(kit.Marked(word.State, kit.NewParagraph(word.Text, kit.TextStyle{})))
	}
	head.Add(kit.NewText(summary(diff), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}))
	row := kit.Row(kit.Gap, kit.Rest(kit.NewGap(0, 0)), kit.NewButton(lang.L("Cancel"), widget.MediumImportance, closing))
	for _, b := range buttons {
		p.main = kit.NewButton(b.Label, b.Importance, b.Do)
		row.Add(p.main)
	}
	p.root = kit.Column(kit.GapWide, head, kit.Rest(code.NewDifference(diff)), row)
	return p
}
