// Package app is the desktop app: its window, its place in the tray, and what keeps both up to date.
//
// State flows one way. What the configuration file and the engines say becomes an immutable snapshot, made by the aggregator on a
// goroutine of its own and handed to the window's goroutine, where the screens and the tray draw it. What the user does goes
// the other way: edits through a queue to the store of the file, commands through the hub to the engines.
//
// The package does not import Fyne's driver, which needs cgo and a display. Its caller brings the fyne.App.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/consent"
	"github.com/workbench-mcp/workbench-desktop/app/dock"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
)

// ID is the program's name towards the system, as in FyneApp.toml.
const ID = "io.github.workbench_mcp.WorkbenchDesktop"

// Name is the program's name towards people.
const Name = "Workbench"

// Metadata tells Fyne who we are. Without it the tray would be called by the ID.
func Metadata(version string) fyne.AppMetadata {
	return fyne.AppMetadata{ID: ID, Name: Name, Version: version, Build: 1, Icon: Icon(), Migrations: map[string]bool{"fyneDo": !frame.ThreadChecks}}
}

// Icon is the program's icon.
func Icon() fyne.Resource { return fyne.NewStaticResource("workbench.png", assets.AppIcon) }

// Options say how the app runs.
type Options struct {
	App     fyne.App // required; its driver decides where the window is
	Version string   // of the program
	Files
	User
	Desktop

	// Hidden starts in the tray, without the window. Where there is no tray the window is shown all the same.
	Hidden bool
	Open   string // a file or a link that the window is to open; see [ipc.Show]

	// Do runs a function on the goroutine of the window; nil means fyne.Do.
	Do func(func())

	// Exit ends the process when Fyne does not end, after everything else has; nil means os.Exit(0).
	Exit func()

	Logger *slog.Logger // nil: nothing is logged

	voice         *locale.Voice // translates everything that is shown; nil keeps the language
	leavePatience time.Duration // how long Fyne may take to end; zero: the usual
}

// Files has the places of the app's files, and of the endpoint where engines find the app.
type Files struct {
	Location config.Location // of the configuration file

	// HistoryDir is where versions of the file are kept, see [store.HistoryDir]; empty: nowhere.
	HistoryDir string

	// Unapplied is the file in which the names of servers stand for which something is typed and not applied; empty: none.
	Unapplied string

	// Logs is where engines and servers are logged; empty: nowhere.
	Logs logs.Folder

	// Usage says where engines record calls, and where the preferences are that allow it; empty when they record nothing.
	Usage engines.UsageSource

	// Link is where engines find the app, see [ipc.HubOptions]; empty: the user's own place.
	Link string

	// Preferences are the user's choices about the window; nil: the usual ones, and they are not kept.
	Preferences *model.PreferencesStore
}

// User has the user's own things on this computer.
type User struct {
	Lookup config.Lookup // of the values of ${VAR} and ${keyring:NAME}

	// Environ is the user's own environment, in which programs are looked for that ours doesn't know: a desktop starts us
	// without what the shell adds. Nil: ours is all there is. The caller closes it.
	Environ *environ.Environ

	// Start starts the process of a server of our own engine; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)

	// SignIns are the user's sign-ins to remote servers; nil: nobody can sign in.
	SignIns *signin.Store
	// Approvals are the entries that the user has approved; with nil, all entries count as approved.
	Approvals *approval.Approvals
	// Pins are the approved definitions of servers' tools; with nil, changes of them are not noticed.
	Pins *pin.Store

	// Apps are the user's AI apps; nil: the window can connect none.
	Apps *setup.Setup

	// Runtimes gets the programs that servers need; nil: none can be got.
	Runtimes *runtimes.Runtimes

	// Login switches the start at login; nil where that cannot be.
	Login Login

	// Links says which program opens our links; nil where nobody can tell.
	Links *links.Handler
}

