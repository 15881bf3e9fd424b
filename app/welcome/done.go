package welcome

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// toRun adds the command that the user must run in a terminal for an app, if there is one.
func (p *page) toRun(app App, row *Row) {
	if row.Command = p.command(app); row.Command == "" {
		return
	}
	text := clients.ToRemove(app.Name)
	if app.ByHand && !app.Proven {
		text = lang.L("Run this in a terminal:")
	}
	row.Lines = append(row.Lines, Line{Text: text})
	row.Buttons = append(row.Buttons, p.copyButton(row.Command))
}

// doneRow returns the row of an app that has started Workbench or is expected to.
func (p *page) doneRow(app App) Row {
	row := Row{Key: appKey(app.ID), Mark: app.ID, Name: app.Name}
	switch {
	case app.Proven:
		row.Sign = Sign{State: theme.StateConnected, Text: lang.L("Connected")}
		row.Lines = p.outcome(app)
	case app.Problem != "":
		row.Sign = Sign{State: theme.StateWrong, Text: lang.L("Not connected")}
		row.Lines = []Line{{Text: app.Problem, State: theme.StateWrong}}
	default:
		row.Sign = Sign{State: theme.StateWorking, Text: lang.L("Waiting")}
		for _, sentence := range app.Next {
			row.Lines = append(row.Lines, Line{Text: sentence})
		}
		row.Lines = append(row.Lines, p.outcome(app)...)
	}
	p.toRun(app, &row)
	return row
}

// viewDone returns the View of the last step. The view does not say that an app can use the toolboxes before the app
// has started Workbench.
func (p *page) viewDone() View {
	var proven, waiting []App
	for _, app := range p.facts.Apps {
		shown := p.Connect.Shown[app.ID]
		switch {
		case app.Proven:
			proven = append(proven, app)
		case app.Linked, p.Connect.State(app.ID) == model.RunDone, app.ByHand && shown != nil && shown.Plan.Paste != "":
			waiting = append(waiting, app)
		}
	}
	view := View{Main: Button{Text: lang.L("Go to my toolboxes"), Action: ActionFinish}}
	if p.program.CanUpdate() {
		view.Switch = Switch{Text: lang.L("Look for newer versions"), On: p.facts.Updates,
			Note: lang.L("Once a day, GitHub is asked for the newest version. Nothing is downloaded or installed.")}
	}
	for _, app := range slices.Concat(proven, waiting) {
		view.Rows = append(view.Rows, p.doneRow(app))
	}
	if p.facts.Servers > 0 { // otherwise bringing in was undone
		view.Tried, view.Failed = summary(&p.Bring.Trials), p.troubles(&p.Bring.Trials)
	}
	switch {
	case !p.facts.Usable:
		view.Title = lang.L("Your toolboxes are still empty")
		if len(proven)+len(waiting) > 0 {
			view.Texts = []string{clients.CopyKept()}
		}
		if p.facts.Servers > 0 {
			view.Title, view.Texts = lang.L("No server can be started yet"), nil
		}
	case len(proven) > 0:
		view.Mark = MarkGood
		view.Title = lang.L("{{.App}} can use your toolboxes", named(proven[0].Name))
		if len(proven) > 1 {
			view.Title = lang.N("{{.Count}} AI apps can use your toolboxes", len(proven), map[string]any{"Count": len(proven)})
		}
		view.Ask = lang.L("Which toolboxes do you have?")
		view.Copy = p.copyButton(view.Ask)
	case len(waiting) > 0 && !slices.ContainsFunc(waiting, func(app App) bool { return app.Problem == "" }):
		view.Mark = MarkWrong
		view.Title = lang.L("{{.App}} does not start Workbench", named(waiting[0].Name))
	case len(waiting) > 0:
		view.Mark = MarkWait
		view.Title = lang.L("Almost done")
		var names []string
		for _, app := range waiting {
			names = append(names, app.Name)
		}
		view.Texts = []string{lang.L("Waiting for {{.App}} to start Workbench…", named(kit.SayList(names)))}
		view.Texts = append(view.Texts, lang.L("You don't have to wait: it also shows up under AI apps."))
	default:
		view.Mark, view.Title = MarkOurs, lang.L("Your toolboxes are ready")
		view.Texts = []string{
			lang.L("No AI app uses them yet. You can connect one at any time, here or under AI apps."),
		}
		view.Others = []Button{{Text: lang.L("Try a tool now"), Action: ActionTryTool}}
		if len(p.facts.Apps) > 0 {
			view.Others = append(view.Others, Button{Text: lang.L("Connect AI apps"), Action: ActionBack})
		} else {
			view.Texts = nil
			view.Notice = Sign{State: theme.StateWorking,
				Text: lang.L("Looking for AI apps. One that you install now shows up here.")}
		}
	}
	return view
}
