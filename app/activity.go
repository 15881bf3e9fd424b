package app

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/app/usage"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
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

// Sizes of the dialog, in pixels.
const (
	engineLogWidth  = 860
	engineLogHeight = 390
)

// engineLogAction returns a function that shows the log of an engine, or nil if no logs are kept.
func (c *controller) engineLogAction() func(model.Engine) {
	if c.options.Logs == "" {
		return nil
	}
	return c.showEngineLog
}

// showEngineLog shows the log of an engine and adds new lines while it is open.
func (c *controller) showEngineLog(engine model.Engine) {
	log := serverlog.New(serverlog.Actions{Copy: c.window.Copy, Save: c.window.SaveAs})
	log.Apply(serverlog.View{Server: engine.Client, Empty: lang.L("Nothing yet. What the engine says appears here.")})
	title := lang.L("Log of the engine of {{.Client}}", map[string]any{"Client": kit.Line(engine.Client)})
	shown := kit.NewWideQuestion(title, engineLogWidth, container.NewStack(kit.NewGap(0, engineLogHeight), log.Object()), c.window.Window)
	looking, stop := context.WithCancel(c.tasks.Context())
	shown.SetOnClosed(stop)
	closes := kit.NewButton(lang.L("Close"), widget.HighImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{closes})
	c.window.ShowDialog(shown)
	c.window.Window.Canvas().Focus(closes)
	c.tasks.Background(func() {
		begun := false
		c.options.Logs.Follow(looking, logs.Selection{Engine: engine.Pid}, func(lines []logs.Line) {
			said := saidBy(engine, lines)
			if !begun {
				said, begun = engines.WithDays(said, time.Now()), true
			}
			c.tasks.Do(func() { log.Append(said...) })
		})
	})
}

// saidBy returns the lines of an engine, without those of an older engine with the same process id.
func saidBy(engine model.Engine, lines []logs.Line) []status.LogLine {
	var said []status.LogLine
	for _, line := range lines {
		if !line.Time.Before(engine.Started.Add(-time.Minute)) { // an engine may log before its recorded start
			said = append(said, line.LogLine)
		}
	}
	return said
}

// usageScreen makes the Usage screen.
func (c *controller) usageScreen() frame.Screen {
	return &frame.Drawn[usage.View]{
		On: usage.New(usage.Actions{
			ShowUnused: func() {
				c.choose(placeToolboxes)
				c.toolboxes.ShowUnused()
			},
			ShowSettings: func() { c.choose(placeSettings) },
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
