package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/approving"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/consent"
	"github.com/workbench-mcp/workbench-desktop/app/detail"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// controller is the running app. It connects the model and the services with the window and the tray, and carries out what the user
// does. Its methods belong to the goroutine of the window, unless they say otherwise.
type controller struct {
	options Options

	// These have goroutines of their own, and can be used from any.
	tasks      *task.Tasks
	configFile *configfile.File
	saver      *saving.Saver
	engines    *engines.Engines
	aggregator *engines.Aggregator

	window *frame.Window
	model  model.Model
	now    *shown // the snapshot of the model, and the views made from it
	places *frame.Places
	pages
	tray trayPart
	services
	display
}

// pages are the screens with their own types, for actions that only one screen has. A screen is nil until it is shown.
type pages struct {
	toolboxes *toolboxes.Screen
	detail    *detail.Detail
	activity  *activity.Screen
	clients   *clients.Screen
	settings  *settings.Screen
	file      *file.Screen
	welcome   *welcome.Screen
}

// services do the work in the background.
type services struct {
	apps      *clients.Service
	steps     *welcome.Service                 // nil except during the first steps
	greeted   bool                             // it was decided whether to show the first steps
	reached   atomic.Pointer[model.FirstSteps] // how far the user is in them
	adding    *add.Service
	computer  *settings.Service
	runtimes  *runtimes.Service
	signing   *detail.SignIn
	asking    *detail.Asking
	approving *approving.Service
	consent   *consent.Window
	leaving   *kit.Question   // asks before typed text is lost; may be nil
	leave     *task.Departure // set by Run; nil in most tests
}

// display passes snapshots to the window.
type display struct {
	visible   atomic.Bool // the window can be seen
	newest    atomic.Pointer[shown]
	scheduled atomic.Bool
}

// shown is a snapshot and the views made from it.
type shown struct {
	*model.Snapshot
	view toolboxes.View
	told toolboxes.View // view without what is known of this computer
}

// look makes the views of a snapshot. It can be called on any goroutine.
func (c *controller) look(now *model.Snapshot) *shown { return lookAt(c.options.Location.Path, now) }

func lookAt(path string, now *model.Snapshot) *shown {
	view := toolboxes.NewView(toolboxes.Source{
		Path: path, Good: now.Good, Now: now.File.Now, Err: now.File.Problem,
		More: now.Warnings, Unknown: now.Approval.Problem, Live: now.Live, Time: now.Time, Tools: now.Tools, Usage: now.Usage.Report,
	})
	return &shown{now, view, view}
}

