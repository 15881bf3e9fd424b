package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// notice says above the page why something that the user wanted was not done. The next action hides it.
type notice struct {
	root   *fyne.Container
	words  *kit.Lines
	screen *Screen
}

func newNotice(screen *Screen) *notice {
	n := &notice{words: kit.NewParagraph("", kit.TextStyle{}), screen: screen}
	closing := kit.NewIconButton(base.CancelIcon(), lang.L("Close"), n.hide)
	content := kit.Row(kit.Gap, kit.Rest(kit.Marked(theme.StateNotice, n.words)), closing)
	n.root = container.NewStack(kit.NewBox(
		kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorWorking, Radius: theme.SizeCardRadius},
		kit.Inset(content, kit.Gap, kit.GapWide)))
	n.root.Hide()
	return n
}

func (n *notice) show(text string) {
	n.words.Set(text)
	n.root.Show()
	n.screen.relayout()
}

func (n *notice) hide() {
	if n.root.Visible() {
		n.root.Hide()
		n.screen.relayout()
	}
}
