package app

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// controller is the running app: it has the parts that know something, the window and the tray that show it, and does what the user
// wants. What is drawn belongs to the goroutine of the window, as do all methods, except where they say otherwise.
type controller struct {
	options Options

	// These have goroutines of their own, and can be used from any.
	tasks      *task.Tasks
	configFile *configfile.File
	queue      *configfile.Queue
	engines    *engines.Engines
	aggregator *engines.Aggregator
	notifier   *notify.Notifier // of the aggregator's goroutine

	now     *shown
	at      place
	visible atomic.Bool // the window can be seen

	window   *window
	screen   *toolboxes.Screen
	detail   *detail
	activity *activity.Screen // nil until it is shown, as are the next three
	clients  *clients.Screen
	apps     foundApps
	settings *settings.Screen
	file     *file.Screen
	welcome  *welcome.Screen                     // nil but while the first steps are under way
	greeted  bool                                // it was found out whether they are wanted
	reached  atomic.Pointer[settings.FirstSteps] // how far the user is in them
	adding   *add.Dialog                         // that is open, or nil
	choices  choices
	placing  chan struct{} // closed when nothing is done with the files of extensions any more, or nil
	dialogs  []openDialog  // one over the other
	signing  dialog.Dialog // that waits for a sign-in, or nil
	asking   asking        // what servers ask the person
	leaving  *kit.Question // that asks before what is typed is lost, or nil

	host  *tray.Host     // where closing the window leaves us, nil without
	tray  *tray.Renderer // nil without a tray
	login loginState
	leave *departure // nil without a Fyne that could fail to end

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
		options: options, configFile: file, tasks: task.New(options.Do), queue: configfile.NewQueue(file), notifier: notify.New(),
		choices: choices{secrets: map[string]settings.Secret{}, stop: func() {}},
	}
	local := engines.NewLocal(engines.LocalOptions{
		Name: Name, Path: options.Location.Path, Version: options.Version, Lookup: options.Lookup,
		Environ: options.Environ, SignIns: options.SignIns, Logger: options.Logger,
	})
	local.Questions.Show = d.ask
	d.engines = engines.New(d.tasks.Context(), hub, local, func(err error) { d.tasks.Do(func() { d.say(kit.ErrorSentence(err)) }) })
	d.aggregator = engines.NewAggregator(engines.AggregatorOptions{
		Path: options.Location.Path, File: file, Hub: hub, Name: Name,
		Deliver: d.deliver, Noted: d.notify, Follow: local.Follow, Visible: d.visible.Load,
	})

	d.window = newWindow(options.App, windowActions{
		choose: d.choose, openFile: d.showFile, showProblems: d.showProblems, retry: d.retry, discard: d.discard,
		resume: func() { d.pause(false) },
	}, d.tasks.Do)
	d.detail = newDetail(d)
	d.screen = toolboxes.New(d.toolboxesActions())
	d.window.show(placeToolboxes, d.screen.Object())
	d.shortcuts()
	d.window.window.SetOnDropped(func(at fyne.Position, uris []fyne.URI) {
		switch {
		case d.at == placeToolboxes:
			d.screen.Dropped(at, uris)
		case d.at == placeClients && d.clients != nil && d.options.Apps != nil && len(uris) > 0:
			d.clients.BringFile(filepath.FromSlash(uris[0].Path()))
		}
	})
	d.visible.Store(true)
	d.apply(d.look(d.aggregator.Collect()))
	return d
}

