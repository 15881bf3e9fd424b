package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// advanced is the folded end of a page: what few people change about a toolbox, and what it costs in numbers.
type advanced struct {
	screen     *Screen
	root       *fyne.Container
	fold       *kit.Button
	box        fyne.CanvasObject
	alwaysOpen *kit.Switch
	apps       *kit.Button
	folders    *kit.Button
	ticked     string // the text of apps when an app was chosen in its menu, until that change is made
	cost       *kit.Lines
	toolbox    Toolbox
}

func newAdvanced(screen *Screen) *advanced {
	a := &advanced{screen: screen, cost: kit.NewParagraph("", kit.Small())}
	a.fold = kit.NewButton(lang.L("Advanced"), widget.LowImportance, func() { a.unfold(!a.box.Visible()) })
	a.fold.Icon, a.fold.IconPlacement = base.MenuDropDownIcon(), widget.ButtonIconTrailingText
	a.alwaysOpen = kit.NewNamedSwitch(lang.L("Always open"), func(on bool) {
		screen.editThen(edit.Turn(a.choice(), "open", on), model.Choice{}, func() {
			a.alwaysOpen.Follow(a.toolbox.AlwaysOpen)
		})
	})
	a.apps = kit.NewButton("", widget.MediumImportance, func() { a.apps.ShowMenu(a.appsMenu()) })
	a.apps.Icon, a.apps.IconPlacement = base.MenuDropDownIcon(), widget.ButtonIconTrailingText
	a.folders = kit.NewButton("", widget.MediumImportance, func() { a.folders.ShowMenu(a.foldersMenu()) })
	a.folders.Icon, a.folders.IconPlacement = base.MenuDropDownIcon(), widget.ButtonIconTrailingText
	a.box = kit.NewCard(kit.Column(kit.GapWide,
		kit.Column(kit.GapTight, kit.Row(0, a.alwaysOpen), kit.NewParagraph(lang.L("AI apps have its tools from the start. "+
			"That is good for a few tools; the descriptions of many fill an AI app's memory."), kit.Small())),
		kit.Column(kit.Gap, kit.Row(0, a.apps), kit.Row(0, a.folders)), a.cost))
	a.box.Hide()
	a.root = kit.Column(kit.Gap, kit.Row(0, kit.Flush(a.fold, true, false)), a.box)
	return a
}

func (a *advanced) choice() model.Choice { return model.Choice{Toolbox: a.toolbox.Name} }

// unfold shows or hides what is advanced.
func (a *advanced) unfold(on bool) {
	icon := base.MenuDropDownIcon()
	if on {
		icon = base.MenuDropUpIcon()
	}
	kit.SetVisible(a.box, on)
	a.fold.SetIcon(icon)
	a.screen.page.arrange()
}

// show shows a toolbox.
func (a *advanced) show(toolbox Toolbox) {
	another := toolbox.Name != a.toolbox.Name
	kit.SetVisible(a.root, len(toolbox.Servers) > 0)
	a.toolbox = toolbox
	a.alwaysOpen.Follow(toolbox.AlwaysOpen)
	a.cost.Set(toolbox.Cost.Sentence())
	words := a.screen.view.appsWords(toolbox)
	ticked := a.ticked != "" && a.ticked == a.apps.Text && words != a.apps.Text && !another
	if a.apps.Text != words {
		a.apps.SetText(words)
		a.ticked = ""
	}
	if in := foldersWords(toolbox); a.folders.Text != in {
		a.folders.SetText(in)
	}
	if ticked {
		a.apps.ShowMenu(a.appsMenu())
	}
}
