package welcome

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
)

// usualApp is the app that most people have.
const usualApp = "claude-desktop"

// connect is the second step: the apps that are to start Workbench.
type connect struct {
	ticked  map[string]bool   // by id, as the user has chosen; without one the usual holds
	runs    map[string]*run   // how connecting goes, by id
	queue   []string          // apps that are to be connected
	now     string            // the app whose turn it is; "" when there is none
	stop    func()            // ends what is under way
	attempt int               // counts the attempts, so that what was given up is not heard
	shown   map[string]*shown // the changes that are shown, by id
	keep    bool              // the apps keep their own entries of servers that came from them
}

// run is how connecting an app goes.
type run struct {
	state    runState
	deferred bool // it comes last, since it is to be quit first
	problem  string
	moved    clients.Moved // what went out of its file
}

type runState int

const (
	runNone runState = iota
	runWaits
	runWorks
	runQuitting // the app is to be quit first
	runConnected
	runFailed
)

// shown is the change of an app, or its command.
type shown struct {
	looking  bool
	plan     engine.Plan
	removing setup.Preview // the same when its own entries go
	problem  string
}

func (c *connect) running() bool { return c.now != "" }

// failed tells whether an app could not be connected.
func (c *connect) failed() bool {
	for _, run := range c.runs {
		if run.state == runFailed {
			return true
		}
	}
	return false
}

// isTicked tells whether an app is to be connected. Unless the user says otherwise that is Claude Desktop, else the first.
func (c *connect) isTicked(m *model, app App) bool {
	if on, chosen := c.ticked[app.ID]; chosen {
		return on
	}
	return app.ID == usual(m.facts.Apps)
}

// usual is the app that is ticked at first.
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

// open tells whether an app can be connected here and now.
func (c *connect) open(app App) bool {
	run := c.runs[app.ID]
	return !app.ByHand && !app.Linked && (run == nil || run.state == runNone || run.state == runFailed)
}

// chosen are the apps that are to be connected, in their order.
func (c *connect) chosen(m *model) []App {
	return slices.DeleteFunc(slices.Clone(m.facts.Apps), func(app App) bool { return !c.open(app) || !c.isTicked(m, app) })
}

// view makes the View of the step.
func (c *connect) view(m *model) View {
	view := View{
		Title: lang.L("Connect your AI apps"),
		Texts: []string{lang.L("A connected app starts Workbench by itself and gets your toolboxes.")},
		Skip:  skip(),
	}
	again := Button{Text: lang.L("Look again"), Action: ActionLook}
	switch {
	case !m.facts.Known:
		view.Busy = lang.L("Looking for AI apps…")
		return view
	case len(m.facts.Apps) == 0:
		view.Title = lang.L("No AI app was found on this computer")
		view.Texts = []string{lang.L("Workbench gives its toolboxes to AI apps, such as Claude Desktop, Cursor or VS Code. Install one, start it once, and look again.")}
		view.Others = []Button{{Text: lang.L("Get Claude Desktop"), Action: ActionGet, With: "https://claude.ai/download"}, again}
		view.Skip = Button{}
		view.Main = Button{Text: lang.L("Continue"), Action: ActionNext}
		return view
	case m.facts.Problem != "":
		view.Notice = Sign{theme.StateWrong, m.facts.Problem}
	}
	for _, app := range m.facts.Apps {
		view.Rows = append(view.Rows, c.row(m, app))
	}
	if c.running() {
		view.Skip = Button{Text: lang.L("Cancel"), Action: ActionStop}
		view.Main = Button{Text: lang.L("Connecting…"), Action: ActionConnect, Off: true}
		if run := c.runs[c.now]; run != nil && run.state == runQuitting {
			view.Skip.Text, view.Main.Text = lang.L("Stop waiting"), lang.L("Waiting…")
		}
		return view
	}
	chosen := c.chosen(m)
	view.Main = Button{Text: lang.N("Connect {{.Count}} AI apps", len(chosen), map[string]any{"Count": len(chosen)}), Action: ActionConnect, Off: m.facts.Problem != ""}
	if len(chosen) == 1 {
		view.Main.Text = lang.L("Connect {{.App}}", named(chosen[0].Name))
	}
	if c.failed() {
		view.Skip.Text = lang.L("Continue")
		if !slices.ContainsFunc(chosen, func(app App) bool { return c.runs[app.ID] == nil || c.runs[app.ID].state != runFailed }) {
			view.Main.Text = lang.L("Try again")
		}
	}
	if len(chosen) == 0 || m.facts.Problem != "" {
		view.Main = Button{Text: lang.L("Continue"), Action: ActionNext}
		view.Skip = Button{}
	}
	if view.Main.Action == ActionConnect {
		view.Small = []string{lang.L("A copy of each file is kept, and “Disconnect” under AI apps puts it back.")}
	}
	c.offerRemoval(m, chosen, &view)
	return view
}