// run has the parts work until the context ends, and returns when they have ended.
func (d *controller) run(ctx context.Context) {
	var wg sync.WaitGroup
	parts := []func(context.Context) error{
		d.configFile.Run,
		d.queue.Run,
		d.aggregator.Run,
		d.detail.feed.Run,
		func(ctx context.Context) error { return d.engines.Local.Run(ctx, d.engines.Hub) },
		func(ctx context.Context) error {
			return d.aggregator.RunFacts(ctx, d.surroundings())
		},
	}
	for _, part := range append(parts, d.watchApps(d.engines.Hub)...) {
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
	d.detail.close()
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
	d.now = now
	if d.tray != nil {
		d.tray.Update(trayState(now, d.login))
	}
	if d.visible.Load() {
		d.draw()
	}
}

// draw shows the snapshot in the window.
func (d *controller) draw() {
	now := d.now
	d.screen.Apply(now.view)
	d.detail.apply(now)
	d.window.status.apply(now)
	d.window.sayUnsaved(unsaved(now))
	d.window.sayPaused(now.Live.Paused, now.Live.Unreached())
	switch {
	case d.at == placeActivity && d.activity != nil:
		d.activity.Apply(d.activityView())
	case d.at == placeClients && d.clients != nil:
		d.clients.Apply(d.clientsView())
	case d.at == placeFile && d.file != nil:
		d.file.Apply(d.fileView())
	case d.at == placeWelcome:
		d.showWelcome()
	}
	d.showSettings()
}

// choose shows one of the screens.
func (d *controller) choose(at place) {
	d.detail.editor.Commit()
	if d.at == placeFile && at != placeFile {
		d.file.Leave()
	}
	d.at = at
	d.window.status.showSaved(at != placeFile)
	d.aggregator.WatchCalls(at == placeActivity)
	switch at {
	case placeToolboxes:
		d.window.show(at, d.screen.Object())
	case placeClients:
		if d.clients == nil {
			d.clients = clients.New(d.window.window, d.clientsActions())
		}
		d.clients.Apply(d.clientsView())
		d.window.show(at, d.clients.Object())
		d.findApps()
	case placeActivity:
		if d.activity == nil {
			d.activity = activity.New(d.activityActions())
			d.activity.Apply(d.activityView())
		}
		d.window.show(at, d.activity.Object())
	case placeSettings:
		if d.settings == nil {
			d.settings = settings.New(d.settingsActions())
		}
		d.settings.Apply(d.settingsView())
		d.window.show(at, d.settings.Object())
		d.askSecrets()
	case placeFile:
		if d.file == nil {
			d.file = file.New(d.fileActions())
		}
		d.file.Apply(d.fileView())
		d.window.show(at, d.file.Object())
	case placeWelcome:
		d.window.show(at, d.welcome.Object())
		d.showWelcome()
		d.findApps()
	}
}

// showServer shows a server, or a toolbox when the server's name is empty.
func (d *controller) showServer(at toolboxes.Choice) {
	d.choose(placeToolboxes)
	d.screen.Select(at)
}

// showTab shows one tab of a server.
func (d *controller) showTab(at toolboxes.Choice, tab editor.Tab) {
	d.showServer(at)
	d.detail.open(tab)
}

// open brings the window to the front.
func (d *controller) open() {
	if !d.visible.Swap(true) {
		d.tasks.Rouse()
		d.draw()
	}
	d.greet()
	d.window.window.Show()
	d.window.window.RequestFocus()
}

// closeWindow is what the close button of the window does: the app stays in the tray if there is one now. One that has gone
// since the start would take the window with it for good.
func (d *controller) closeWindow() {
	d.settle()
	d.rememberSize()
	if d.host != nil && d.host.Present() {
		d.window.window.Hide()
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

// notify brings the notifications of a snapshot on their way, and tells when there may be more. It is of the aggregator's
// goroutine.
func (d *controller) notify(now *model.Snapshot) time.Time {
	notice, again := d.notifier.Next(now)
	if notice != nil && d.options.Notify != nil && d.preferences().Notifications {
		d.tasks.Background(func() { d.options.Notify(notice.Title, notice.Text) })
	}
	return again
}

// startTray puts the app into the tray.
func (d *controller) startTray(host *tray.Host) {
	d.host = host
	bar := tray.NewBar(d.options.App.(desktop.App), d.window.window, tray.Actions{Do: d.trayDo, Quit: d.quit}, d.tasks.Do)
	d.tray = tray.NewRenderer(bar, d.tasks.Do)
	d.tray.Update(trayState(d.now, d.login))
	if d.options.OnTrayTapped != nil {
		d.options.OnTrayTapped(func() { d.tasks.Do(d.open) })
	}
	d.window.status.hasTray()
}

// trayDo does what an entry of the tray's menu says.
func (d *controller) trayDo(action tray.Action) {
	at := toolboxes.Choice{Toolbox: action.Toolbox, Server: action.Server}
	switch action.Verb {
	case tray.VerbRestart:
		d.restart(at)
	case tray.VerbStop:
		d.stopServer(at)
	case tray.VerbPause:
		d.pause(true)
	case tray.VerbResume:
		d.pause(false)
	case tray.VerbLogin:
		d.toggleLogin()
	case tray.VerbLog:
		d.open()
		d.showTab(at, editor.TabLog)
	case tray.VerbFix:
		d.open()
		d.fix(at)
	default:
		d.open()
		if at.Toolbox != "" {
			d.showServer(at)
		}
	}
}
