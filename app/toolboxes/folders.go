package toolboxes

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// foldersWords returns a text that says in which folders a toolbox is seen.
func foldersWords(toolbox Toolbox) string {
	if toolbox.Folders == nil {
		return lang.L("In all folders")
	}
	var names []string
	for _, folder := range toolbox.Folders {
		names = append(names, kit.Line(lastOf(folder)))
	}
	if len(names) == 0 {
		return lang.L("In no folder")
	}
	return lang.L("In {{.Names}}", map[string]any{"Names": live.Names(names)})
}

// lastOf returns the name of a folder, of whichever system its path is.
func lastOf(path string) string {
	trimmed := strings.TrimRight(path, `/\`)
	if at := strings.LastIndexAny(trimmed, `/\`); at >= 0 && at+1 < len(trimmed) {
		return trimmed[at+1:]
	}
	return path
}

// foldersMenu has the folders in which the toolbox is seen, each with a check mark that takes it out, and a way to
// choose another one.
func (a *advanced) foldersMenu() *fyne.Menu {
	toolbox := a.toolbox
	change := func(ops []edit.Op) { a.screen.editThen(ops, model.Choice{}, func() {}) }
	everywhere := fyne.NewMenuItem(lang.L("All folders"), func() {
		if toolbox.Folders != nil {
			change(model.Everywhere(toolbox.Name))
		}
	})
	everywhere.Checked = toolbox.Folders == nil
	items := []*fyne.MenuItem{everywhere}
	for _, folder := range toolbox.Folders {
		item := fyne.NewMenuItem(kit.Line(folder), func() { change(model.InFolder(toolbox.Name, toolbox.Folders, folder, false)) })
		item.Checked = true
		items = append(items, item)
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem(lang.L("Choose a folder"), func() {
		a.screen.program.PickFolder(func(path string) {
			change(model.InFolder(toolbox.Name, toolbox.Folders, path, true))
		})
	}))
	return fyne.NewMenu("", items...)
}
