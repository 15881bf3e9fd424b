package app

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/app/usage"
)

// activityScreen makes the screen of the calls. Until the first snapshot with calls comes, it shows the calls that it already has.
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

// changedServers returns the servers whose tools have changed and wait for approval.
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
	actions := activity.Actions{
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
		Copy:        c.window.Copy,
		ShowChanges: func(toolbox, server string) { c.fix(model.Choice{Toolbox: toolbox, Server: server}) },
		ShowServer:  func(toolbox, server string) { c.showServer(model.Choice{Toolbox: toolbox, Server: server}) },
	}
	if c.options.Logs != "" {
		actions.ShowLog = func(engine model.Engine) { serverlog.ShowEngine(engine, c.window, c.tasks, c.options.Logs) }
	}
	return actions
}

// usageScreen makes the Usage screen.
func (c *controller) usageScreen() frame.Screen {
	return &frame.Drawn[usage.View]{
		On: usage.New(usage.Actions{
			ShowUnused: func() {
				c.places.Choose(placeToolboxes)
				c.toolboxes.ShowUnused()
			},
			ShowSettings: func() { c.places.Choose(placeSettings) },
		}),
		View:  usage.NewView,
		Deeds: frame.Deeds{OnEnter: c.aggregator.LookAtUsage},
	}
}

// followUsage deletes the recorded calls when the user switches recording off, and says so. The engines read the preferences themselves.
func (c *controller) followUsage(on bool) {
	if on {
		c.aggregator.LookAtUsage()
		return
	}
	c.tasks.After(c.options.Usage.Folder.Forget, func(err error) {
		c.aggregator.LookAtUsage()
		if err != nil {
			c.window.Fail(err)
			return
		}
		c.window.Say(lang.L("What was counted is deleted, and nothing is kept from now on."))
	})
}
