package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/detail"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// controller is the running app: it has the parts that know something, the window and the tray that show it, and does what the user
// wants. What is drawn belongs to the goroutine of the window, as do all methods, except where they say otherwise.
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
	now    *shown // the snapshot of the model, and what is made of it
	at     place
	made   map[place]frame.Screen // the screens that were shown already
	pages
	tray trayPart
	services
	display
}

// pages are the screens as what they are, for what only one of them does. Those that were not shown yet are nil.
type pages struct {
	toolboxes *toolboxes.Screen
	detail    *detail.Detail
	activity  *activity.Screen
	clients   *clients.Screen
	settings  *settings.Screen
	file      *file.Screen
	welcome   *welcome.Screen // nil but while the first steps are under way
}

// services are what is under way beside the screens.
type services struct {
	apps     *clients.Service
	greeted  bool                             // it was found out whether the first steps are wanted
	reached  atomic.Pointer[model.FirstSteps] // how far the user is in them
	adding   *add.Service
	computer *settings.Service
	signing  *detail.SignIn
	asking   *detail.Asking
	leaving  *kit.Question // that asks before what is typed is lost, or nil
	leave    *departure    // nil without a Fyne that could fail to end
}

// display is the way of snapshots to the window.
type display struct {
	visible   atomic.Bool // the window can be seen
	newest    atomic.Pointer[shown]
	scheduled atomic.Bool
}

// shown is a snapshot with what the screens make of it.
type shown struct {
	*model.Snapshot
	view toolboxes.View
}

// look makes what is shown of a snapshot. It can be called on any goroutine.
func (d *controller) look(now *model.Snapshot) *shown { return lookAt(d.options.Location.Path, now) }

func lookAt(path string, now *model.Snapshot) *shown {
	return &shown{now, toolboxes.Look(toolboxes.Source{
		Path: path, Good: now.Good, Now: now.File.Now, Err: now.File.Problem,
		More: now.Warnings, Live: now.Live, Time: now.Time, Tools: now.Tools,
	})}
}

