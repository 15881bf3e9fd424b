package app

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
)

// foundApps is what is known of the apps.
type foundApps struct {
	known    bool
	looking  bool
	again    bool // they are to be looked for once more
	statuses []engine.Status
	sources  []string
	problem  string
	note     string // that is to be known although all works
}

// findApps looks for the apps, and shows what there is.
func (d *controller) findApps() {
	apps := d.options.Apps
	if apps == nil {
		return
	}
	if d.apps.looking {
		d.apps.again = true
		return
	}
	d.apps.looking = true
	d.tasks.Background(func() {
		found := foundApps{known: true}
		launch, err := apps.Launch()
		if err != nil {
			found.problem = lang.L("AI apps cannot be connected now: {{.Why}}", map[string]any{"Why": kit.ErrorSentence(err)})
		}
		if found.statuses, err = apps.Registrar.Status(launch); err != nil {
			found.problem = kit.ErrorSentence(err)
		}
		if _, err := apps.Registrar.Proofs(); err != nil {
			found.note = kit.ErrorSentence(err)
		}
		found.sources = imports.Present(apps.System)
		d.tasks.Do(func() {
			again := d.apps.again
			d.apps = found
			if d.clients != nil {
				d.clients.Apply(d.clientsView())
			}
			d.showWelcome()
			if again {
				d.findApps()
			}
		})
	})
}

func (d *controller) clientsView() clients.View {
	if d.options.Apps == nil {
		return clients.View{Known: true, Problem: lang.L("This program cannot connect AI apps.")}
	}
	facts := clients.Facts{
		Known: d.apps.known, Statuses: d.apps.statuses, Sources: d.apps.sources, Problem: d.apps.problem, Note: d.apps.note,
		Home: d.options.Apps.System.Home, Now: d.now.Time, Uses: map[string]clients.Use{},
	}
	for _, client := range d.now.Clients {
		facts.Uses[client.Name] = clients.Use{Here: client.Here, Last: client.Last}
	}
	return clients.NewView(facts)
}

func (d *controller) clientsActions() clients.Actions {
	return clients.Actions{
		Plan: d.planApp, Carry: d.carryPlan, LeaveOut: d.leaveOut, Import: d.lookInto,
		PickFile: d.pickFile, Bundle: d.bundling(),
		Toolboxes: func() []string { return d.now.ToolboxNames() }, Copy: d.copy, Say: d.say, Look: d.findApps,
	}
}

// importAction goes to the apps; nil where there are none.
func (d *controller) importAction() func() {
	if d.options.Apps == nil {
		return nil
	}
	return func() { d.choose(placeClients) }
}

// planApp finds out what connecting an app would do, or disconnecting it.
func (d *controller) planApp(id string, connect bool, done func(clients.Proposal, error)) {
	apps := d.options.Apps
	d.tasks.Background(func() {
		plan, err := apps.Plan(id, connect)
		found := clients.Proposal{Plan: plan, Backups: apps.Registrar.Folder()}
		if err == nil {
			found.Running = apps.Registrar.CheckRunning(plan.Client) != nil
		}
		d.tasks.Do(func() { done(found, err) })
	})
}

// waiting says whether an app is waited for that must be quit first. The screen says so itself.
func waiting(wait bool) setup.Waiting {
	if !wait {
		return nil
	}
	return setup.Quietly
}

// carryPlan does what was planned, and shows what came of it.
func (d *controller) carryPlan(ctx context.Context, plan engine.Plan, wait bool, done func(error)) {
	ctx, stop := context.WithCancel(ctx)
	forget := context.AfterFunc(d.tasks.Context(), stop)
	d.tasks.Background(func() {
		defer forget()
		defer stop()
		err := d.options.Apps.Carry(ctx, plan, waiting(wait))
		d.tasks.Do(func() {
			if !errors.Is(err, context.Canceled) { // the user has given it up
				done(err)
			}
			d.findApps()
		})
	})
}