// Desktop has what the system offers to a program with a window.
type Desktop struct {
	// Host finds the tray; nil when there is none. The caller closes it.
	Host *tray.Host

	// OnTrayTapped says what a click on the tray's icon does, nil where the icon can only show its menu. The function that
	// it is given may be called on any goroutine.
	OnTrayTapped func(func())

	// Attend has called what the system asks of the program itself; nil where it asks for nothing.
	Attend func(dock.Requests) error

	// Notify shows a notification of the system; nil where there are none. It is called on any goroutine and may take long. tapped is called, on
	// any goroutine, when somebody clicks it, where that can be known.
	Notify func(notice notify.Notice, tapped func())

	// SetLogLevel says how much is logged from now on; may be nil.
	SetLogLevel func(level string)
}

// RunningError is returned by [Run] when the user's app runs already. It has shown its window.
type RunningError struct {
	Config string // the path of the configuration that it shows; empty when it does not tell
}

func (e *RunningError) Error() string { return "Workbench runs already" }

// trayPatience is how long a start without a window waits for a tray. When a session starts, programs start in any order.
const trayPatience = 20 * time.Second

// endPatience is how long the end of the app may take altogether. A disk that does not answer must not keep it for good.
const endPatience = 20 * time.Second

// showPatience is how long the app that runs already may take to show its window.
const showPatience = 5 * time.Second

// Run shows the app until the user quits or the context ends. It returns when everything that it has started has ended. It must be
// called on the goroutine of main, which becomes the goroutine of the window.
func Run(ctx context.Context, options Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Do == nil {
		options.Do = fyne.Do
	}
	asked := newAsked()
	calls := &consent.Inbox[*ipc.Asked]{}
	hub, err := listen(ctx, options, asked.toOpen, calls.Put)
	if err != nil {
		return err
	}
	if options.Attend != nil {
		if err := options.Attend(dock.Requests{Reopen: asked.toShow, Open: asked.toOpen, Quit: asked.toQuit}); err != nil {
			options.Logger.Warn("The icon in the Dock does not bring back the window", "error", err)
		}
	}
	options.voice = locale.Install()
	options.voice.Speak(preferred(options).Language)
	options.App.Settings().SetTheme(theme.Theme{Look: lookOf(preferred(options).Theme)})
	options.App.SetIcon(Icon())

	file := configfile.Open(store.Options{
		Location: options.Location, HistoryDir: options.HistoryDir, Author: store.AuthorWindow, Approvals: options.Approvals, Logger: options.Logger,
	})
	c := newController(options, file, hub)
	calls.Open(c.askCall)
	if size := preferred(options).Window; size.Width > 0 {
		c.window.Window.Resize(fyne.NewSize(size.Width, size.Height))
	}
	// While a tray is waited for, engines and another start of the app are answered already.
	var wg sync.WaitGroup
	finish := sync.OnceFunc(func() {
		c.tasks.Stop()
		cancel()
		ended := make(chan struct{})
		go func() {
			wg.Wait()
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(endPatience):
			options.Logger.Error("Something does not end; it is left behind")
		}
	})
	c.leave = newDeparture(options, finish)
	wg.Go(func() { c.run(ctx) })
	waiting, stopWaiting := context.WithCancel(ctx)
	defer stopWaiting()
	wg.Go(func() { c.heed(ctx, asked, stopWaiting) })
	// Before any window: only now can the tray be set up, and whether there is one decides what closing a window means.
	if host := c.findTray(waiting); host != nil {
		c.startTray(host)
	}
	c.window.Window.SetCloseIntercept(c.closeWindow)
	if options.Open != "" {
		asked.toOpen(options.Open)
	}
	if options.Hidden && options.Open == "" && c.tray.renderer != nil {
		c.hidden()
	} else {
		c.greet()
		c.detail.SayUnapplied()
		c.window.Window.Show()
	}

	c.askLogin()
	c.runtimes.Look()
	options.App.Lifecycle().SetOnStopped(c.tasks.Stop)
	frame.Unwatch(options.App)
	options.App.Run()
	c.leave.end()
	finish()
	if c.tray.renderer != nil {
		c.tray.renderer.Close()
	}
	return nil
}

