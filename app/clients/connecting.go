package clients

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// connecting is the dialog that shows how the files of some apps would change, and changes them.
type connecting struct {
	*sheet
	apps   []Card
	state  model.Connecting
	runner *Runner

	changes bool // begin changes the file of at least one app

	// These are by the id of the app. moved are the files from which servers were moved. They are put back when the app
	// is disconnected, unless left is set. boxes are the checkboxes for that.
	moved map[string][]setup.MovedFile
	left  map[string]bool
	boxes map[string]*kit.Check
}

// connect opens the dialog that connects an app.
func (s *Screen) connect(card Card) {
	s.carry(false, card)
}

// disconnect opens the dialog that disconnects an app.
func (s *Screen) disconnect(card Card) {
	s.carry(true, card)
}

// registered reports whether Workbench has made an entry for the app, even if another program has removed it since.
func (c Card) registered() bool { return c.Disconnect || c.LeaveOut }

// leaves reports whether there is something to undo for the app: an entry, or servers that were moved out of it.
func (c Card) leaves() bool { return c.registered() || c.Moved }

// disconnectAll opens the dialog that disconnects all apps, and puts servers back also into those without an entry.
func (s *Screen) disconnectAll() {
	var apps []Card
	for _, card := range s.view.Cards {
		if card.leaves() {
			apps = append(apps, card)
		}
	}
	s.carry(true, apps...)
}

// carry opens the dialog that connects apps, or disconnects them if leaving is set.
func (s *Screen) carry(leaving bool, apps ...Card) {
	c := &connecting{sheet: s.open(), apps: apps, state: model.NewConnecting(),
		moved: map[string][]setup.MovedFile{}, left: map[string]bool{}, boxes: map[string]*kit.Check{}}
	c.state.Leaving, c.sheet.draw = leaving, c.draw
	c.runner = &Runner{State: &c.state, Job: c}
	c.load()
}

// Plan implements [Job].
func (c *connecting) Plan(id string, connect bool, done func(Proposal, error)) {
	c.screen.actions.Plan(id, connect, done)
}

// Run implements [Job]. Servers are put back when our entry is gone.
func (c *connecting) Run(ctx context.Context, plan engine.Plan, wait bool, done func(setup.Moved, error)) {
	c.screen.actions.Carry(ctx, plan, wait, func(err error) {
		if id := plan.Client.ID; err == nil && c.Moves(id) {
			c.screen.actions.PutBack(c.moved[id], func(err error) { done(setup.Moved{}, err) })
			return
		}
		done(setup.Moved{}, err)
	})
}

// Moves implements [Job].
func (c *connecting) Moves(id string) bool { return len(c.moved[id]) > 0 && !c.left[id] }

// Changed implements [Job].
func (c *connecting) Changed() { c.draw() }

// Looked implements [Job].
func (c *connecting) Looked(id string, change *model.Change) {
	c.moved[id] = change.Moved
	c.draw()
}

// title says which apps are connected or disconnected.
func (c *connecting) title() string {
	switch {
	case len(c.apps) != 1:
		return lang.L("Disconnect all AI apps")
	case c.state.Leaving:
		return lang.L("Disconnect {{.App}}", map[string]any{"App": c.apps[0].Name})
	}
	return lang.L("Connect {{.App}}", map[string]any{"App": c.apps[0].Name})
}

// load finds out how the files would change, for each app that is not done.
func (c *connecting) load() {
	for _, app := range c.apps {
		if c.state.State(app.ID) != model.RunDone {
			delete(c.state.Runs, app.ID)
			delete(c.state.Shown, app.ID)
			c.runner.Show(app.ID)
		}
	}
}

