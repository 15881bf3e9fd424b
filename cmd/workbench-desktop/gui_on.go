//go:build !headless

package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/lang"
	"fyne.io/systray"

	"github.com/go-gl/glfw/v3.4/glfw"

	"github.com/workbench-mcp/workbench-desktop/app"
	"github.com/workbench-mcp/workbench-desktop/app/dock"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/autostart"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// variant tells this build from the others in "version".
const variant = ""

// hasWindow reports whether this build has a window.
const hasWindow = true

// runDesktop runs the desktop app until the user quits or the context ends. It must be called on the goroutine of main, which
// becomes that of the window. This is the only file that imports Fyne's driver, which needs cgo.
func runDesktop(ctx context.Context, options desktopOptions, s streams) int {
	location, err := config.Locate(options.ConfigFlag, os.Getenv)
	if err != nil {
		s.complain(err)
		return exitFailed
	}
	if err := display(os.Getenv); err != nil {
		s.complain(words.NewError("command.no_display", "Why", err))
		return exitFailed
	}

	// Fyne makes its folders below this one, but not this one, and would complain about that in a new home folder.
	if cache, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(cache, 0o700) // without it Fyne works as well
	}
	fyneapp.SetMetadata(app.Metadata(version))
	fyneApp := fyneapp.NewWithID(app.ID)
	surroundings := environ.New(os.Environ())
	defer surroundings.Close()
	guard := guardian.New(guardian.Options{Program: engineBeside(), Logger: options.Log})
	defer guard.Close()
	appOptions := app.Options{
		App:     fyneApp,
		Version: version,
		Hidden:  options.Hidden && options.Open == "",
		Open:    options.Open,
		Logger:  options.Log,
		Files:   app.Files{Location: location, Link: options.Link},
		User:    app.User{Lookup: config.SystemLookup(), Environ: surroundings, Start: guard.Start, Login: login(), SignIns: openSignIns("", options.Log), Approvals: openApprovals(), Pins: openPins(options.Log)},
		Desktop: app.Desktop{OnTrayTapped: systray.SetOnTapped, Attend: dock.Attend},
	}
	if program, err := autostart.Executable(os.Getenv); err == nil {
		appOptions.Links, _ = links.New(os.Getenv, program) // without a home folder nobody can be entered
	}
	appOptions.Runtimes = openRuntimes(ctx, surroundings)
	addPlaces(&appOptions)
	if appOptions.HistoryDir != "" { // without a home folder there are no clients either
		appOptions.Apps, _ = setup.Open(setup.Options{
			Getenv: os.Getenv, Location: location, Environ: func(name string) []string { return surroundings.For(ctx, name) },
		})
	}
	appOptions.SetLogLevel = func(level string) { _ = options.Level.UnmarshalText([]byte(level)) } // one of four words
	if appOptions.Preferences != nil && !options.LevelGiven {
		appOptions.SetLogLevel(appOptions.Preferences.Get().LogLevel)
	}
	// Without a session bus there is no tray, which the window says itself, and nobody who shows notifications.
	if host, err := tray.NewHost(os.Getenv); err == nil {
		defer host.Close()
		bell := notify.NewBell(fyneApp, host, keptIcon())
		defer bell.Close()
		appOptions.Host, appOptions.Notify = host, notifier(bell, options.Log)
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

// addPlaces tells the app where it keeps its history, logs, usage and preferences, as far as the places are known.
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

// notifier returns a function that shows a notice as a notification of the system.
func notifier(bell *notify.Bell, log *slog.Logger) func(notify.Notice, func()) {
	return func(notice notify.Notice, tapped func()) {
		title, text := plainNotice(runtime.GOOS, notice.Title, notice.Text)
		look := ""
		if notice.Asks {
			look = lang.L("Look at it…")
		}
		if err := bell.Ring(title, text, look, tapped); err != nil {
			log.Warn("A notification could not be shown", "error", err)
		}
	}
}

// keptIcon is the file with the program's icon that notifications show, in the folder that Fyne has for the program; empty when there is none.
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

// engineBeside is the engine beside this program, which makes a smaller guardian; "" when there is none.
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

// login switches the start at login; nil where that cannot be.
func login() app.Login {
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

// atLogin is how the app sees the start at login.
type atLogin struct {
	entry   *autostart.Autostart
	program string
}

// On reports whether this program starts at login.
func (l atLogin) On() (bool, error) {
	status, err := l.entry.Status(l.program)
	return status.On && !status.Moved, err
}

// Set switches it on or off.
func (l atLogin) Set(on bool) error {
	if on {
		return l.entry.Enable(l.program)
	}
	return l.entry.Disable()
}

// display tells why no window can be opened, if so. Fyne does not: it logs, goes on, and panics at the first window.
func display(env func(string) string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return nil // these have a display or do not start us
	}
	x11, wayland := env("DISPLAY"), env("WAYLAND_DISPLAY")
	if x11 == "" && wayland == "" {
		return words.NewError("command.display_unset")
	}
	if wayland == "" {
		// Said to GLFW, which would try Wayland all the same and complain about it. Fyne's own start keeps to it.
		glfw.InitHint(glfw.PlatformHint, int(glfw.PlatformX11))
	}
	// GLFW is what Fyne opens its windows with. Only a real attempt tells whether the display is there and lets us in.
	if err := glfw.Init(); err != nil {
		return words.NewError("command.display_refused", "X11", x11, "Wayland", wayland, "Why", err)
	}
	glfw.Terminate()
	return nil
}