// newController makes a controller with its window, which it does not show. The first snapshot is in it.
func newController(options Options, file *configfile.File, hub *ipc.Hub) *controller {
	d := &controller{
		options: options, configFile: file, tasks: task.New(options.Do),
	}
	d.model.Secrets, d.model.Preferences = map[string]model.Secret{}, options.Preferences
	local := engines.NewLocal(engines.LocalOptions{
		Name: Name, Path: options.Location.Path, Version: options.Version, Lookup: options.Lookup,
		Environ: options.Environ, SignIns: options.SignIns, Logger: options.Logger,
	})
	d.engines = engines.New(d.tasks.Context(), hub, local, func(err error) { d.tasks.Do(func() { d.window.Say(kit.ErrorSentence(err)) }) })
	d.aggregator = engines.NewAggregator(engines.AggregatorOptions{
		Path: options.Location.Path, File: file, Hub: hub, Name: Name,
		Deliver: d.deliver, Noted: d.notify(notify.New()), Follow: local.Follow, Visible: d.visible.Load,
	})

	d.made = map[place]frame.Screen{}
	d.window = frame.New(options.App, d.tasks, Name, Icon(), frame.Actions{
		Choose: func(entry int) {
			_, places := d.bar()
			d.choose(places[entry])
		},
		OpenFile: d.showFile, ShowProblems: d.showProblems, Retry: func() { d.saver.Retry() }, Discard: func() { d.saver.Discard() },
		Resume: func() { d.pause(false) },
	})
	d.saver = saving.New(saving.Options{
		File: file, Window: d.window, Tasks: d.tasks, Now: func() *model.Snapshot { return d.now.Snapshot },
		Collect: func() func() {
			now := d.look(d.aggregator.Collect())
			return func() { d.apply(now) }
		},
		Edited: func(ops []edit.Op) { d.detail.Editor.Edited(ops) },
	})
	d.apps = clients.NewService(clients.ServiceOptions{
		Apps: options.Apps, Version: options.Version, Logger: options.Logger, Window: d.window, Tasks: d.tasks, Saver: d.saver,
		Model: &d.model, Changed: d.redraw, Hidden: func() bool { return !d.visible.Load() }, Notify: d.tell,
		Shown: func() bool { return d.at == placeClients }, Show: func() { d.choose(placeClients) },
	})
	d.signing = detail.NewSignIn(detail.SignInOptions{
		SignIns: options.SignIns, Lookup: options.Lookup, Tasks: d.tasks, Engines: d.engines, Window: d.window, Model: &d.model,
		ShowSetup: func(at model.Choice) { d.showTab(at, editor.TabSetup) },
	})
	d.adding = add.NewService(add.ServiceOptions{
		Window: d.window, Tasks: d.tasks, Engines: d.engines, Saver: d.saver, Model: &d.model,
		Begin: func() {
			d.detail.Editor.Commit()
			d.choose(placeToolboxes)
		},
		Select:    func(at model.Choice) { d.toolboxes.Select(at) },
		ShowSetup: func(at model.Choice) { d.showTab(at, editor.TabSetup) },
		ShowLog:   func(at model.Choice) { d.showTab(at, editor.TabLog) },
		SignIn:    d.signing.Added(), LookPath: d.lookPath,
	})
	d.computer = settings.NewService(settings.ServiceOptions{
		Location: options.Location, History: options.HistoryDir, Endpoint: options.Link, Version: options.Version, Lookup: options.Lookup,
		Apps: options.Apps, Tasks: d.tasks, Window: d.window, Saver: d.saver, Model: &d.model, Changed: d.redraw,
		Prefer: d.prefer, SetLanguage: d.setLanguage, SetLogin: d.setLogin, FirstSteps: d.firstStepsAction(),
	})
	bar, _ := d.bar()
	d.window.Build(bar)
	d.asking = detail.NewAsking(detail.AskingOptions{Tasks: d.tasks, Window: d.window, Trying: func() bool {
		return d.at == placeToolboxes && d.detail.Shown() && d.detail.Tab == editor.TabTools
	}})
	local.Questions.Show = d.asking.Ask
	d.detail = detail.New(detail.Options{
		Tasks: d.tasks, Engines: d.engines, File: file, Saver: d.saver, Window: d.window, Model: &d.model, Env: options.Lookup.Env,
		ShowServer: d.showServer, Start: d.start, Restart: d.restart, Stop: d.stopServer, Fix: d.fix,
		SignIn: d.signing, OpenFile: d.showFile, LookPath: d.lookPath,
	})
	d.shortcuts()
	d.window.Window.SetOnDropped(func(at fyne.Position, uris []fyne.URI) { d.current().Drop(at, uris) })
	d.visible.Store(true)
	d.take(d.look(d.aggregator.Collect()))
	d.choose(placeToolboxes)
	d.draw()
	return d
}

// run has the parts work until the context ends, and returns when they have ended.
func (d *controller) run(ctx context.Context) {
	var wg sync.WaitGroup
	parts := []func(context.Context) error{
		d.configFile.Run,
		d.saver.Run,
		d.aggregator.Run,
		d.detail.Feed.Run,
		func(ctx context.Context) error { return d.engines.Local.Run(ctx, d.engines.Hub) },
		func(ctx context.Context) error {
			return d.aggregator.RunFacts(ctx, d.surroundings())
		},
	}
	for _, part := range append(parts, d.apps.Watch(d.engines.Hub, d.aggregator.Remember)...) {
		wg.Go(func() { _ = part(ctx) }) // each ends with the context, and says just that
	}
	// The hub is the last: the others talk through it, and the own engine ends its servers.
	hubCtx, stopHub := context.WithCancel(context.WithoutCancel(ctx))
	var hub sync.WaitGroup
	hub.Go(func() {
		if err := d.engines.Hub.Run(hubCtx); hubCtx.Err() == nil {
			d.options.Logger.Error("Engines can no longer be seen", "error", err)
		}
	})
	wg.Wait()
	d.tasks.Cancel()
	d.engines.Wait()
	d.detail.Close()
	d.tasks.Await()
	stopHub()
	hub.Wait()
}

