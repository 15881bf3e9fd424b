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
	"github.com/workbench-mcp/workbench-desktop/app/requests"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/task"
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

// ID is the program's name for the system, as in FyneApp.toml.
const ID = "io.github.workbench_mcp.WorkbenchDesktop"

// Name is the program's name for people.
const Name = "Workbench"

// Metadata describes the program to Fyne. Without it, the tray would show the ID.
func Metadata(version string) fyne.AppMetadata {
	return fyne.AppMetadata{ID: ID, Name: Name, Version: version, Build: 1, Icon: Icon(), Migrations: map[string]bool{"fyneDo": !frame.ThreadChecks}}
}

// Icon returns the program's icon.
func Icon() fyne.Resource { return fyne.NewStaticResource("workbench.png", assets.AppIcon) }

// Options say how the app runs.
type Options struct {
	App     fyne.App // required; its driver decides where the window is
	Version string   // of the program
	Files
	User
	Desktop

	// Hidden starts in the tray, without the window. If there is no tray, the window is shown anyway.
	Hidden bool
	Open   string // a file or a link to open; see [ipc.Show]

	// Do runs a function on the goroutine of the window; nil means fyne.Do.
	Do func(func())

	// Exit ends the process if Fyne does not end after everything else has ended; nil means os.Exit(0).
	Exit func()

	Logger *slog.Logger // nil: nothing is logged

	voice         *locale.Voice // translates everything that is shown; nil keeps the language
	leavePatience time.Duration // how long Fyne may take to end; zero: the usual
}

// Files are the places of the app's files, and of the endpoint where engines find the app.
type Files struct {
	Location config.Location // of the configuration file

	// HistoryDir is the folder with versions of the file, see [store.HistoryDir]; empty keeps none.
	HistoryDir string

	// Unapplied is a file with the names of servers that have typed text that was not applied; empty keeps none.
	Unapplied string

	// Logs is the folder with the logs of engines and servers; empty keeps none.
	Logs logs.Folder

	// Usage says where engines record calls, and which preferences allow it; empty if they record nothing.
	Usage engines.UsageSource

	// Link is the endpoint where engines find the app, see [ipc.HubOptions]; empty means the user's own.
	Link string

	// Preferences are the user's choices about the window; nil means the defaults, which are not saved.
	Preferences *model.PreferencesStore
}

// User is what belongs to the user on this computer.
type User struct {
	Lookup config.Lookup // returns the values of ${VAR} and ${keyring:NAME}

	// Environ is the environment of the user's shell, used to find programs. A desktop starts us without what the shell adds. Nil means our own
	// environment. The caller closes it.
	Environ *environ.Environ

	// Start starts the process of a server of the app's own engine; nil means [process.Start].
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

	// Login switches the start at login; nil if the system has none.
	Login settings.Login

	// Links knows which program opens workbench:// links; nil if that is not known.
	Links *links.Handler
}

// Desktop is what the system offers to a program with a window.
type Desktop struct {
	// Host finds the tray; nil when there is none. The caller closes it.
	Host *tray.Host

	// OnTrayTapped sets a function to call on a click on the tray's icon; it may be called on any goroutine. OnTrayTapped is nil if the icon can only
	// show its menu.
	OnTrayTapped func(func())

	// Attend sets the functions to call when the system asks the program to do something; nil if it never asks.
	Attend func(dock.Requests) error

	// Notify shows a notification of the system; nil if there are none. It is called on any goroutine and may take long. answered is called on any
	// goroutine when the user clicks the notification or one of its buttons, if the system reports that.
	Notify func(notice notify.Notice, answered func(notify.Answer))

	// SetLogLevel changes how much is logged; may be nil.
	SetLogLevel func(level string)
}

// RunningError is returned by [Run] if the user already runs the app. That app has shown its window.
type RunningError struct {
	Config string // path of the configuration that it shows; empty if not known
}

func (e *RunningError) Error() string { return "Workbench runs already" }

