package settings

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// about is the section about the program.
type about struct {
	*section
	screen *Screen
	box    *fyne.Container
	drawn  string
}

func newAbout(screen *Screen, title string) *about {
	a := &about{screen: screen, box: container.NewStack()}
	a.section = newSection(title, a.box)
	return a
}

// show draws the section again if its content has changed.
func (a *about) show() {
	view, newer := a.screen.view.About, a.screen.view.Updates
	drawn := fmt.Sprint(view, newer)
	if drawn == a.drawn {
		return
	}
	a.drawn = drawn
	mark := kit.Sized(36, 36, widget.NewIcon(theme.ToolboxIcon(theme.ColorAccent)))
	name := kit.NewText(lang.L("Workbench {{.Version}}", map[string]any{"Version": view.Version}),
		kit.TextStyle{Bold: true, Shrinks: true})
	links := kit.NewFlow(kit.GapTight)
	for _, link := range []struct{ text, address string }{
		{lang.L("Website"), view.Website}, {lang.L("Report a problem"), view.Reports},
		{lang.L("Licence"), view.Licence}, {lang.L("Licences of others"), view.Notices},
	} {
		links.Add(kit.NewButton(link.text, widget.LowImportance, func() { a.screen.program.OpenURL(link.address) }))
	}
	rows := []fyne.CanvasObject{kit.Column(kit.GapTight, kit.Row(kit.GapWide, mark, kit.Rest(name)),
		kit.Flush(links, true, false))}
	if newer.Version != "" {
		get := kit.NewButton(lang.L("Version {{.Version}} is there…", map[string]any{"Version": newer.Version}),
			widget.HighImportance, func() { a.screen.program.OpenURL(newer.Page) })
		rows = append(rows, kit.NewBeside(textAtLeast, muted(newer.How), get))
	}
	for _, folder := range view.Folders {
		path := kit.NewParagraph(folder.Path, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Mono: true})
		open := kit.NewButton(lang.L("Open folder"), widget.LowImportance, func() {
			a.screen.program.OpenFolder(folder.Path)
		})
		rows = append(rows, kit.NewBeside(textAtLeast,
			paragraphs(kit.NewText(folder.Title, kit.TextStyle{Shrinks: true}), path), kit.Flush(open, false, true)))
	}
	keys := kit.NewButton(lang.L("Show"), widget.LowImportance, a.screen.program.ShowKeys)
	rows = append(rows, newRow(lang.L("Keyboard"), "", kit.Flush(keys, false, true)).root)
	a.box.RemoveAll()
	a.box.Add(card(rows...))
	a.box.Refresh()
}
