package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// activityScreen makes the screen of the calls. It keeps those that it has until the first snapshot with calls comes.
func (c *controller) activityScreen() frame.Screen {
	c.activity = activity.New(c.activityActions())
	calls, older := []model.Call(nil), 0
	return &frame.Drawn[activity.View]{
		On: c.activity,
		View: func(now *model.Model) activity.View {
			if now.Watched {
				calls, older = now.Calls, now.OlderCalls
			}
			return activity.View{Calls: calls, Dropped: older, Engines: now.Live.Engines, Version: c.options.Version, Now: now.Time}
		},
		Deeds: frame.Deeds{OnFind: c.activity.FocusSearch, OnBack: c.activity.Escape},
	}
}

func (c *controller) activityActions() activity.Actions {
	return activity.Actions{
		CloseToolbox: func(engine, toolbox string, done func(error)) {
			c.tasks.After(func() error { return c.engines.CloseToolboxIn(c.tasks.Context(), engine, toolbox) }, done)
		},
		Export: func(format activity.Format, calls []model.Call) {
			data, err := activity.Encode(format, calls)
			if err != nil {
				c.window.Fail(err)
				return
			}
			c.window.SaveAs("workbench-calls."+string(format), data)
		},
		Copy:       c.window.Copy,
		ShowServer: func(toolbox, server string) { c.showServer(model.Choice{Toolbox: toolbox, Server: server}) },
	}
}
