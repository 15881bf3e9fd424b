package app

import (
	"slices"
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
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/macos"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
)

// The places of the window, one for each screen.
const (
	placeToolboxes frame.Place = "toolboxes"
	placeClients   frame.Place = "clients"
	placeActivity  frame.Place = "activity"
	placeUsage     frame.Place = "usage"
	placeSettings  frame.Place = "settings"
	placeFile      frame.Place = "file"
	placeWelcome   frame.Place = "welcome"
)

// controller is the running app. It connects the model and the services with the window and the tray, and carries out
// what the user does. Call its methods only on the goroutine of the window, unless their comments say otherwise.
type controller struct {
	options Options

	// These have goroutines of their own. All but saver can be used on any goroutine.
	tasks      *task.Tasks
	configFile *configfile.File
	saver      *saving.Saver
	engines    *engines.Engines
	aggregator *engines.Aggregator

	window *frame.Window
	model  model.Model
	now    *shown // the snapshot of the model, and the views made from the snapshot
	places *frame.Places
	pages
	tray trayPart
	services
	display
}

// pages are the screens with their own types, so that the controller can call methods that only one screen has. A
// screen is nil until it is shown. Only detail is always set: it is a part of the screen of the toolboxes.
type pages struct {
	toolboxes *toolboxes.Screen
	detail    *detail.Detail
	activity  *activity.Screen
	clients   *clients.Screen
	settings  *settings.Screen
	file      *file.Screen
	welcome   *welcome.Screen
}

// services carry out what the screens offer, and ask the user what servers, engines and other programs want.
type services struct {
	apps      *clients.Service                 // connects AI apps and brings in their servers
	steps     *welcome.Service                 // nil except during the first steps
	greeted   bool                             // greet has decided whether to show the first steps
	reached   atomic.Pointer[model.FirstSteps] // the last value that rememberSteps was called with
	adding    *add.Service                     // adds servers
	computer  *settings.Service                // checks the computer and the keychain
	runtimes  *runtimes.Service                // installs programs that servers need
	signing   *detail.SignIn                   // signs in to servers
	asking    *detail.Asking                   // shows the questions of servers whose tools are tried
	approving *approving.Service               // asks about servers that other programs have changed
	consent   *consent.Window                  // asks before a tool acts for an AI app
	mac       *macos.Mac                       // nil on other systems
	leaving   *kit.Question                    // the open question whether to quit; otherwise nil
	leave     *task.Departure                  // ends the program; set by Run, nil in most tests
}

// trayPart is the app's icon in the tray. Without a tray, its fields are nil.
type trayPart struct {
	host     *tray.Host     // tells whether there is a tray, in which the app stays when its window closes
	renderer *tray.Renderer // draws the icon and its menu
}

// display is the state that deliver needs to pass snapshots to the window.
type display struct {
	visible   atomic.Bool           // the window is shown
	newest    atomic.Pointer[shown] // the newest snapshot, which may not be shown yet
	scheduled atomic.Bool           // the goroutine of the window will show newest
}

// shown is a snapshot and the views made from it.
type shown struct {
	*model.Snapshot
	found *model.Findings
	plain toolboxes.View // the view with only what found says
	view  toolboxes.View // the view with all that the model says, see judge
}

// viewsOf makes the views of a snapshot. It can be called on any goroutine.
func (c *controller) viewsOf(now *model.Snapshot) *shown {
	found := model.FindingsOf(now)
	view := toolboxes.NewView(c.options.Location.Path, now, found)
	return &shown{now, found, view, view}
}

// menus makes the menus of macOS.
func (c *controller) menus() { c.mac.Menus(c.window.Window, c.options.App.Clipboard()) }

// deliver passes a snapshot to the window, which draws only the newest. It can be called on any goroutine.
func (c *controller) deliver(now *model.Snapshot) {
	c.newest.Store(c.viewsOf(now))
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

// follow does what a new snapshot requires before it is drawn. It is called only while the window is visible.
func (c *controller) follow() {
	if c.places.At() == placeWelcome && c.now.Broken() { // the user must fix the file before the first steps can go on
		c.places.Choose(placeToolboxes)
	}
	c.detail.Follow(c.now.Snapshot)
}

// take puts a snapshot into the model. It draws nothing.
func (c *controller) take(now *shown) {
	c.now, c.model.Snapshot = now, now.Snapshot
	c.judge()
	c.mac.Busy(slices.ContainsFunc(now.Live.Engines, func(engine model.Engine) bool { return !engine.Own }))
}

// judge adds to what is wrong in the snapshot what the model knows of this computer: the programs that the user can
// get, and the problems that the doctor has found.
func (c *controller) judge() {
	c.model.Findings = c.now.found.With(c.model.Runtimes, c.model.Doctor.Checks)
	c.now.view = c.now.plain.With(c.model.Findings)
}

// examined updates the tray and the window after the model has learned something new about this computer.
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
		state := tray.StateOf(c.now.Snapshot, c.now.view, c.model.Login)
		state.Newer = c.model.Updates.Version
		c.tray.renderer.Update(state)
	}
}

// draw shows the model in the window.
func (c *controller) draw() {
	now, found := c.now, c.model.Findings
	c.window.Apply(now.Snapshot, now.view.Path, found.Count(), live.OfWeight(found.Worst()))
	c.window.SayUnsaved(saving.Unsaved(now.Snapshot))
	c.window.SayPaused(now.Live.Paused, now.Live.Unreached())
	c.places.Draw(placeToolboxes) // also while another screen is shown, so that the selection follows the file
}

// redraw draws the visible screen after a change of the model outside the snapshot.
func (c *controller) redraw() {
	if c.visible.Load() {
		c.places.Draw()
	}
}