// draw shows the state of each app.
func (c *connecting) draw() {
	if c.gone {
		return
	}
	c.SetTitle(c.title())
	var rows []Row
	var failed []string
	var ready []*model.Change
	looking := false
	for _, app := range c.apps {
		row := Row{Name: app.Name, Mark: app.ID, Told: Tell(app.Name, &c.state, app.ID)}
		change, done := c.state.Shown[app.ID], c.state.State(app.ID) == model.RunDone
		row.Told.AddChange(app.Name, change, c.state.Leaving, c.Moves(app.ID))
		if row.Told.Command != "" {
			row.Copy = c.copyButton(row.Told.Command, widget.MediumImportance)
		}
		switch {
		case change == nil:
		case change.Looking:
			looking = true
		case change.Problem == "" && change.Plan.Paste == "":
			ready = append(ready, change)
		}
		if !done {
			failed = append(failed, app.Name)
		}
		if client, ok := engine.ByID(app.ID); ok && !c.state.Leaving && (done || row.Told.Command != "") {
			row.Told.addNext(client)
		}
		rows = append(rows, row)
	}
	var body, boxes []fyne.CanvasObject
	shut := kit.NewButton(lang.L("Close"), widget.HighImportance, c.close)
	foot := []*kit.Button{kit.NewButton(lang.L("Try again"), widget.MediumImportance, c.load), shut}
	switch now := c.state.State(c.state.Now); {
	case now == model.RunQuitting:
		foot = []*kit.Button{c.cancel(lang.L("Stop waiting"))}
	case c.state.Running(), looking:
		foot = []*kit.Button{c.cancel(lang.L("Cancel"))}
	case len(ready) > 0:
		foot = c.offer(ready)
		boxes = c.newBoxes()
	case len(failed) == 0:
		if c.state.Leaving {
			body = append(body, kit.NewMarked(theme.StateConnected,
				lang.L("No AI app is connected now.")))
		}
		foot = []*kit.Button{kit.NewButton(lang.L("Done"), widget.HighImportance, c.close)}
	case len(c.state.Runs) > 0 && c.state.Leaving:
		body = append(body, kit.NewMarked(theme.StateWrong,
			lang.L("Not disconnected: {{.Names}}.", map[string]any{"Names": kit.SayList(failed)})))
	case len(c.apps) == 1 && rows[0].Told.Command != "" && c.state.Shown[c.apps[0].ID].Problem == "":
		foot = foot[1:] // there is nothing to try again
	}
	c.show(append(append(body, boxes...), NewRows(rows)), foot...)
}

// newBoxes returns a checkbox for each app out of which servers were moved: unless people say otherwise, they are put
// back.
func (c *connecting) newBoxes() []fyne.CanvasObject {
	var rows []Row
	for _, app := range c.apps {
		names := setup.Names(c.moved[app.ID])
		if len(names) == 0 || c.state.State(app.ID) == model.RunDone {
			continue
		}
		row := Row{Box: kit.NewCheck("", func(on bool) {
			c.left[app.ID] = !on
			c.draw()
			c.screen.window.Canvas().Focus(c.boxes[app.ID]) // draw has made a new one
		})}
		row.Box.Follow(!c.left[app.ID])
		c.boxes[app.ID] = row.Box
		if len(names) > fewNames { // all of them do not fit into the label
			row.Told.add(theme.StateIdle, kit.SayList(names))
		}
		row.Name = lang.L("Put {{.Names}} back into {{.App}}",
			map[string]any{"Names": live.Names(names), "App": kit.Line(app.Name)})
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	return []fyne.CanvasObject{NewRows(rows)}
}

// fewNames is how many names of servers fit into the label of a checkbox.
const fewNames = 3

// offer returns the buttons of the dialog while the changes in ready can be made.
func (c *connecting) offer(ready []*model.Change) []*kit.Button {
	one := ready[0]
	label := lang.L("Connect")
	switch {
	case len(c.apps) == 1 && !one.Plan.Changed() && !c.Moves(one.Plan.Client.ID):
		// nothing in the file changes, but Workbench's record of the app may
		return []*kit.Button{kit.NewButton(lang.L("Close"), widget.HighImportance, c.begin)}
	case c.state.Leaving:
		label = lang.L("Disconnect")
	}
	return []*kit.Button{c.cancel(lang.L("Cancel")), kit.NewButton(label, widget.HighImportance, c.begin)}
}

// begin makes the changes that are shown.
func (c *connecting) begin() {
	var ids []string
	c.changes = false
	for _, app := range c.apps {
		if change := c.state.Shown[app.ID]; change != nil && change.Problem == "" && change.Plan.Paste == "" {
			ids = append(ids, app.ID)
			c.changes = c.changes || change.Plan.Changed()
		}
	}
	c.runner.Start(c.ctx, ids)
}

// Ended implements [Job]. It closes the dialog if nothing is left to read.
func (c *connecting) Ended() {
	if c.gone || len(c.apps) > 1 || c.state.Failed() {
		return
	}
	switch {
	case c.state.Leaving, !c.changes:
		c.close()
	}
}
