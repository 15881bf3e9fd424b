package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// advanced is the section with what few people need. It is folded until the user opens it.
type advanced struct {
	*section
	screen *Screen
	fold   *kit.Button
	box    *fyne.Container
}

// newAdvanced returns the section. The section about the app itself must have been made, since it has some of the rows.
func newAdvanced(screen *Screen, title string) *advanced {
	a := &advanced{screen: screen}
	screen.mode = newMode(screen)
	a.fold = kit.NewButton(title, widget.LowImportance, func() { a.unfold(!a.box.Visible()) })
	a.fold.IconPlacement = widget.ButtonIconTrailingText
	tools := kit.NewText(lang.L("How AI apps get your tools"), kit.TextStyle{Bold: true, Shrinks: true})
	a.box = kit.Column(kit.GapWide, card(screen.general.advanced...), tools, screen.mode.root)
	heading := kit.Flush(a.fold, true, false)
	a.section = &section{heading: heading, root: kit.Column(kit.Gap, kit.Row(0, heading), a.box)}
	a.set(screen.kept.Advanced)
	return a
}

// unfold shows or hides the settings.
func (a *advanced) unfold(open bool) {
	a.screen.kept.Advanced = open
	a.set(open)
	a.screen.page.Arrange()
}

// show updates the settings.
func (a *advanced) show() {
	a.screen.general.show()
	a.screen.mode.show()
}

func (a *advanced) set(open bool) {
	icon := base.MenuExpandIcon()
	if open {
		icon = base.MenuDropDownIcon()
	}
	a.fold.SetIcon(base.NewColoredResource(icon, theme.ColorMuted))
	kit.SetVisible(a.box, open)
}
