package app

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/approving"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/consent"
	"github.com/workbench-mcp/workbench-desktop/app/detail"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/macos"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// newController makes a controller and its window, and draws the first snapshot. The window is not shown yet.
func newController(options Options, file *configfile.File, hub *ipc.Hub) *controller {
	c := &controller{
		options: options, configFile: file, tasks: task.NewWithEvents(options.Do, options.Events),
	}
	c.mac = macos.New(options.Mac)
	c.model.Secrets, c.model.Preferences = map[string]model.Secret{}, options.Preferences
	local := engines.NewLocal(engines.LocalOptions{
		Name: Name, Path: options.Location.Path, Version: options.Version, Lookup: options.Lookup,
		Environ: options.Environ, Start: options.Start, SignIns: options.SignIns, Logger: options.Logger,
		Pins: options.Pins, Logs: c.options.logs(), Approvals: options.Approvals,
	})
	c.engines = engines.New(c.tasks.Context(), hub, local, func(err error) {
		c.tasks.Do(func() { c.window.Say(kit.ErrorSentence(err)) })
	})
	c.approving = approving.New(approving.Options{
		Approvals: options.Approvals, File: options.Location.Path, Tasks: c.tasks, Logger: options.Logger,
		Program: ofApproving{c}, Model: &c.model,
	})
	c.aggregator = engines.NewAggregator(engines.AggregatorOptions{
		Path: options.Location.Path, File: file, Hub: hub, Name: Name,
		Program: ofEngines{c, notify.New()}, Pins: options.Pins,
	})

	c.places = frame.NewPlaces(ofFrame{c}, &c.model)
	c.window = frame.New(options.App, c.tasks, Name, Icon(), c.places, ofFrame{c})
	c.saver = saving.New(saving.Options{
		File: file, Window: c.window, Tasks: c.tasks, Program: ofSaving{c},
	})
	c.approving.Window = c.window
	c.apps = clients.NewService(clients.ServiceOptions{
		Apps: options.Apps, HTTP: options.HTTP, Version: options.Version, Logger: options.Logger, Window: c.window,
		Tasks: c.tasks,
		Saver: c.saver, Here: c.options.surroundings(), Model: &c.model, Program: ofClients{c},
	})
	c.runtimes = runtimes.NewService(runtimes.Options{
		Runtimes: options.Runtimes, Tasks: c.tasks, Model: &c.model, Program: ofRuntimes{c},
	})
	c.signing = detail.NewSignIn(detail.SignInOptions{
		SignIns: options.SignIns, Lookup: options.Lookup, Tasks: c.tasks, Engines: c.engines, Window: c.window,
		Model: &c.model, Program: ofDetail{c},
	})
	c.adding = add.NewService(add.ServiceOptions{
		Window: c.window, Tasks: c.tasks, Engines: c.engines, Saver: c.saver, Model: &c.model,
		Web: options.Web, App: ofAdding{c},
	})
	c.computer = settings.NewService(settings.ServiceOptions{
		Location: options.Location, History: options.HistoryDir, Endpoint: options.Link, Version: options.Version,
		Lookup: options.Lookup,
		Apps:   options.Apps, Tasks: c.tasks, Window: c.window, Model: &c.model, Changed: c.examined,
		Login: options.Login, Links: options.Links, Updates: options.Updates,
	})
	c.window.Build()
	c.asking = detail.NewAsking(detail.AskingOptions{Tasks: c.tasks, Window: c.window, Model: &c.model,
		Program: ofDetail{c}})
	local.Questions.Asker = c.asking
	c.consent = consent.NewWindow(
		consent.Options{App: options.App, Tasks: c.tasks, Icon: Icon(), Settle: consent.Settling,
			Program: ofConsent{c}})
	c.detail = detail.New(detail.Options{
		Tasks: c.tasks, Engines: c.engines, File: file, Saver: c.saver, Window: c.window, Model: &c.model,
		Program: ofDetail{c}, SignIn: c.signing, Pins: options.Pins, Unapplied: options.Unapplied,
		Logs: engines.KeptLogs{Folder: options.Logs, Config: options.Location.Path},
	})
	c.shortcuts()
	c.tasks.Background(func() { c.tasks.Do(c.menus) }) // macOS has its menu bar when the app runs
	c.window.Window.SetOnDropped(c.dropped)
	c.visible.Store(true)
	c.take(c.viewsOf(c.aggregator.Collect()))
	c.places.Choose(placeToolboxes)
	c.draw()
	c.selectAgain()
	return c
}

// run runs the parts until ctx ends, and returns when they have ended.
func (c *controller) run(ctx context.Context) {
	var wg background.Group
	parts := []func(context.Context) error{
		c.configFile.Run,
		c.saver.Run,
		c.aggregator.Run,
		c.approving.Run,
		c.detail.Feed.Run,
		func(ctx context.Context) error { return c.engines.Local.Run(ctx, c.engines.Hub) },
		func(ctx context.Context) error {
			return c.aggregator.RunFacts(ctx, c.options.surroundings())
		},
		func(ctx context.Context) error { return c.aggregator.RunUsage(ctx, c.options.Usage) },
		c.aggregator.RunMemory,
	}
	for _, part := range append(parts, c.apps.Watch(c.engines.Hub, c.aggregator.Remember)...) {
		wg.Go(func() { _ = part(ctx) }) // a part ends with the context, so its error says nothing new
	}
	// The hub ends last, because the other parts use it until they end.
	hubCtx, stopHub := context.WithCancel(context.WithoutCancel(ctx))
	var hub background.Group
	hub.Go(func() {
		if err := c.engines.Hub.Run(hubCtx); hubCtx.Err() == nil {
			c.options.Logger.Error("Engines can no longer be seen", "error", err)
		}
	})
	wg.Wait()
	c.tasks.Cancel()
	c.engines.Wait()
	c.detail.Close()
	c.tasks.Await()
	stopHub()
	hub.Wait()
}
