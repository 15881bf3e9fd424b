package app

import (
	"context"
	"errors"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
)

// takeOver connects an app of which servers were brought in, and takes those out of its file: it gets them from us now. They go first, so that
// disconnecting and putting them back make the file what it was; when connecting fails they are put back at once.
func (d *desk) takeOver(ctx context.Context, plan engine.Plan, brought imports.Plan, wait bool, done func(clients.Moved, error)) {
	apps := d.options.Apps
	ctx, stop := context.WithCancel(ctx)
	context.AfterFunc(d.commands.ctx, stop)
	ended := func(moved clients.Moved, err error) {
		stop()
		if !errors.Is(err, context.Canceled) { // the user has given it up
			done(moved, err)
		}
		d.findApps()
	}
	d.background(func() {
		var moved clients.Moved
		err := apps.quit(ctx, plan.Client, wait)
		if err = errors.Join(err, ctx.Err()); err == nil {
			// Only now: what was brought in may have been undone while the app was waited for.
			moved, err = apps.takeOver(ctx, plan, brought, d.existing(), wait)
		}
		d.do(func() { ended(moved, err) })
	})
}

// existing is the configuration as the file has it now, which may be newer than what the window shows; nil when it has an error.
func (d *desk) existing() *config.Config {
	document, err := config.Read(d.options.Location)
	if err != nil || !document.Valid() {
		return nil
	}
	return document.Config
}

// quit makes sure that an app does not run that would undo the change; with wait it is waited for.
func (a *Apps) quit(ctx context.Context, client engine.Client, wait bool) error {
	err := a.Registrar.CheckRunning(client)
	var running *engine.RunningError
	if wait && errors.As(err, &running) {
		return a.Registrar.WaitUntilQuit(ctx, client)
	}
	return err
}

// takeOver does that, for an app that has ended. The plan is made anew after its servers have gone.
func (a *Apps) takeOver(ctx context.Context, plan engine.Plan, brought imports.Plan, existing *config.Config, wait bool) (clients.Moved, error) {
	moved, moves := a.takeOut(a.twice(plan.Client.ID, brought, existing))
	plan, err := a.plan(plan.Client.ID, true)
	if err == nil {
		err = a.carry(ctx, plan, wait)
	}
	if err != nil && len(moves) > 0 {
		return clients.Moved{}, errors.Join(err, a.giveBack(moves))
	}
	return moved, err
}

// twice is what of a plan that was carried out an app has itself, although it is in a toolbox now too.
func (a *Apps) twice(id string, brought imports.Plan, existing *config.Config) imports.Plan {
	return brought.Of(id, imports.Make(imports.Options{System: a.System, Clients: []string{id}, Existing: existing}))
}

// removal finds the commands that take those out of an app whose file is not ours to write.
func (d *desk) removal(id string, brought imports.Plan, done func(commands []string)) {
	apps := d.options.Apps
	d.background(func() {
		plan := apps.twice(id, brought, d.existing())
		commands := plan.Leave(apps.System).Commands
		d.do(func() { done(commands) })
	})
}
