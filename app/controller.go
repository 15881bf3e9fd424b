package app

import (
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/approving"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/consent"
	"github.com/workbench-mcp/workbench-desktop/app/detail"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
)

// The names of the screens, for code that shows or updates one of them.
const (
	placeToolboxes frame.Place = "toolboxes"
	placeClients   frame.Place = "clients"
	placeActivity  frame.Place = "activity"
	placeUsage     frame.Place = "usage"
	placeSettings  frame.Place = "settings"
	placeFile      frame.Place = "file"
	placeWelcome   frame.Place = "welcome"
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

// trayPart is the app's icon in the tray. Without a tray, its fields are nil.
type trayPart struct {
	host     *tray.Host // the app stays here when its window closes
	renderer *tray.Renderer
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

func lookAt(path string, now *model.Snapshot) *shown {
	view := toolboxes.NewView(toolboxes.Source{
		Path: path, Good: now.Good, Now: now.File.Now, Err: now.File.Problem,
		More: now.Warnings, Unknown: now.Approval.Problem, Live: now.Live, Time: now.Time, Tools: now.Tools, Usage: now.Usage.Report,
	})
	return &shown{now, view, view}
}

// look makes the views of a snapshot. It can be called on any goroutine.
func (c *controller) look(now *model.Snapshot) *shown { return lookAt(c.options.Location.Path, now) }

// moved is called before another screen is shown.
func (c *controller) moved(to frame.Place) {
	c.window.Status.ShowSaved(to != placeFile)
	c.aggregator.WatchCalls(to == placeActivity)
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
	if c.places.At() == placeWelcome && c.now.Broken() { // what is broken must be fixed before the first steps can go on
		c.places.Choose(placeToolboxes)
	}
	c.detail.Follow(c.now.Snapshot)
}

// take puts a snapshot into the model. It draws nothing.
func (c *controller) take(now *shown) {
	c.now, c.model.Snapshot = now, now.Snapshot
	c.judge()
}

// judge adds to the views what is known of this computer: the programs that the user can get, and the problems that the doctor has found.
func (c *controller) judge() {
	c.now.view = c.now.told.With(c.model.Runtimes).WithComputer(c.model.Doctor.Checks)
}

// examined shows what is known of this computer when that has changed.
func (c *controller) examined() {
	c.judge()
	c.updateTray()
	if c.visible.Load() {
		c.draw()
	}
}

// updateTray shows the model in the tray.
func (c *controller) updateTray() {
	if c.tray.renderer != nil {
		c.tray.renderer.Update(tray.StateOf(c.now.Snapshot, c.now.view, c.model.Login))
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
