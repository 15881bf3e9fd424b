package file

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	head := kit.Column(6, kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}))
	for _, word := range words {
		head.Add(marked(word.state, kit.NewParagraph(word.text, kit.TextStyle{})))
	}
	head.Add(kit.NewText(summary(diff), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}))
	buttons := []fyne.CanvasObject{kit.NewButton(lang.L("Cancel"), widget.MediumImportance, closing)}
	for _, act := range acts {
		p.main = kit.NewButton(kit.Line(act.label), act.importance, act.do)
		buttons = append(buttons, p.main)
	}
	bar := container.NewBorder(nil, nil, nil, kit.Row(8, buttons...))
	p.root = container.New(previewLayout{}, head, kit.NewDifference(diff), bar)
	return p
}

// focus gives the keyboard to the button that nearly everybody wants.
func (p *preview) focus() {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(p.main); canvas != nil {
		canvas.Focus(p.main)
	}
}

// previewLayout has the words at the top, as high as they have to be, the buttons at the bottom and the diff between them.
type previewLayout struct{}

func (previewLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	head, diff, bar := objects[0].MinSize(), objects[1].MinSize(), objects[2].MinSize()
	return fyne.NewSize(max(diff.Width, bar.Width), min(head.Height, 80)+diff.Height+bar.Height+2*textGap)
}

func (previewLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	head, diff, bar := objects[0], objects[1], objects[2]
	height := float32(0)
	for range 3 {
		head.Resize(fyne.NewSize(size.Width, height))
		height = head.MinSize().Height
	}
	head.Resize(fyne.NewSize(size.Width, height))
	bottom := size.Height - bar.MinSize().Height
	bar.Move(fyne.NewPos(0, bottom))
	bar.Resize(fyne.NewSize(size.Width, bar.MinSize().Height))
	diff.Move(fyne.NewPos(0, height+textGap))
	diff.Resize(fyne.NewSize(size.Width, max(0, bottom-height-2*textGap)))
}
