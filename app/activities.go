package app

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

func (d *controller) activityView() activity.View {
	return activity.View{Calls: d.now.calls, Dropped: d.now.olderCalls, Engines: d.now.live.Engines, Version: d.options.Version, Now: d.now.time}
}

func (d *controller) activityActions() activity.Actions {
	return activity.Actions{
		CloseToolbox: func(engine, toolbox string, done func(error)) {
			id, ok := engineID(engine)
			if !ok {
				done(ipc.ErrGone)
				return
			}
			d.background(func() {
				ctx, cancel := context.WithTimeout(d.commands.ctx, commandPatience)
				defer cancel()
				err := d.hub.CloseToolbox(ctx, id, toolbox)
				d.do(func() { done(err) })
			})
		},
		Export: func(format activity.Format, calls []activity.Call) {
			data, err := activity.Encode(format, calls)
			if err != nil {
				d.fail(err)
				return
			}
			d.saveAs("workbench-calls."+string(format), data)
		},
		Copy:       d.copy,
		ShowServer: func(toolbox, server string) { d.showServer(toolboxes.Choice{Toolbox: toolbox, Server: server}) },
	}
}
