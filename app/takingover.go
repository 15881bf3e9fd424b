package app

import (
	"context"
	"errors"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
)

// takeOver connects an app of which servers were brought in, and takes those out of its file.
func (d *controller) takeOver(ctx context.Context, plan engine.Plan, brought imports.Plan, wait bool, done func(clients.Moved, error)) {
	ctx, stop := context.WithCancel(ctx)
	forget := context.AfterFunc(d.tasks.Context(), stop)
	d.tasks.Background(func() {
		defer forget()
		defer stop()
		moved, err := d.options.Apps.TakeOver(ctx, plan.Client.ID, brought, waiting(wait))
		d.tasks.Do(func() {
			if !errors.Is(err, context.Canceled) { // the user has given it up
				done(clients.Moved{Moved: moved}, err)
			}
			d.findApps()
		})
	})
}

// removal finds the commands that take those out of an app whose file is not ours to write.
func (d *controller) removal(id string, brought imports.Plan, done func(commands []string)) {
	apps := d.options.Apps
	d.tasks.Background(func() {
		commands := apps.Removal(id, brought)
		d.tasks.Do(func() { done(commands) })
	})
}
