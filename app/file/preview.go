package file

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// preview shows what would be done before it is done: in words, as a diff, and with the buttons that do it.
type preview struct {
	root *fyne.Container
	main *kit.Button

	conflict bool // it is about one, and goes with it
}

// newPreview returns a preview. The last button is the one that nearly everybody wants; a button that closes is put first.
func newPreview(title string, words []notice, diff kit.Difference, closing func(), buttons ...button) *preview {
	p := &preview{}
	head := kit.Column(kit.Gap, kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}))
	for _, word := range words {
		head.Add(kit.Marked(word.state, kit.NewParagraph(word.text, kit.TextStyle{})))
	}
	head.Add(kit.NewText(summary(diff), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}))
	row := kit.Row(kit.Gap, kit.Rest(kit.NewGap(0, 0)), kit.NewButton(lang.L("Cancel"), widget.MediumImportance, closing))
	for _, b := range buttons {
		p.main = kit.NewButton(b.label, b.importance, b.tapped)
		row.Add(p.main)
	}
	p.root = kit.Column(kit.GapWide, head, kit.Rest(kit.NewDifference(diff)), row)
	return p
}

// focus gives the keyboard to the button that nearly everybody wants.
func (p *preview) focus() {
	kit.Focus(p.main)
}
