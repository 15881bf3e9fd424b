// Package app is the desktop app: its window, its place in the tray, and what keeps both up to date.
//
// State flows one way. The aggregator makes immutable snapshots of the configuration file and the engines on a
// goroutine of its own. It hands them to the goroutine of the window, where the screens and the tray draw them. What
// the user does goes the other way: edits go through a queue to the store of the file, and commands through the hub to
// the engines.
//
// The package does not import Fyne's driver, which needs cgo and a display. The caller of [Run] passes the fyne.App.
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
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/requests"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// RunningError is returned by [Run] if the user already runs the app. The running app has shown its window, unless
// this one was to start hidden.
type RunningError struct {
	Config string // path of the configuration that the running app shows; empty if not known
}

func (e *RunningError) Error() string { return "Workbench runs already" }

// endPatience is how long ending the app may take. A disk that does not answer must not delay the end forever.
const endPatience = 20 * time.Second

// showPatience is how long a running app may take to show its window.
const showPatience = 5 * time.Second

// Run shows the app until the user quits or ctx ends. It returns when everything that it has started has ended, or
// takes too long to end. Call it on the goroutine of main, which becomes the goroutine of the window.
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
	asked, over := requests.New(), &sessionEnd{}
	calls := &consent.Inbox[*ipc.Asked]{}
	hub, err := listen(ctx, options, asked.Open, calls.Put)
	if err != nil {
		return err
	}
	if options.System != nil {
		if err := options.System.Attend(ofDock{asked, over}); err != nil {
			options.Logger.Warn("The icon in the Dock does not bring back the window", "error", err)
		}
	}
	options.voice = locale.Install()
	spoken := options.Preferences.Get().Language
	boxes := options.System != nil && !options.System.Shows(spoken) // what cannot be drawn is drawn as boxes
	if boxes {
		spoken = "en"
	}
	options.voice.Speak(spoken)
	options.App.Settings().SetTheme(theme.Theme{Look: theme.Look(options.Preferences.Get().Theme)})
	options.App.SetIcon(Icon())

	file := configfile.Open(store.Options{
		Location: options.Location, HistoryDir: options.HistoryDir, Author: store.AuthorWindow, Approvals: options.Approvals,
		Logger: options.Logger,
	})
	c := newController(options, file, hub)
	calls.Open(c.askCall)
	size := c.window.Window.Canvas().Size()
	if kept := options.Preferences.Get().Window; kept.Width > 0 {
		size = fyne.NewSize(kept.Width, kept.Height)
	}
	if room := options.Room; room.Width > 0 {
		size = fyne.NewSize(min(size.Width, room.Width), min(size.Height, room.Height))
	}
	c.window.Window.Resize(size)
	// Engines and another start of the app are answered even while Run waits for a tray.
	var wg background.Group
	finish := sync.OnceFunc(func() {
		c.tasks.Stop()
		cancel()
		ended := make(chan struct{})
		background.Go(func() {
			wg.Wait()
			close(ended)
		})
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
	over.set(func() {
		c.quitting() // as at a signal: what is typed is kept, and the next start says so
		finish()
	})
	wg.Go(func() { c.run(ctx) })
	waiting, stopWaiting := context.WithCancel(ctx)
	defer stopWaiting()
	wg.Go(func() { c.handleRequests(ctx, asked, stopWaiting) })
	// Find the tray before showing the window: without a tray, closing the window ends the app.
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
		if boxes {
			c.window.Say(noFont())
		}
		c.window.Window.Show()
	}

	c.computer.AskLogin()
	c.computer.WatchUpdates()
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

// listen opens the endpoint where engines find the app. If the app runs already, listen asks it to show its window and
// returns a [RunningError]. If the endpoint cannot be opened for another reason, the app runs without the engines of
// AI apps.
func listen(ctx context.Context, options Options, onShow func(open string), onAsk func(*ipc.Asked)) (*ipc.Hub, error) {
	return listenAgain(ctx, options, onShow, onAsk, 3)
}

// againPause is how long listen waits before it tries again.
const againPause = 200 * time.Millisecond

// listenAgain is listen, with a number of further tries if the app that runs does not answer.
func listenAgain(ctx context.Context, options Options, onShow func(open string), onAsk func(*ipc.Asked),
	again int) (*ipc.Hub, error) {
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: options.Link, Program: options.Version, Config: options.Location.Path,
		OnShow: onShow, OnAsk: onAsk, Logger: options.Logger})
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
	// the session starts it once more, for example after macOS has brought it back
	if options.Hidden && options.Open == "" {
		shown, _ := ipc.Probe(patience, options.Link)
		return nil, &RunningError{shown}
	}
	if err := ipc.Show(patience, options.Link, options.Open); err != nil {
		if again > 0 && ctx.Err() == nil { // the other one may just be ending
			time.Sleep(againPause)
			return listenAgain(ctx, options, onShow, onAsk, again-1)
		}
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
