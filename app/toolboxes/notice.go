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

// notice says above the page why something the user wanted was not done. It goes with the next thing that is done.
type notice struct {
	root     *fyne.Container
	words    *fyne.Container
	text     string
	onChange func()
}

func newNotice(onChange func()) *notice {
	n := &notice{words: container.NewStack(), onChange: onChange}
	mark := container.NewGridWrap(fyne.NewSquareSize(16), widget.NewIcon(theme.StateNotice.Icon()))
	closing := kit.NewIconButton(base.CancelIcon(), lang.L("Close"), n.hide)
	content := container.NewBorder(nil, nil, kit.Row(0, mark, kit.NewGap(12, 0)), kit.Row(0, closing),
		container.NewVBox(kit.NewGap(0, 5), n.words))
	n.root = container.NewStack(kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorWorking, Radius: theme.SizeCardRadius},
		kit.Inset(content, 6, 12)))
	n.root.Hide()
	return n
}

func (n *notice) show(text string) {
	n.text = text
	n.words.Objects = []fyne.CanvasObject{kit.NewParagraph(text, kit.TextStyle{})}
	n.words.Refresh()
	n.root.Show()
	n.onChange()
}

func (n *notice) hide() {
	if n.root.Visible() {
		n.text = ""
		n.root.Hide()
		n.onChange()
	}
}
