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
			return activity.View{Calls: calls, Dropped: older, Changed: changedServers(now), Engines: now.Live.Engines, Version: c.options.Version, Now: now.Time}
		},
		Deeds: frame.Deeds{OnFind: c.activity.FocusSearch, OnBack: c.activity.Escape},
	}
}

// changedServers are the servers whose tools have changed and wait for the user's approval.
func changedServers(now *model.Model) []model.Server {
	var changed []model.Server
	for server := range now.Live.Servers() {
		if server.Waiting > 0 {
			changed = append(changed, server)
		}
	}
	return changed
}

func (c *controller) activityActions() activity.Actions {
	return activity.Actions{
		CloseToolbox: func(engine, toolbox string, done func(error)) {
			c.tasks.After(func() error { return c.engines.CloseToolboxIn(c.tasks.Context(), engine, toolbox) }, done)
		},
		ShowLog: c.engineLogAction(),
		Export: func(format activity.Format, calls []model.Call) {
			data, err := activity.Encode(format, calls)
			if err != nil {
				c.window.Fail(err)
				return
			}
			c.window.SaveAs("workbench-calls."+string(format), data)
		},
		Copy:        c.window.Copy,
		ShowChanges: func(toolbox, server string) { c.fix(model.Choice{Toolbox: toolbox, Server: server}) },
		ShowServer:  func(toolbox, server string) { c.showServer(model.Choice{Toolbox: toolbox, Server: server}) },
	}
}
