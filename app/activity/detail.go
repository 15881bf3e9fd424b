package activity

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// detail shows everything about one call, next to the table or instead of it.
type detail struct {
	root    fyne.CanvasObject
	page    *kit.Page
	closing *kit.Button

	tool      *kit.Lines
	place     *kit.Text
	state     *widget.Icon
	word      *kit.Text
	sentence  *kit.Lines
	problem   *kit.Selectable
	problems  fyne.CanvasObject
	client    *fact
	started   *fact
	took      *fact
	result    *fact
	arguments *arguments
	server    *kit.Button

	call *model.Call
}

// fact is a label with a value.
type fact struct {
	value *kit.Text
	row   fyne.CanvasObject
}

const factName = 92 // the width of the labels, in pixels

func newFact(name string) *fact {
	f := &fact{value: kit.NewText("", kit.TextStyle{Shrinks: true})}
	label := kit.NewText(name, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	f.row = kit.Row(0, kit.Sized(factName, 0, label), kit.Rest(f.value))
	return f
}

// newDetail returns the panel. It calls closed when the user closes it.
func newDetail(program Program, closed func()) *detail {
	d := &detail{
		tool:     kit.NewLines(3, kit.TextStyle{Size: theme.SizeHeading, Bold: true}),
		place:    kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		state:    widget.NewIcon(nil),
		word:     kit.NewText("", kit.TextStyle{Bold: true}),
		sentence: kit.NewLines(3, kit.Small()),
		problem:  kit.NewSelectable("", kit.TextStyle{Size: theme.SizeSmall}),
		client:   newFact(lang.L("AI app")), started: newFact(lang.L("Started")), took: newFact(lang.L("Duration")),
		result:    newFact(lang.L("Result")),
		arguments: newArguments(program),
	}
	d.closing = kit.NewIconButton(base.CancelIcon(), lang.L("Close"), closed)
	d.server = kit.NewButton(lang.L("Go to the server"), widget.MediumImportance, func() {
		if d.call != nil {
			program.ShowServer(model.Choice{Toolbox: d.call.Toolbox, Server: d.call.Server})
		}
	})

	d.problems = kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius},
		kit.Inset(d.problem, -kit.GapHair, -kit.GapHair))
	content := kit.Column(kit.GapWide,
		kit.Column(kit.GapTight, d.tool, d.place),
		kit.Column(kit.GapTight, kit.MarkedBy(d.state, d.word), d.sentence),
		d.problems,
		kit.Column(kit.GapTight, d.client.row, d.started.row, d.took.row, d.result.row),
		d.arguments.root,
		kit.Row(0, d.server),
	)
	d.page = kit.NewPage(kit.InsetSides(content, 0, kit.GapBlock, kit.GapBlock, kit.GapBlock))
	top := kit.Row(0, kit.Rest(kit.NewText(lang.L("Details"),
		kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Bold: true, Shrinks: true})), d.closing)
	d.root = kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius},
		kit.Column(0, kit.InsetSides(top, kit.GapTight, kit.GapTight, kit.GapBlock, kit.Gap), kit.Rest(d.page)))
	return d
}

// show shows a call.
func (d *detail) show(call *model.Call, now time.Time) {
	another := d.call == nil || d.call.Key() != call.Key()
	d.call = call
	ending := endingOf(call.Outcome)
	d.tool.Set(call.Tool)
	d.place.Set(kit.Way(call.Toolbox, call.Server))
	d.state.SetResource(ending.state.Icon())
	d.word.SetStyle(ending.word, kit.TextStyle{Bold: true, Color: ending.state.Color()})
	d.sentence.Set(ending.sentence)
	d.problem.SetText(kit.Say(call.Problem))
	kit.SetVisible(d.problems, !call.Problem.IsZero())
	d.client.value.Set(call.Client)
	d.started.value.Set(kit.Moment(call.Started.In(now.Location())))
	d.took.value.Set(duration(*call, now))
	d.result.value.Set(kit.Bytes(call.ResultBytes))
	kit.SetVisible(d.result.row, call.Outcome == status.Done || call.Outcome == status.ToolError)
	d.arguments.show(call.Arguments)
	d.page.Arrange()
	if another {
		d.page.ScrollToTop()
	}
}

// tick updates the duration of a running call.
func (d *detail) tick(now time.Time) {
	if d.call != nil {
		d.took.value.Set(duration(*d.call, now))
	}
}
