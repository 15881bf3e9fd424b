package settings

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// got lists the programs that Workbench has installed, with buttons that update and remove them. The list is hidden if
// there are none.
type got struct {
	screen *Screen
	box    *fyne.Container
	drawn  string
}

func newGot(screen *Screen) *got {
	g := &got{screen: screen, box: container.NewStack()}
	g.box.Hide()
	return g
}

// show updates the list.
func (g *got) show() {
	installed := slices.DeleteFunc(slices.Clone(g.screen.view.Runtimes), func(r model.Runtime) bool {
		return r.Installed == ""
	})
	drawn := ""
	for _, r := range installed {
		drawn += fmt.Sprintln(r.ID, r.Installed, r.Version)
	}
	if drawn == g.drawn {
		return
	}
	g.drawn = drawn
	var rows []fyne.CanvasObject
	for _, r := range installed {
		buttons := kit.Row(kit.GapTight)
		if r.Outdated {
			if update := g.screen.program.Get(r.ID, widget.MediumImportance, func(bool) {
				g.screen.page.Arrange()
			}); update != nil {
				buttons.Add(update)
			}
		}
		buttons.Add(kit.NewButton(lang.L("Remove"), widget.LowImportance, func() { g.screen.program.RemoveRuntime(r.ID) }))
		title := lang.L("{{.Name}} {{.Version}}, installed by Workbench",
			map[string]any{"Name": r.Name, "Version": r.Installed})
		rows = append(rows, newRow(title,
			"", buttons).root)
	}
	g.box.RemoveAll()
	kit.SetVisible(g.box, len(rows) > 0)
	if len(rows) > 0 {
		g.box.Add(card(rows...))
	}
	g.box.Refresh()
}
