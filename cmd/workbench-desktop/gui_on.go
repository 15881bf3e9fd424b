//go:build !headless

package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/systray"
	"github.com/go-gl/glfw/v3.4/glfw"

	"github.com/workbench-mcp/workbench-desktop/app"
	appclients "github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/dock"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/applications"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/autostart"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/serving"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/updates"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// variant distinguishes this build in the output of "version".
const variant = ""

// hasWindow reports whether this build has a window.
const hasWindow = true

// endLimit is how long the program may take to end after it was asked to. It is longer than the limits of its parts.
const endLimit = 30 * time.Second

// runDesktop runs the desktop app until the user quits or the context ends. It must be called on the
// goroutine of main, which becomes the goroutine of the window. This is the only file that imports Fyne's
// driver, which needs cgo.
func runDesktop(ctx context.Context, options desktopOptions, s streams) int {
	if err := foreignHome(os.Geteuid(), os.Getenv("HOME")); err != nil {
		s.complain(err)
		return exitFailed
	}
	location, err := config.Locate(options.ConfigFlag, os.Getenv)
	if err != nil {
		s.complain(err)
		return exitFailed
	}
	// So the program ends even if this goroutine waits for a display, a bus or a disk that never answers.
	defer background.AfterEnd(ctx, func() {
		background.After(endLimit, func() { os.Exit(exitFailed) })
	})()
	room, err := display(os.Getenv)
	switch {
	case words.Is(err, "command.no_opengl"):
		return runWindowless(ctx, options, location.Path, err, s)
	case err != nil:
		s.complain(words.NewError("command.no_display", "Why", err))
		return exitFailed
	}

	// Fyne makes its folders inside this one, but does not make this one and would log an error in a new home
	// folder.
	if cache, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(cache, 0o700) // Fyne works without it
	}
	fyneapp.SetMetadata(app.Metadata(version))
	fyneApp := fyneapp.NewWithID(app.ID)
	frame.Still(fyneApp)
	surroundings := environ.New(os.Environ())
	defer surroundings.Close()
	web := network.Later(completeEnv(ctx, surroundings))
	guard := guardian.New(guardian.Options{Program: engineBeside(), Logger: options.Log})
	defer guard.Close()
	appOptions := app.Options{
		App:     fyneApp,
		Version: version,
		Hidden:  options.Hidden && options.Open == "",
		Open:    options.Open,
		Logger:  options.Log,
		Files:   app.Files{Location: location, Link: options.Link},
		User: app.User{Web: web, Lookup: config.SystemLookup(), Environ: surroundings, Start: guard.Start, Login: login(),
			SignIns: openSignIns("", web, options.Log), Approvals: s.openApprovals(), Pins: s.openPins(options.Log)},
		Desktop: app.Desktop{System: system{}, Room: room, LogLevel: options.Level},
	}
	if appOptions.Mac = dock.Open(); appOptions.Mac != nil {
		appOptions.Events = events{}
	}
	if program, err := autostart.Executable(os.Getenv); err == nil {
		if mover := applications.New(os.Getenv, program); mover != nil {
			appOptions.Move = func() error {
				_, err := mover.Move()
				return err
			}
		}
		appOptions.Links, _ = links.New(os.Getenv, program) // without a home folder nothing can be registered
	}
	if file, err := paths.Here(os.Getenv).Updates(); err == nil && file != "" {
		appOptions.Updates = newerVersions{openUpdates(web)}
	}
	appOptions.Runtimes = openRuntimes(ctx, surroundings)
	addPlaces(&appOptions)
	if appOptions.HistoryDir != "" { // without a home folder there are no clients either
		appOptions.Apps, _ = setup.Open(setup.Options{
			Getenv: os.Getenv, Location: location, Author: store.AuthorWindow, Environ: func(name string) []string {
				return surroundings.For(ctx, name)
			},
		})
	}
	appOptions.HTTP = overHTTP(location.Path, options.Link)
	if appOptions.Preferences != nil && !options.LevelGiven {
		// it is one of four words; another would change nothing
		_ = options.Level.UnmarshalText([]byte(appOptions.Preferences.Get().LogLevel))
	}
	// Without a session bus there is no tray, which the window itself reports, and nobody to show
	// notifications.
	if host, err := tray.NewHost(os.Getenv); err == nil {
		defer host.Close()
		presenter := notify.NewPresenter(fyneApp, host, keptIcon())
		defer presenter.Close()
		appOptions.Host, appOptions.Notices = host, notices{presenter, options.Log}
	}
	var running *app.RunningError
	switch err := app.Run(ctx, appOptions); {
	case errors.As(err, &running):
		s.print(words.New("command.runs_already"))
		if running.Config != "" && running.Config != location.Path {
			s.complain(words.NewError("command.other_file_shown", "Shown", running.Config, "Asked", location.Path))
		}
	case err != nil:
		s.complain(err)
		return exitFailed
	}
	return exitOK
}

// events are the events of the system, for which GLFW asks.
type events struct{}

func (events) Await(most time.Duration) { glfw.WaitEventsTimeout(most.Seconds()) }
func (events) Wake()                    { glfw.PostEmptyEvent() }

// system is what the system offers to the window.
type system struct{}

func (system) Shows(tag string) bool               { return locale.CanShow(tag) }
func (system) OnTrayTapped(tapped func())          { systray.SetOnTapped(tapped) }
func (system) Attend(requests dock.Requests) error { return dock.Attend(requests) }