// newController makes a controller and its window, which is not shown yet. It has the first snapshot.
func newController(options Options, file *configfile.File, hub *ipc.Hub) *controller {
	c := &controller{
		options: options, configFile: file, tasks: task.New(options.Do),
	}
	c.model.Secrets, c.model.Preferences = map[string]model.Secret{}, options.Preferences
	local := engines.NewLocal(engines.LocalOptions{
		Name: Name, Path: options.Location.Path, Version: options.Version, Lookup: options.Lookup,
		Environ: options.Environ, Start: options.Start, SignIns: options.SignIns, Logger: options.Logger,
		Pins: options.Pins, Logs: c.logs(), Approvals: options.Approvals,
	})
	c.engines = engines.New(c.tasks.Context(), hub, local, func(err error) { c.tasks.Do(func() { c.window.Say(kit.ErrorSentence(err)) }) })
	c.approving = approving.New(approving.Options{
		Approvals: options.Approvals, File: options.Location.Path, Tasks: c.tasks, Logger: options.Logger,
		Changed: func() { c.aggregator.Again() }, Reconsider: local.Manager.Reconsider, Model: &c.model,
	})
	c.aggregator = engines.NewAggregator(engines.AggregatorOptions{
		Path: options.Location.Path, File: file, Hub: hub, Name: Name,
		Deliver: c.deliver, Noted: c.notify(notify.New()), Follow: local.Follow, Waiting: c.approving.Waiting, Visible: c.visible.Load,
	})

	c.places = frame.NewPlaces(c.screens, &c.model, c.moved)
	c.window = frame.New(options.App, c.tasks, Name, Icon(), c.places, frame.Actions{
		OpenFile: c.showFile, ShowProblems: c.showProblems, Retry: func() { c.saver.Retry() }, Discard: func() { c.saver.Discard() },
		Resume: func() { c.pause(false) },
	})
	c.saver = saving.New(saving.Options{
		File: file, Window: c.window, Tasks: c.tasks, Now: func() *model.Snapshot { return c.now.Snapshot },
		Collect: func() func() {
			now := c.look(c.aggregator.Collect())
			return func() { c.apply(now) }
		},
		Edited: func(ops []edit.Op) { c.detail.Editor.Edited(ops) },
	})
	c.approving.Window, c.approving.Edit = c.window, c.saver.Edit
	c.apps = clients.NewService(clients.ServiceOptions{
		Apps: options.Apps, Version: options.Version, Logger: options.Logger, Window: c.window, Tasks: c.tasks, Saver: c.saver,
		Withheld: c.surroundings().Withheld,
		Model:    &c.model, Changed: c.redraw, Hidden: func() bool { return !c.visible.Load() }, Notify: c.tell,
		Shown: func() bool { return c.places.At() == placeClients }, Show: func() { c.places.Choose(placeClients) }, Try: c.tryBrought,
	})
	c.runtimes = runtimes.NewService(runtimes.Options{
		Runtimes: options.Runtimes, Tasks: c.tasks, Model: &c.model, Got: c.gotRuntime, Failed: func(err error) { c.window.Fail(err) },
		Changed: func() {
			c.judge()
			c.updateTray()
			c.redraw()
		},
	})
	c.signing = detail.NewSignIn(detail.SignInOptions{
		SignIns: options.SignIns, Lookup: options.Lookup, Tasks: c.tasks, Engines: c.engines, Window: c.window, Model: &c.model,
		ShowSetup: func(at model.Choice) { c.showTab(at, editor.TabSetup) },
	})
	c.adding = add.NewService(add.ServiceOptions{
		Window: c.window, Tasks: c.tasks, Engines: c.engines, Saver: c.saver, Model: &c.model,
		Begin: func() {
			c.detail.Editor.Commit()
			c.places.Choose(placeToolboxes)
		},
		Select: func(at model.Choice) { c.toolboxes.Select(at) },
		ShowSetup: func(at model.Choice, field string) {
			c.showTab(at, editor.TabSetup)
			c.detail.Editor.FocusField(field)
		},
		ShowLog: func(at model.Choice) { c.showTab(at, editor.TabLog) },
		SignIn:  c.signing.Added(), LookPath: c.lookPath, Here: c.shareable(), Get: c.runtimes.Control,
	})
	c.computer = settings.NewService(settings.ServiceOptions{
		Get: c.runtimes.Control, RemoveRuntime: c.runtimes.Remove,
		Location: options.Location, History: options.HistoryDir, Endpoint: options.Link, Version: options.Version, Lookup: options.Lookup,
		Apps: options.Apps, Tasks: c.tasks, Window: c.window, Saver: c.saver, Model: &c.model, Changed: c.examined,
		SetFree: c.approving.SetFree, Prefer: c.prefer, SetLanguage: c.setLanguage, Login: options.Login, Links: options.Links, FirstSteps: c.firstStepsAction(),
	})
	c.window.Build()
	c.asking = detail.NewAsking(detail.AskingOptions{Tasks: c.tasks, Window: c.window, Model: &c.model, Trying: func() bool {
		return c.places.At() == placeToolboxes && c.detail.Shown() && c.detail.Tab == editor.TabTools
	}})
	local.Questions.Show = c.asking.Ask
	c.consent = consent.NewWindow(consent.Options{App: options.App, Tasks: c.tasks, Icon: Icon(), Settle: consent.Settling, Seen: func(seen bool) {
		if seen {
			c.tasks.Rouse()
		} else if !c.visible.Load() {
			c.tasks.Rest()
		}
	}})
	c.detail = detail.New(detail.Options{
		Tasks: c.tasks, Engines: c.engines, File: file, Saver: c.saver, Window: c.window, Model: &c.model, Env: options.Lookup.Env,
		ShowServer: c.showServer, Start: c.start, Restart: c.restart, Stop: c.stopServer, Fix: c.fix,
		SignIn: c.signing, Pins: options.Pins, OpenFile: c.showFile, LookPath: c.lookPath, Unapplied: options.Unapplied,
		Kept: engines.Kept(options.Logs, options.Location.Path),
	})
	c.shortcuts()
	c.window.Window.SetOnDropped(c.dropped)
	c.visible.Store(true)
	c.take(c.look(c.aggregator.Collect()))
	c.places.Choose(placeToolboxes)
	c.draw()
	return c
}

