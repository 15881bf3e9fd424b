package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
)

// activityScreen makes the screen of the calls. It keeps those that it has until the first snapshot with calls comes.
func (d *controller) activityScreen() frame.Screen {
	d.activity = activity.New(d.activityActions())
	calls, older := []activity.Call(nil), 0
	return &drawn[activity.View]{
		on: d.activity,
		view: func(now *model.Model) activity.View {
			if now.Watched {
				calls, older = now.Calls, now.OlderCalls
			}
			return activity.View{Calls: calls, Dropped: older, Engines: now.Live.Engines, Version: d.options.Version, Now: now.Time}
		},
		find: d.activity.FocusSearch,
		back: d.activity.Escape,
	}
}

func (d *controller) activityActions() activity.Actions {
	return activity.Actions{
		CloseToolbox: func(engine, toolbox string, done func(error)) {
			d.tasks.After(func() error { return d.engines.CloseToolboxIn(d.tasks.Context(), engine, toolbox) }, done)
		},
		Export: func(format activity.Format, calls []activity.Call) {
			data, err := activity.Encode(format, calls)
			if err != nil {
				d.window.Fail(err)
				return
			}
			d.window.SaveAs("workbench-calls."+string(format), data)
		},
		Copy:       d.window.Copy,
		ShowServer: func(toolbox, server string) { d.showServer(toolboxes.Choice{Toolbox: toolbox, Server: server}) },
	}
}