// addPlaces sets where the app stores its history, logs, usage and preferences, as far as the places are
// known.
func addPlaces(o *app.Options) {
	folders := paths.Here(os.Getenv)
	if history, err := folders.History(); err == nil {
		o.HistoryDir = history
		o.Unapplied, _ = folders.Unapplied()
	} else {
		o.Logger.Warn("there will be no history of the configuration", "error", err)
	}
	if path, err := folders.Logs(); err == nil {
		o.Logs = logs.Folder(path)
	}
	if folder, preferences, err := usagePlaces(); err == nil {
		o.Usage = engines.UsageSource{Folder: folder, Preferences: preferences}
	}
	if path, err := folders.Preferences(); err == nil {
		if o.Preferences, err = model.OpenPreferences(path); err != nil {
			o.Logger.Warn("the preferences are the usual ones", "error", err)
		}
	}
}

// notices are the notifications of the system.
type notices struct {
	presenter *notify.Presenter
	log       *slog.Logger
}

// Show shows a notification.
func (n notices) Show(notice notify.Notice, answered func(notify.Answer)) {
	title, text := plainNotice(runtime.GOOS, notice.Title, notice.Text)
	if err := n.presenter.Show(title, text, notice, answered); err != nil {
		n.log.Warn("A notification could not be shown", "error", err)
	}
}

// keptIcon returns the path of the icon for notifications, in Fyne's folder for the program; empty if there
// is none.
func keptIcon() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	path := filepath.Join(cache, "fyne", app.ID, "icon.png")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, assets.AppIcon, 0o600) != nil {
		return ""
	}
	return path
}

// engineBeside returns the path of the engine beside this program, which makes a smaller guardian; "" if
// there is none.
func engineBeside() string {
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	system, err := clients.ThisSystem(os.Getenv)
	if err != nil {
		return ""
	}
	return system.EngineBeside(program)
}

// overHTTP returns what runs "serve" for the window; nil without a home folder.
func overHTTP(configuration, link string) appclients.HTTP {
	folders := paths.Here(os.Getenv)
	tokens, err := folders.Tokens()
	if err != nil {
		return nil
	}
	place, err := folders.Serving()
	if err != nil {
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	args := []string{"--config", configuration}
	if link != "" {
		args = append(args, "--link", link)
	}
	return serving.New(serving.Options{Tokens: token.Open(tokens), File: place,
		Program: cmp.Or(engineBeside(), program), Args: args})
}

// login returns the setting for the start at login; nil if that is not possible.
func login() settings.Login {
	program, err := autostart.Executable(os.Getenv)
	if err != nil {
		return nil
	}
	entry, err := autostart.New(os.Getenv)
	if err != nil {
		return nil
	}
	return atLogin{entry, program}
}

// newerVersions is what the app knows about newer versions.
type newerVersions struct{ *updates.Updates }

// How says how this installation is updated.
func (newerVersions) How(release updates.Release) words.Text { return wayToUpdate().Text(release) }

// atLogin is the start at login as the app sees it.
type atLogin struct {
	entry   *autostart.Autostart
	program string
}

// On reports whether this program starts at login.
func (l atLogin) On() (bool, error) {
	status, err := l.entry.Status(l.program)
	return status.On && !status.Moved, err
}

// Set turns the start at login on or off.
func (l atLogin) Set(on bool) error {
	if on {
		return l.entry.Enable(l.program)
	}
	return l.entry.Disable()
}

// display returns how much room the screen has, see roomOnScreen, or an error if no window can be opened:
// "command.no_opengl" if there is a desktop that draws none. Fyne does not check this: it logs, continues, and panics
// at the first window.
func display(env func(string) string) (room fyne.Size, err error) {
	if runtime.GOOS == "darwin" {
		// GLFW would make a folder inside the app the current one, also for servers. Fyne's own start keeps this
		// setting.
		glfw.InitHint(glfw.CocoaChdirResources, glfw.False)
		return room, nil // a Mac has a display and OpenGL, or does not start this program
	}
	x11, wayland := env("DISPLAY"), env("WAYLAND_DISPLAY")
	if x11 == "" && wayland == "" && runtime.GOOS != "windows" {
		return room, words.NewError("command.display_unset")
	}
	if wayland == "" && runtime.GOOS != "windows" {
		// GLFW is told to use X11, since it would otherwise try Wayland and log an error. Fyne's own start
		// keeps this setting.
		glfw.InitHint(glfw.PlatformHint, int(glfw.PlatformX11))
	}
	// Fyne opens its windows with GLFW. Only a real attempt shows whether the display exists and accepts us.
	if err := glfw.Init(); err != nil {
		return room, words.NewError("command.display_refused", "X11", x11, "Wayland", wayland, "Why", err)
	}
	defer glfw.Terminate()
	return roomOnScreen(env), drawable()
}

// roomOnScreen returns the size of the screen in Fyne's pixels; zero if it is not known. If the user has asked for a
// scale at which the least window would not fit, it lowers that: nobody could reach the buttons at the edges.
func roomOnScreen(env func(string) string) fyne.Size {
	monitor := glfw.GetPrimaryMonitor()
	if monitor == nil || monitor.GetVideoMode() == nil {
		return fyne.Size{}
	}
	mode := monitor.GetVideoMode()
	width, height := float32(mode.Width), float32(mode.Height)
	asked := env("FYNE_SCALE")
	scale := scaleOn(width, height, asked)
	if wanted, err := strconv.ParseFloat(asked, 32); err == nil && float32(wanted) > scale {
		os.Setenv("FYNE_SCALE", strconv.FormatFloat(float64(scale), 'f', 2, 32))
	}
	return fyne.NewSize(width/scale, (height-titleHeight)/scale)
}