// trayPatience is how long a start without a window waits for a tray. When a session starts, programs start in any order.
const trayPatience = 20 * time.Second

// endPatience is how long ending the app may take. A disk that does not answer must not delay it forever.
const endPatience = 20 * time.Second

// showPatience is how long a running app may take to show its window.
const showPatience = 5 * time.Second

// Run shows the app until the user quits or ctx ends. It returns when everything that it has started has ended. Call it on the goroutine of main,
// which becomes the goroutine of the window.
func Run(ctx context.Context, options Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Do == nil {
		options.Do = fyne.Do
	}
	if options.Exit == nil {
		options.Exit = func() { os.Exit(0) }
	}
	asked := requests.New()
	calls := &consent.Inbox[*ipc.Asked]{}
	hub, err := listen(ctx, options, asked.Open, calls.Put)
	if err != nil {
		return err
	}
	if options.Attend != nil {
		if err := options.Attend(dock.Requests{Reopen: asked.Show, Open: asked.Open, Quit: asked.Quit}); err != nil {
			options.Logger.Warn("The icon in the Dock does not bring back the window", "error", err)
		}
	}
	options.voice = locale.Install()
	options.voice.Speak(preferred(options).Language)
	options.App.Settings().SetTheme(theme.Theme{Look: theme.Look(preferred(options).Theme)})
	options.App.SetIcon(Icon())

	file := configfile.Open(store.Options{
		Location: options.Location, HistoryDir: options.HistoryDir, Author: store.AuthorWindow, Approvals: options.Approvals, Logger: options.Logger,
	})
	c := newController(options, file, hub)
	calls.Open(c.askCall)
	if size := preferred(options).Window; size.Width > 0 {
		c.window.Window.Resize(fyne.NewSize(size.Width, size.Height))
	}
	// Engines and another start of the app are answered even while this waits for a tray.
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
	c.leave = task.NewDeparture(options.leavePatience, func() {
		options.Logger.Warn("The window does not end; the program ends without it")
		finish()
	}, options.Exit)
	wg.Go(func() { c.run(ctx) })
	waiting, stopWaiting := context.WithCancel(ctx)
	defer stopWaiting()
	wg.Go(func() { c.heed(ctx, asked, stopWaiting) })
	// Find the tray before showing a window, because the tray decides what closing a window means.
	if host := c.findTray(waiting); host != nil {
		c.startTray(host)
	}
	c.window.Window.SetCloseIntercept(c.closeWindow)
	if options.Open != "" {
		asked.Open(options.Open)
	}
	if options.Hidden && options.Open == "" && c.tray.renderer != nil {
		c.hidden()
	} else {
		c.greet()
		c.detail.SayUnapplied()
		c.window.Window.Show()
	}

	c.computer.AskLogin()
	c.runtimes.Look()
	options.App.Lifecycle().SetOnStopped(c.tasks.Stop)
	frame.Unwatch(options.App)
	options.App.Run()
	c.leave.End()
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

// listen opens the endpoint where engines find the app. If another app has it, that app is asked to show its window.
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
	shown, _ := ipc.Probe(patience, options.Link) // without an answer the message has no details
	return nil, &RunningError{shown}
}

// listenAlone opens an endpoint that nobody else knows, for the app's own engine.
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

// heed handles requests until ctx ends, and then ends the app. It calls heard before each request.
func (c *controller) heed(ctx context.Context, asked *requests.Requests, heard func()) {
	do := func(f func()) {
		heard()
		c.tasks.Do(f)
	}
	asked.Heed(ctx, requests.Actions{
		Show: func() { do(c.open) },
		Quit: func() { do(c.quit) },
		Open: func(what string, front bool) {
			do(func() {
				switch {
				case front:
					c.open()
				case !c.visible.Load():
					c.adding.SayNotOpened()
					return
				}
				c.openThis(what)
			})
		},
	})
	c.leave.Begin()
	c.tasks.Do(c.endNow)
}