// run runs the parts until ctx ends, and returns when they have ended.
func (c *controller) run(ctx context.Context) {
	var wg sync.WaitGroup
	parts := []func(context.Context) error{
		c.configFile.Run,
		c.saver.Run,
		c.aggregator.Run,
		c.approving.Run,
		c.detail.Feed.Run,
		func(ctx context.Context) error { return c.engines.Local.Run(ctx, c.engines.Hub) },
		func(ctx context.Context) error {
			return c.aggregator.RunFacts(ctx, c.surroundings())
		},
		func(ctx context.Context) error { return c.aggregator.RunUsage(ctx, c.options.Usage) },
	}
	for _, part := range append(parts, c.apps.Watch(c.engines.Hub, c.aggregator.Remember)...) {
		wg.Go(func() { _ = part(ctx) }) // each ends with the context, so its error says nothing new
	}
	// The hub ends last: the others use it to talk, and the app's own engine to end its servers.
	hubCtx, stopHub := context.WithCancel(context.WithoutCancel(ctx))
	var hub sync.WaitGroup
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

// deliver passes a snapshot to the window, which draws only the newest. It can be called on any goroutine.
func (c *controller) deliver(now *model.Snapshot) {
	c.newest.Store(c.look(now))
	if c.scheduled.CompareAndSwap(false, true) {
		c.tasks.Do(func() {
			c.scheduled.Store(false)
			c.apply(c.newest.Load())
		})
	}
}

// apply shows a snapshot, unless a newer one is shown.
func (c *controller) apply(now *shown) {
	if c.now != nil && now.Number <= c.now.Number {
		return
	}
	c.take(now)
	c.updateTray()
	if c.visible.Load() {
		c.follow()
		c.draw()
	}
}

// follow does everything except drawing that a new snapshot needs while the window is visible.
func (c *controller) follow() {
	c.endBrokenSteps()
	c.detail.Follow(c.now.Snapshot)
}

// take puts a snapshot into the model and shows it.
func (c *controller) take(now *shown) {
	c.now, c.model.Snapshot = now, now.Snapshot
	c.judge()
}

// judge adds what is known of this computer: the programs that the user can get, and the problems that the doctor has found.
func (c *controller) judge() {
	c.now.view = c.now.told.With(c.model.Runtimes).WithComputer(c.model.Doctor.Checks)
}

// examined shows what the doctor has found.
func (c *controller) examined() {
	c.judge()
	c.updateTray()
	if c.visible.Load() {
		c.draw()
	}
}

// draw shows the model in the window. It does nothing else.
func (c *controller) draw() {
	now := c.now
	c.window.Status.Apply(now.Snapshot, now.view.Path, now.view.Count(), now.view.Worst())
	c.window.SayUnsaved(saving.Unsaved(now.Snapshot))
	c.window.SayPaused(now.Live.Paused, now.Live.Unreached())
	c.places.Draw(placeToolboxes) // even while it is hidden, so that its selection follows the file
}

// redraw draws the visible screen after a change of the model outside the snapshot.
func (c *controller) redraw() {
	if c.visible.Load() {
		c.places.Draw()
	}
}

// showServer shows a server, or a toolbox when the server's name is empty.
func (c *controller) showServer(at model.Choice) {
	c.detail.Editor.Commit()
	c.places.Choose(placeToolboxes)
	c.toolboxes.Select(at)
}

// showTab shows one tab of a server.
func (c *controller) showTab(at model.Choice, tab editor.Tab) {
	c.showServer(at)
	c.detail.Open(tab)
}

// open brings the window to the front.
func (c *controller) open() {
	if !c.visible.Swap(true) {
		c.tasks.Rouse()
		c.detail.SayUnapplied()
		c.follow()
		c.draw()
	}
	c.greet()
	c.window.Window.Show()
	c.window.Window.RequestFocus()
}

// closeWindow is called by the close button. The app stays in the tray if there is one at this moment; a tray that has vanished since
// the start would leave the user no way back to the window.
func (c *controller) closeWindow() {
	c.settle()
	c.rememberSize()
	if c.tray.host != nil && c.tray.host.Present() {
		c.window.Window.Hide()
		c.hidden()
		return
	}
	c.quit()
}

// askCall asks the user whether a call may be made. It can be called on any goroutine.
func (c *controller) askCall(q *ipc.Asked) { c.consent.Ask(consent.Call(q)) }

// hidden is called when the window is hidden.
func (c *controller) hidden() {
	c.visible.Store(false)
	if !c.consent.Open() {
		c.tasks.Rest()
	}
}

// notify returns a function that shows the notifications for a snapshot. It returns when to call it again, and is called on the goroutine of the
// aggregator.
func (c *controller) notify(notifier *notify.Notifier) func(now *model.Snapshot) time.Time {
	return func(now *model.Snapshot) time.Time {
		notice, again := notifier.Next(now)
		if notice != nil {
			c.tell(*notice)
		}
		return again
	}
}

// tell shows a notification of the system, unless the user has switched them off. It can be called on any goroutine.
func (c *controller) tell(notice notify.Notice) {
	if c.options.Notify != nil && c.preferences().Notifications {
		c.tasks.Background(func() {
			c.options.Notify(notice, func(answer notify.Answer) { c.tasks.Do(func() { c.answerNotice(notice, answer) }) })
		})
	}
}

// answerNotice handles the answer of the user to a notification.
func (c *controller) answerNotice(notice notify.Notice, answer notify.Answer) {
	if answer == notify.Approve {
		c.approving.Approve(notice.Waiting, c.open)
		return
	}
	c.open()
	switch notice.About {
	case notify.Approval:
		c.approving.Show()
	case notify.Server:
		c.fix(notice.At)
	case notify.Apps:
		c.places.Choose(placeClients)
	}
}
