package tools

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// detail is the page of one tool: what it does, which parameters it takes, and warnings about it.
type detail struct {
	tab     *Tab
	try     *kit.Button
	body    *fyne.Container
	page    *kit.Page
	offered *kit.Check
	tool    status.Tool
	asJSON  bool
	shown   string // identifies what is drawn: the tool, its definition and its state
}

func newDetail(tab *Tab) *detail {
	d := &detail{tab: tab, body: kit.Column(kit.GapBlock)}
	d.page = kit.NewPage(kit.NewNarrow(kit.WidthPage, kit.Inset(d.body, kit.GapWide, kit.GapEdge)))
	return d
}

// maxDescription is how much of a description is shown, in bytes.
const maxDescription = 6000

func (d *detail) show(view View, tool status.Tool, f *facts) {
	offered := view.offers(tool.Name)
	if shown := view.Toolbox + "\x00" + view.Server + "\x00" + tool.Name + "\x00" + kit.Say(tool.Problem) +
		fmt.Sprint(tool.Exposed, tool.Withheld, len(tool.Marks)) + f.source; shown != d.shown {
		another := d.tool.Name != tool.Name
		d.shown, d.tool = shown, tool
		if another {
			d.asJSON = false
		}
		d.build(view, tool, f)
		d.page.Arrange()
		if another {
			d.page.ScrollToTop()
		}
	}
	d.offered.Follow(offered)
	kit.SetEnabled(d.offered, view.Locked == "")
}

func (d *detail) build(view View, tool status.Tool, f *facts) {
	back := kit.NewButtonWithIcon(lang.L("All tools"), base.NavigateBackIcon(), widget.LowImportance, d.tab.back)
	d.try = kit.NewButtonWithIcon(lang.L("Try it"), base.MediaPlayIcon(), widget.HighImportance, func() {
		d.tab.tryTool(tool.Name, false)
	})
	d.offered = kit.NewCheck(lang.L("Offered to AI apps"), func(on bool) { d.tab.offer(tool.Name, on) })

	titles := kit.Column(kit.GapHair,
		kit.NewText(f.definition.Called(tool.Name), kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}),
		kit.NewText(tool.Name, kit.TextStyle{Color: theme.ColorMuted, Shrinks: true}))
	head := kit.Column(kit.Gap, kit.Row(0, kit.Flush(back, true, false)), kit.Row(kit.GapWide, kit.Rest(titles), d.try),
		kit.Row(0, kit.Flush(d.offered, true, false)))
	if words := traits(f.definition); len(words) > 0 {
		flow := kit.NewFlow(kit.Gap, kit.Inset(
			kit.NewText(lang.L("The server says:"), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
			kit.GapTight, 0))
		for _, trait := range words {
			flow.Add(kit.NewChip(kit.NewText(trait, kit.TextStyle{Size: theme.SizeSmall})))
		}
		head.Add(flow)
	}
	d.body.Objects = []fyne.CanvasObject{head}
	for _, warning := range view.warnings(tool, f) {
		d.body.Add(kit.Marked(theme.StateNotice, kit.NewParagraph(warning, kit.TextStyle{Color: theme.ColorWorking})))
	}
	if f.definition.Description == "" {
		d.body.Add(kit.NewText(lang.L("No description"), kit.TextStyle{Color: theme.ColorMuted}))
	} else {
		d.body.Add(tryit.Reading(f.definition.Description, maxDescription))
	}
	d.body.Add(d.schemaCard(tool, f))
	d.body.Refresh()
}

// schemaCard shows the parameters, either as a list or as the JSON that the server sent.
func (d *detail) schemaCard(tool status.Tool, f *facts) fyne.CanvasObject {
	content := container.NewStack()
	fill := func() {
		if d.asJSON {
			text := toolform.Pretty(tool.Definition)
			copyAll := kit.NewButtonWithIcon(lang.L("Copy"), base.ContentCopyIcon(), widget.LowImportance, func() {
				d.tab.program.Copy(text)
			})
			content.Objects = []fyne.CanvasObject{kit.Column(kit.Gap, tryit.Code(text), kit.Row(0, copyAll))}
		} else {
			content.Objects = []fyne.CanvasObject{newParameters(f.form)}
		}
		content.Refresh()
	}
	fill()
	mode := kit.NewChoice(lang.L("Text"), lang.L("JSON"))
	if d.asJSON {
		mode.Follow(1)
	}
	mode.OnChosen = func(index int) {
		d.asJSON = index == 1
		fill()
		d.page.Arrange()
	}
	title := kit.NewText(lang.L("Inputs"), kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})
	return kit.NewCard(kit.Column(kit.GapWide, kit.Row(kit.Gap, kit.Rest(title), kit.NewFullChoice(mode)), content))
}
