package toolboxes

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// detail is the right side while it shows one server: the way back, and below it the server.
type detail struct {
	root    *fyne.Container
	toolbox *kit.Button
	server  *kit.Text
	name    string // of the toolbox
}

func newDetail(screen *Screen, content fyne.CanvasObject) *detail {
	d := &detail{server: kit.NewText("", kit.TextStyle{Bold: true, Shrinks: true})}
	d.toolbox = kit.NewButton("", widget.LowImportance, func() { screen.Back() })
	d.toolbox.SetIcon(base.NavigateBackIcon())
	arrow := kit.NewText("›", kit.TextStyle{Color: theme.ColorMuted})
	crumb := kit.Row(kit.Gap, d.toolbox, arrow, kit.Rest(d.server))
	d.root = kit.Column(kit.GapTight, kit.InsetSides(crumb, kit.Gap, 0, kit.GapEdge-kit.Gap, kit.GapEdge),
		kit.Rest(kit.NewNarrow(kit.WidthPage+2*kit.GapEdge, content)))
	return d
}

func (d *detail) show(choice model.Choice) {
	if d.name != choice.Toolbox {
		d.name = choice.Toolbox
		d.toolbox.SetText(cmp.Or(kit.Cut(choice.Toolbox, maxCrumb), lang.L("Back")))
	}
	d.server.Set(choice.Server)
}

// maxCrumb is the most characters of a toolbox's name in the way back.
const maxCrumb = 27
