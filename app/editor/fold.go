package editor

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// fold is a part of the form that few people need. It shows only its title until it is opened.
type fold struct {
	button *kit.Button
	box    *fyne.Container
	open   bool
	setup  *setup
}

func newFold(s *setup, title string, content fyne.CanvasObject) *fold {
	f := &fold{box: container.NewStack(content), setup: s}
	f.button = kit.NewButton(title, widget.LowImportance, func() { f.set(!f.open) })
	f.button.Icon, f.button.IconPlacement = base.MenuDropDownIcon(), widget.ButtonIconTrailingText
	f.box.Hide()
	return f
}

// set opens or closes the part.
func (f *fold) set(open bool) {
	if open == f.open {
		return
	}
	f.open = open
	icon := base.MenuDropDownIcon()
	if open {
		icon = base.MenuDropUpIcon()
	}
	f.button.SetIcon(icon)
	kit.SetVisible(f.box, open)
	f.setup.arrange()
}
