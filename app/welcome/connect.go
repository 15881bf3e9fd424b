package welcome

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// usualApp is the app that most users have.
const usualApp = "claude-desktop"

// isTicked reports whether the user wants to connect an app. At first, only the usual app is ticked.
func (p *page) isTicked(app App) bool {
	if on, chosen := p.Connect.Ticked[app.ID]; chosen {
		return on
	}
	return app.ID == usual(p.facts.Apps)
}

// usual returns the id of the app that is ticked at first: Claude Desktop or, without it, the first app that can be
// connected.
func usual(apps []App) string {
	first := ""
	for _, app := range apps {
		if app.ID == usualApp {
			return app.ID
		}
		if first == "" && !app.ByHand && !app.Linked {
			first = app.ID
		}
	}
	return first
}

// open reports whether an app can be connected now.
func (p *page) open(app App) bool {
	state := p.Connect.State(app.ID)
	return !app.ByHand && !app.Linked && (state == model.RunNone || state == model.RunFailed)
}

// chosen returns the apps to connect, in their order.
func (p *page) chosen() []App {
	return slices.DeleteFunc(slices.Clone(p.facts.Apps), func(app App) bool { return !p.open(app) || !p.isTicked(app) })
}

// viewConnect returns the View of the second step, which connects AI apps to Workbench.
func (p *page) viewConnect() View {
	c := &p.Connect
	view := View{
		Title: lang.L("Connect AI apps"),
		Texts: []string{lang.L("A connected app starts Workbench by itself and gets your toolboxes.")},
		Skip:  skip(),
	}
	again := Button{Text: lang.L("Look again"), Action: ActionLook}
	switch {
	case !p.facts.Known:
		view.Busy = lang.L("Looking for AI apps…")
		return view
	case len(p.facts.Apps) == 0:
		view.Title, view.Texts = lang.L("No AI app found"), []string{clients.InstallOne()}
		view.Others = []Button{{Text: runtimes.Get("Claude Desktop"), Action: ActionGet, With: "https://claude.ai/download"},
			again}
		view.Skip = Button{}
		view.Main = Button{Text: lang.L("Continue"), Action: ActionNext}
		return view
	case p.facts.Problem != "":
		view.Notice = Sign{State: theme.StateWrong, Text: p.facts.Problem}
	}
	for _, app := range p.facts.Apps {
		view.Rows = append(view.Rows, p.appRow(app))
	}
	if c.Running() {
		view.Skip = Button{Text: lang.L("Cancel"), Action: ActionStop}
		view.Main = Button{Text: lang.L("Connecting…"), Action: ActionConnect, Off: true}
		if p.Bring.Trying() && len(p.removals(p.app(c.Now))) > 0 {
			view.Small = []string{lang.L("Your servers are tried first.")}
		}
		if c.State(c.Now) == model.RunQuitting {
			view.Skip.Text, view.Main.Text = lang.L("Stop waiting"), lang.L("Waiting")
		}
		return view
	}
	chosen := p.chosen()
	view.Main = Button{Text: lang.N("Connect {{.Count}} AI apps", len(chosen), map[string]any{"Count": len(chosen)}),
		Action: ActionConnect, Off: p.facts.Problem != ""}
	if len(chosen) == 1 {
		view.Main.Text = lang.L("Connect {{.App}}", named(chosen[0].Name))
	}
	if c.Failed() {
		view.Skip.Text = lang.L("Continue")
		if !slices.ContainsFunc(chosen, func(app App) bool { return c.State(app.ID) != model.RunFailed }) {
			view.Main.Text = lang.L("Try again")
		}
	}
	if len(chosen) == 0 || p.facts.Problem != "" {
		view.Main = Button{Text: lang.L("Continue"), Action: ActionNext}
		view.Skip = Button{}
	}
	if view.Main.Action == ActionConnect && slices.ContainsFunc(chosen, func(app App) bool { return !app.Guarded }) {
		view.Small = []string{clients.CopyKept()}
	}
	p.offerRemoval(chosen, &view)
	return view
}

// appRow returns the row of an app.
func (p *page) appRow(app App) Row {
	c := &p.Connect
	removes := len(p.removals(app)) > 0
	told := clients.Tell(app.Name, c, app.ID)
	row := Row{
		Key: appKey(app.ID), Mark: app.ID, Name: app.Name, Box: !app.ByHand, Plain: app.ByHand, Sign: told.Sign,
		On: p.isTicked(app), Off: c.Running() || p.facts.Problem != "",
	}
	switch {
	case app.Proven:
		row.Sign = Sign{State: theme.StateConnected, Text: lang.L("Connected")}
	case app.Linked: // only the app itself can prove that the entry works
		row.Sign = Sign{State: theme.StateWorking, Text: lang.L("Set up")}
	case row.Sign.Text == "" && app.ByHand:
		row.Sign = Sign{State: theme.StateIdle, Text: lang.L("With a command")}
	}
	state := c.State(app.ID)
	done := app.Proven || app.Linked || state == model.RunDone
	if done || state == model.RunWorks || state == model.RunQuitting { // nothing to choose any more
		row.Box, row.Plain = false, true
	}
	if removes && !app.Guarded && row.Box && row.On && !row.Off {
		row.Lines = append(row.Lines, Line{Text: lang.L("Will be removed: {{.Names}}.", listed(p.removals(app)))})
	}
	if !done && !row.Off {
		told.AddChange(app.Name, c.Shown[app.ID], false, removes)
	}
	for _, line := range told.Lines {
		row.Lines = append(row.Lines, Line{Text: line.Text, State: line.State})
	}
	if done || row.Off {
		return row
	}
	row.OwnCommand = told.Runs
	if row.Changes, row.Command = told.Changes, told.Command; row.Command != "" {
		row.Buttons = append(row.Buttons, p.copyButton(row.Command))
	}
	label := lang.L("Show the change")
	if c.Shown[app.ID] != nil {
		label = lang.L("Hide the change")
	}
	row.Buttons = append(row.Buttons, Button{Text: label, Action: ActionShow, With: app.ID})
	return row
}