func preferred(options Options) model.Preferences {
	if options.Preferences == nil {
		return model.DefaultPreferences()
	}
	return options.Preferences.Get()
}

// listen takes the place where engines find the app, or has the app that holds it show its window.
func listen(ctx context.Context, options Options, onShow func(open string), onAsk func(*ipc.Asked)) (*ipc.Hub, error) {
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: options.Link, Program: options.Version, Config: options.Location.Path, OnShow: onShow, OnAsk: onAsk, Logger: options.Logger})
	switch {
	case err == nil:
		return hub, nil
	case !errors.Is(err, ipc.ErrRunning):
		// The window is useful even if it cannot see the engines of AI apps.
		options.Logger.Error("AI apps cannot be seen", "error", err)
		return listenAlone(options)
	}
	patience, cancel := context.WithTimeout(ctx, showPatience)
	defer cancel()
	if err := ipc.Show(patience, options.Link, options.Open); err != nil {
		return nil, fmt.Errorf("Workbench runs already, but does not show its window: %w", err)
	}
	running, _ := ipc.Probe(patience, options.Link) // without an answer the message has no details
	return nil, &RunningError{running.Config}
}

// listenAlone takes a place where nobody looks, for the app's own engine.
func listenAlone(options Options) (*ipc.Hub, error) {
	folder, err := os.MkdirTemp("", "workbench-")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	endpoint := filepath.Join(folder, "app.sock")
	if runtime.GOOS == "windows" {
		endpoint = `\\.\pipe\` + filepath.Base(folder)
	}
	return ipc.Listen(ipc.HubOptions{Endpoint: endpoint, Program: options.Version, Logger: options.Logger})
}

// asked collects requests from outside the window: from another start of the program, or from the system. Its methods do not wait. They
// may be called on any goroutine, and before there is a window.
type asked struct {
	show, quit chan struct{}
	opened     chan string

	now   func() time.Time
	quiet time.Time // until then, a request to open something does not bring the window to the front
}

func newAsked() *asked {
	return &asked{show: make(chan struct{}, 1), quit: make(chan struct{}, 1), opened: make(chan string, 1), now: time.Now}
}

// toOpen asks for a file or a link; "" is nothing. While one waits, others are left out: a person opens one after the other.
func (a *asked) toOpen(what string) {
	if what == "" {
		a.toShow()
		return
	}
	select {
	case a.opened <- what:
	default:
	}
}

// frontPause is how long there must have been no request before the next one brings the window to the front.
const frontPause = 5 * time.Second

// front reports whether a request to open something may bring the window to the front now. Web pages and other programs can make such
// requests without end.
func (a *asked) front() bool {
	now := a.now()
	calm := !now.Before(a.quiet)
	a.quiet = now.Add(frontPause)
	return calm
}

func (a *asked) toShow() { ring(a.show) }
func (a *asked) toQuit() { ring(a.quit) }

// ring leaves it at one when there is one already.
func ring(bell chan<- struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// heed carries out requests until the context ends, and then ends the app. It calls heard for each request.
func (c *controller) heed(ctx context.Context, asked *asked, heard func()) {
	for {
		select {
		case <-ctx.Done():
			c.leave.begin()
			c.tasks.Do(c.endNow)
			return
		case <-asked.show:
			heard()
			c.tasks.Do(c.open)
		case what := <-asked.opened:
			heard()
			front := asked.front()
			c.tasks.Do(func() {
				switch {
				case front:
					c.open()
				case !c.visible.Load():
					c.adding.SayNotOpened()
					return
				}
				c.openThis(what)
			})
		case <-asked.quit:
			heard()
			c.tasks.Do(c.quit)
		}
	}
}
