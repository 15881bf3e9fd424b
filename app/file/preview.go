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

// newPreview gives a preview. The last button is the one that nearly everybody wants; before them stands one that closes.
func newPreview(title string, words []said, diff kit.Difference, closing func(), acts ...act) *preview {
	p := &preview{}
	head := kit.Column(kit.Gap, kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}))
	for _, word := range words {
		head.Add(kit.Marked(word.state, kit.NewParagraph(word.text, kit.TextStyle{})))
	}
	head.Add(kit.NewText(summary(diff), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}))
	buttons := []fyne.CanvasObject{kit.NewButton(lang.L("Cancel"), widget.MediumImportance, closing)}
	for _, act := range acts {
		p.main = kit.NewButton(kit.Line(act.label), act.importance, act.do)
		buttons = append(buttons, p.main)
	}
	p.root = kit.Column(kit.GapWide, head, kit.Rest(kit.NewDifference(diff)), kit.Row(kit.Gap, kit.Rest(kit.NewGap(0, 0)), kit.Row(kit.Gap, buttons...)))
	return p
}

// focus gives the keyboard to the button that nearly everybody wants.
func (p *preview) focus() {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(p.main); canvas != nil {
		canvas.Focus(p.main)
	}
}
