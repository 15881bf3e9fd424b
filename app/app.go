// Package app is the desktop app: its window, its place in the tray, and what keeps both up to date.
//
// State flows one way. The configuration is watched on a goroutine of its own; each change becomes an immutable view, which
// is handed to the window's goroutine, where the screens and the tray draw it.
//
// The package does not import Fyne's driver, which needs cgo and a display. Its caller brings the fyne.App.
package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// ID is the program's name towards the system, as in FyneApp.toml.
const ID = "io.github.workbench_mcp.WorkbenchDesktop"

// Name is the program's name towards people.
const Name = "Workbench"

// Metadata tells Fyne who we are. Without it the tray would be called by the ID.
func Metadata(version string) fyne.AppMetadata {
	return fyne.AppMetadata{ID: ID, Name: Name, Version: version, Build: 1, Icon: Icon()}
}

// Icon is the program's icon.
func Icon() fyne.Resource { return fyne.NewStaticResource("workbench.png", assets.AppIcon) }

// Options say how the app runs.
type Options struct {
	App      fyne.App        // required; its driver decides where the window is
	Location config.Location // of the configuration file

	// Hidden starts in the tray, without the window. Where there is no tray the window is shown all the same.
	Hidden bool

	// Host finds the tray; nil when there is none. The caller closes it.
	Host *tray.Host

	// OnTrayTapped says what a click on the tray's icon does, nil where the icon can only show its menu. The function that
	// it is given may be called on any goroutine.
	OnTrayTapped func(func())
}

// trayPatience is how long a start without a window waits for a tray. When a session starts, programs start in any order.
const trayPatience = 20 * time.Second

// Run shows the app until the user quits or the context ends. It must be called on the goroutine of main, which becomes that
// of the window.
func Run(ctx context.Context, options Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		return fmt.Errorf("reading the texts of the window: %w", err)
	}
	options.App.Settings().SetTheme(theme.Theme{})
	options.App.SetIcon(Icon())

	d := &desk{options: options, source: firstSource(options.Location)}
	// Before any window: only now can the tray be set up, and whether there is one decides what closing a window means.
	host := d.findTray(ctx)
	d.window = newWindow(options.App, windowActions{openFile: d.openFile, openFolder: d.openFolder, quit: d.quit})
	if host != nil {
		d.startTray(host)
	}
	d.window.onClose(d.closeWindow)
	d.show()
	if !options.Hidden || d.tray == nil {
		d.window.window.Show()
	}

	var wg sync.WaitGroup
	wg.Go(func() {
		watch := config.WatchOptions{Last: d.source.Now, Changed: func(now *config.Document, err error) {
			d.do(func() { d.changed(now, err) })
		}}
		// It ends when the context does, and with no other error.
		_ = config.NewWatcher(options.Location, watch).Run(ctx)
	})
	wg.Go(func() {
		<-ctx.Done()
		d.do(d.quit)
	})
	options.App.Lifecycle().SetOnStopped(d.stop)
	options.App.Run()
	d.stop()
	cancel()
	wg.Wait()
	if d.tray != nil {
		d.tray.Close()
	}
	return nil
}

// firstSource reads the configuration for the first time.
func firstSource(location config.Location) source {
	var s source
	s.Path = location.Path
	now, err := config.Read(location)
	s.change(now, err)
	return s
}

// desk is the running app. But for do and stop, all of it belongs to the goroutine of the window.
type desk struct {
	options Options
	source  source
	window  *window
	host    *tray.Host     // where closing the window leaves us, nil without
	tray    *tray.Renderer // nil without a tray

	mu      sync.Mutex
	stopped bool
}

// do runs a function on the goroutine of the window, unless the window is gone.
func (d *desk) do(f func()) {
	fyne.Do(func() {
		// After its end Fyne runs what it is given at once, on whatever goroutine; by then there is nothing to draw on.
		d.mu.Lock()
		stopped := d.stopped
		d.mu.Unlock()
		if !stopped {
			f()
		}
	})
}

// stop makes everything that is still on its way to the window harmless.
func (d *desk) stop() {
	d.mu.Lock()
	d.stopped = true
	d.mu.Unlock()
}

// changed takes up a change of the configuration file.
func (d *desk) changed(now *config.Document, err error) {
	d.source.change(now, err)
	d.show()
}

// show draws the state as it is.
func (d *desk) show() {
	view := d.source.view()
	d.window.apply(view)
	if d.tray != nil {
		d.tray.Update(trayState(view))
	}
}

// findTray gives the tray, if there is one. A start without a window waits for it.
func (d *desk) findTray(ctx context.Context) *tray.Host {
	host := d.options.Host
	if _, can := d.options.App.(desktop.App); host == nil || !can {
		return nil
	}
	if d.options.Hidden {
		patience, cancel := context.WithTimeout(ctx, trayPatience)
		defer cancel()
		if !host.Await(patience) {
			return nil
		}
		return host
	}
	if !host.Present() {
		return nil
	}
	return host
}

func (d *desk) startTray(host *tray.Host) {
	d.host = host
	draw := tray.Draw(d.options.App.(desktop.App), tray.Actions{Open: d.open, Quit: d.quit})
	d.tray = tray.NewRenderer(draw, d.do)
	if d.options.OnTrayTapped != nil {
		d.options.OnTrayTapped(func() { d.do(func() { d.open(tray.Target{}) }) })
	}
	d.window.noTray(false)
}

// open brings the window to the front, with something selected in it.
func (d *desk) open(target tray.Target) {
	d.window.window.Show()
	d.window.window.RequestFocus()
	if target.Toolbox != "" {
		d.window.choose(target.Toolbox, target.Server)
	}
}

// closeWindow is what the close button of the window does: the app stays in the tray if there is one now. One that has gone
// since the start would take the window with it for good.
func (d *desk) closeWindow() {
	if d.host != nil && d.host.Present() {
		d.window.window.Hide()
		return
	}
	d.quit()
}

func (d *desk) quit() {
	d.options.App.Quit()
}

func (d *desk) openFile() {
	path := d.source.Path
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		d.openFolder()
		return
	}
	d.openPath(path)
}

func (d *desk) openFolder() {
	folder := filepath.Dir(d.source.Path)
	// The folder of a first configuration is not there yet.
	if err := os.MkdirAll(folder, 0o700); err != nil {
		d.window.fail(fmt.Errorf("making the folder %s: %w", folder, err))
		return
	}
	d.openPath(folder)
}

// openPath shows a file or folder in the program that the user has for it.
func (d *desk) openPath(path string) {
	address := fileURL(path)
	if err := d.options.App.OpenURL(address); err != nil {
		d.window.fail(fmt.Errorf("opening %s: %w", path, err))
	}
}

// fileURL is the address of a file.
func fileURL(path string) *url.URL {
	path = filepath.ToSlash(path)
	if path != "" && path[0] != '/' { // a Windows path begins with its drive
		path = "/" + path
	}
	return &url.URL{Scheme: "file", Path: path}
}