// deliver brings a snapshot to the window, where only the newest is drawn. It can be called on any goroutine.
func (d *controller) deliver(now *model.Snapshot) {
	d.newest.Store(d.look(now))
	if d.scheduled.CompareAndSwap(false, true) {
		d.tasks.Do(func() {
			d.scheduled.Store(false)
			d.apply(d.newest.Load())
		})
	}
}

// apply shows a snapshot, unless a later one is shown already.
func (d *controller) apply(now *shown) {
	if d.now != nil && now.Number <= d.now.Number {
		return
	}
	d.take(now)
	d.updateTray()
	if d.visible.Load() {
		d.endBrokenSteps()
		d.draw()
	}
}

// take makes a snapshot that of the model.
func (d *controller) take(now *shown) { d.now, d.model.Snapshot = now, now.Snapshot }

// draw shows the model in the window. It does nothing else.
func (d *controller) draw() {
	now := d.now
	d.window.Status.Apply(now.Snapshot, now.view.Path, len(now.view.Problems), now.view.Worst())
	d.window.SayUnsaved(saving.Unsaved(now.Snapshot))
	d.window.SayPaused(now.Live.Paused, now.Live.Unreached())
	d.made[placeToolboxes].Apply(&d.model) // also while it is hidden: what is selected there follows the file
	if d.at != placeToolboxes {
		d.current().Apply(&d.model)
	}
}

// redraw shows what has changed in the model besides the snapshot, if it can be seen.
func (d *controller) redraw() {
	if d.visible.Load() {
		d.current().Apply(&d.model)
	}
}

// showServer shows a server, or a toolbox when the server's name is empty.
func (d *controller) showServer(at toolboxes.Choice) {
	d.detail.Editor.Commit()
	d.choose(placeToolboxes)
	d.toolboxes.Select(at)
}

// showTab shows one tab of a server.
func (d *controller) showTab(at toolboxes.Choice, tab editor.Tab) {
	d.showServer(at)
	d.detail.Open(tab)
}

// open brings the window to the front.
func (d *controller) open() {
	if !d.visible.Swap(true) {
		d.tasks.Rouse()
		d.endBrokenSteps()
		d.draw()
	}
	d.greet()
	d.window.Window.Show()
	d.window.Window.RequestFocus()
}

// closeWindow is what the close button of the window does: the app stays in the tray if there is one now. One that has gone
// since the start would take the window with it for good.
func (d *controller) closeWindow() {
	d.settle()
	d.rememberSize()
	if d.tray.host != nil && d.tray.host.Present() {
		d.window.Window.Hide()
		d.hidden()
		return
	}
	d.quit()
}

// hidden takes up that the window cannot be seen.
func (d *controller) hidden() {
	d.visible.Store(false)
	d.tasks.Rest()
}

// notify gives what brings the notifications of a snapshot on their way, and tells when there may be more. That is of the aggregator's
// goroutine.
func (d *controller) notify(notifier *notify.Notifier) func(now *model.Snapshot) time.Time {
	return func(now *model.Snapshot) time.Time {
		notice, again := notifier.Next(now)
		if notice != nil {
			d.tell(notice.Title, notice.Text)
		}
		return again
	}
}

// tell shows a notification of the system, unless the user wants none. It can be called on any goroutine.
func (d *controller) tell(title, text string) {
	if d.options.Notify != nil && d.preferences().Notifications {
		d.tasks.Background(func() { d.options.Notify(title, text) })
	}
}
