//go:build !headless

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/systray"
	"github.com/go-gl/glfw/v3.4/glfw"

	"github.com/workbench-mcp/workbench-desktop/app"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// variant tells this build from the others in "version".
const variant = ""

// hasWindow tells whether the help is to speak of the window.
const hasWindow = true

// runDesktop runs the desktop app until the user quits or the context ends. It must be called on the goroutine of main, which
// becomes that of the window. This is the only file that imports Fyne's driver, which needs cgo.
func runDesktop(ctx context.Context, options desktopOptions, _, stderr io.Writer) int {
	location, err := config.Locate(options.ConfigFlag, os.Getenv)
	if err != nil {
		fmt.Fprintf(stderr, "workbench-desktop: %v\n", err)
		return exitFailed
	}
	if err := display(os.Getenv); err != nil {
		fmt.Fprintf(stderr, "workbench-desktop: %v, so the window cannot open. %s\n", err, withoutWindow)
		return exitFailed
	}

	// Fyne makes its folders below this one, but not this one, and would complain about that in a new home folder.
	if cache, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(cache, 0o700) // without it Fyne works as well
	}
	fyneapp.SetMetadata(app.Metadata(version))
	appOptions := app.Options{
		App:          fyneapp.NewWithID(app.ID),
		Location:     location,
		Hidden:       options.Hidden,
		OnTrayTapped: systray.SetOnTapped,
	}
	// Without a session bus there is no tray, which the window says itself.
	if host, err := tray.NewHost(os.Getenv); err == nil {
		defer host.Close()
		appOptions.Host = host
	}
	if err := app.Run(ctx, appOptions); err != nil {
		fmt.Fprintf(stderr, "workbench-desktop: %v\n", err)
		return exitFailed
	}
	return exitOK
}

// display tells why no window can be opened, if so. Fyne does not: it logs, goes on, and panics at the first window.
func display(env func(string) string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return nil // these have a display or do not start us
	}
	x11, wayland := env("DISPLAY"), env("WAYLAND_DISPLAY")
	if x11 == "" && wayland == "" {
		return fmt.Errorf("there is no display here (DISPLAY and WAYLAND_DISPLAY are not set)")
	}
	if wayland == "" {
		// Said to GLFW, which would try Wayland all the same and complain about it. Fyne's own start keeps to it.
		glfw.InitHint(glfw.PlatformHint, int(glfw.PlatformX11))
	}
	// GLFW is what Fyne opens its windows with. Only a real attempt tells whether the display is there and lets us in.
	if err := glfw.Init(); err != nil {
		return fmt.Errorf("the display cannot be opened (DISPLAY is %q, WAYLAND_DISPLAY is %q): %w", x11, wayland, err)
	}
	glfw.Terminate()
	return nil
}
