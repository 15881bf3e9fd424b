package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
)

func (d *controller) activityView() activity.View {
	return activity.View{Calls: d.now.Calls, Dropped: d.now.OlderCalls, Engines: d.now.Live.Engines, Version: d.options.Version, Now: d.now.Time}
}

func (d *controller) activityActions() activity.Actions {
	return activity.Actions{
		CloseToolbox: func(engine, toolbox string, done func(error)) {
			d.tasks.After(func() error { return d.engines.CloseToolboxIn(d.tasks.Context(), engine, toolbox) }, done)
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
