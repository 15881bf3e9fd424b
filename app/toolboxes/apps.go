package toolboxes

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// appsWords returns a text that says which AI apps see a toolbox.
func (v View) appsWords(toolbox Toolbox) string {
	switch names := v.appNames(toolbox.Apps); {
	case toolbox.Apps == nil:
		return lang.L("For all AI apps")
	case len(names) == 0:
		return lang.L("For no AI app")
	default:
		return lang.L("For {{.Names}}", map[string]any{"Names": live.Names(names)})
	}
}

// appNames returns the names of AI apps. It leaves out unknown apps: the file has a problem for each of them.
func (v View) appNames(ids []string) []string {
	var names []string
	for _, app := range v.Apps {
		if slices.Contains(ids, app.ID) {
			names = append(names, app.Name)
		}
	}
	return names
}

// appsMenu has a check mark for each AI app that sees the toolbox. It opens again after each choice, since most users
// want several apps.
func (a *advanced) appsMenu() *fyne.Menu {
	view, toolbox := a.screen.view, a.toolbox
	item := func(name string, on bool, ops func() []edit.Op) *fyne.MenuItem {
		item := fyne.NewMenuItem(name, func() {
			a.ticked = a.apps.Text
			a.screen.editThen(ops(), model.Choice{}, func() { a.ticked = "" })
		})
		item.Checked = on
		return item
	}
	all := toolbox.Apps == nil
	items := []*fyne.MenuItem{
		item(lang.L("All AI apps"), all, func() []edit.Op { return model.ShowToAll(toolbox.Name, view.Apps, !all) }),
		fyne.NewMenuItemSeparator(),
	}
	for _, app := range view.Apps {
		on := all || slices.Contains(toolbox.Apps, app.ID)
		items = append(items, item(app.Name, on, func() []edit.Op {
			return model.ShowTo(toolbox.Name, toolbox.Apps, view.Apps, app.ID, !on)
		}))
	}
	return fyne.NewMenu("", items...)
}