// row is one app.
func (c *connect) row(m *model, app App) Row {
	row := Row{
		Key: appKey(app.ID), Name: app.Name, Box: !app.ByHand, Plain: app.ByHand,
		On: c.isTicked(m, app), Off: c.running() || m.facts.Problem != "",
	}
	state := runNone
	if run := c.runs[app.ID]; run != nil {
		state = run.state
		if run.problem != "" {
			row.Lines = append(row.Lines, Line{Text: run.problem, State: theme.StateWrong})
		}
	}
	switch {
	case app.Proven:
		row.Sign = Sign{theme.StateConnected, lang.L("Connected")}
	case app.Linked || state == runConnected: // that it works, only the app itself can show
		row.Sign = Sign{theme.StateWorking, lang.L("Set up")}
	case state == runWaits:
		row.Sign = Sign{theme.StateIdle, lang.L("Waiting for its turn")}
	case state == runWorks:
		row.Sign = Sign{theme.StateWorking, lang.L("Connecting…")}
	case state == runQuitting:
		row.Sign = Sign{theme.StateWorking, lang.L("Waiting for it to quit")}
		row.Lines = append(row.Lines, Line{Text: lang.L("Quit {{.App}} now, from its menu or its icon next to the clock. Closing its window is not enough: the app would undo the change. We continue once it has quit.", named(app.Name)), State: theme.StateWorking})
	case state == runFailed:
		row.Sign = Sign{theme.StateWrong, lang.L("Not connected")}
	case app.ByHand:
		row.Sign = Sign{theme.StateIdle, lang.L("With a command")}
	}
	done := app.Proven || app.Linked || state == runConnected
	if done || state == runWorks || state == runQuitting { // there is nothing to choose
		row.Box, row.Plain = false, true
	}
	if done || c.running() || m.facts.Problem != "" {
		return row
	}
	if names := m.removals(app); len(names) > 0 && row.Box && row.On {
		row.Lines = append(row.Lines, Line{Text: lang.L("Will be removed: {{.Names}}.", listed(names))})
	}
	c.change(m, app, &row)
	return row
}

// change adds what would be done to the file of an app, or the command, as far as that is shown.
func (c *connect) change(m *model, app App, row *Row) {
	open, close := lang.L("Show the change"), lang.L("Hide the change")
	if app.ByHand {
		open, close = lang.L("Show the command"), lang.L("Hide the command")
	}
	shown := c.shown[app.ID]
	if shown == nil {
		row.Buttons = append(row.Buttons, Button{Text: open, Action: ActionShow, With: app.ID})
		return
	}
	switch {
	case shown.looking:
		row.Lines = append(row.Lines, Line{Text: lang.L("Looking at its file…")})
	case shown.problem != "":
		row.Lines = append(row.Lines, Line{Text: shown.problem, State: theme.StateWrong})
	case shown.plan.Paste != "":
		row.Lines = append(row.Lines, Line{Text: kit.Say(shown.plan.Client.Say(shown.plan.Client.ByHand))}, Line{Text: lang.L("Run this in a terminal:")})
		row.Command = m.command(app)
		row.Buttons = append(row.Buttons, m.copyButton(row.Command))
	case len(m.removals(app)) > 0 && len(shown.removing.Changes) > 0:
		row.Changes = shown.removing.Changes
	case !shown.plan.Changed():
		row.Lines = append(row.Lines, Line{Text: lang.L("{{.App}} has the entry already. Nothing has to be changed.", named(app.Name))})
	default:
		for _, change := range shown.plan.Changes {
			if change.Changed() {
				row.Changes = append(row.Changes, engine.Difference{File: change.File, Unified: shown.plan.Diff(change)})
			}
		}
		for _, note := range shown.plan.Notes {
			row.Lines = append(row.Lines, Line{Text: kit.Say(note)})
		}
	}
	row.Buttons = append(row.Buttons, Button{Text: close, Action: ActionShow, With: app.ID})
}

// giveUp forgets what is under way.
func (c *connect) giveUp() {
	c.attempt++
	if c.stop != nil {
		c.stop()
		c.stop = nil
	}
	for _, run := range c.runs {
		if run.state == runWaits || run.state == runWorks || run.state == runQuitting {
			run.state = runNone
		}
	}
	c.queue, c.now = nil, ""
}

// begin gives what is under way a context.
func (c *connect) begin() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	c.stop = cancel
	return ctx
}
