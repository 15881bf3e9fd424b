package app

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func (d *controller) toolboxesActions() toolboxes.Actions {
	return toolboxes.Actions{
		Edit:         d.edit,
		Undoable:     d.undoable,
		Add:          func(toolbox string) { d.addServer(add.Start{Toolbox: toolbox}) },
		Paste:        func(text, toolbox string) { d.addServer(add.Start{Text: text, Toolbox: toolbox, Way: add.WayPaste}) },
		Import:       d.importAction(),
		DropFiles:    d.dropFiles,
		Detail:       d.detail.editor.Object(),
		ShowServer:   d.detail.show,
		Renamed:      d.detail.renamed,
		Start:        d.start,
		Restart:      d.restart,
		Stop:         d.stopServer,
		ShowLog:      func(at toolboxes.Choice) { d.showTab(at, editor.TabLog) },
		Fix:          d.fix,
		OpenToolbox:  d.engines.OpenToolbox,
		CloseToolbox: d.engines.CloseToolbox,
		ApplyFix:     d.applyFix,
		FixAll:       d.fixAll,
		ShowProblem:  d.showProblem,
		OpenFile:     d.showFile,
		OpenFolder:   d.openFolder,
	}
}

func (d *controller) start(at toolboxes.Choice)   { d.engines.Start(d.now.Snapshot, at) }
func (d *controller) restart(at toolboxes.Choice) { d.engines.Restart(d.now.Snapshot, at) }

// stopServer ends a server until it is started, or its toolbox opened again.
func (d *controller) stopServer(at toolboxes.Choice) { d.engines.Stop(d.now.Snapshot, at) }

// fix has the user sign in where that is what a server wants. Else it shows where one that does not run can be mended: its log
// when it did start, else its settings.
func (d *controller) fix(at toolboxes.Choice) {
	if d.now.Server(at).State == status.SignIn && d.signIn(at) {
		return
	}
	tab := editor.TabSetup
	if problem := d.now.Server(at).Problem; problem != nil {
		switch problem.Kind {
		case status.KindExited, status.KindProtocol:
			tab = editor.TabLog
		case status.KindTimeout: // what it did is in its log; the time that it has is what can be changed
			d.showTab(at, editor.TabSetup)
			d.detail.editor.FocusLimit()
			return
		}
	}
	d.showTab(at, tab)
	if tab == editor.TabSetup {
		d.detail.editor.FocusStart()
	}
}

// pause ends all servers and has engines refuse to start any, or lets them go on.
func (d *controller) pause(on bool) {
	d.tasks.Background(func() {
		d.engines.Hub.SetPaused(on)
		d.aggregator.Again()
	})
}

// showProblems goes to where the problems are listed.
func (d *controller) showProblems() {
	d.choose(placeToolboxes)
	d.screen.ShowProblems()
}

// lookPath finds the program of a server.
func (d *controller) lookPath(server config.Server, done func(string, error)) {
	here := d.surroundings()
	// The keychain may ask the user, which the name of a program is not worth.
	here.Lookup.Keyring = func(string) (string, error) { return "", nil }
	d.tasks.Background(func() {
		path, err := here.FindProgram(context.Background(), server)
		d.tasks.Do(func() { done(path, err) })
	})
}

// copy puts a text on the clipboard.
func (d *controller) copy(text string) { d.options.App.Clipboard().SetContent(text) }

// saveAs lets the user choose where to save something, and saves it.
func (d *controller) saveAs(name string, data []byte) {
	ask := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
		switch {
		case err != nil:
			d.fail(err)
		case file != nil:
			d.tasks.Background(func() {
				_, err := file.Write(data)
				if err = errors.Join(err, file.Close()); err != nil {
					d.tasks.Do(func() { d.fail(err) })
				}
			})
		}
	}, d.window.window)
	ask.SetFileName(name)
	d.showDialog(ask)
}

// pickFile lets the user choose a file, and pickFolder a folder.
func (d *controller) pickFile(done func(path string)) {
	d.showDialog(dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			d.fail(err)
		case file != nil:
			path := file.URI().Path()
			_ = file.Close() // only its path is wanted
			done(filepath.FromSlash(path))
		}
	}, d.window.window))
}

func (d *controller) pickFolder(done func(path string)) {
	d.showDialog(dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		switch {
		case err != nil:
			d.fail(err)
		case folder != nil:
			done(filepath.FromSlash(folder.Path()))
		}
	}, d.window.window))
}

// openFile shows the configuration file in the program that the user has for it, openFolder its folder.
func (d *controller) openFile() {
	path := d.options.Location.Path
	d.tasks.Background(func() {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			d.tasks.Do(d.openFolder)
			return
		}
		d.tasks.Do(func() { d.openPath(path) })
	})
}

func (d *controller) openFolder() {
	folder := filepath.Dir(d.options.Location.Path)
	// The folder of a first configuration is not there yet.
	if err := os.MkdirAll(folder, 0o700); err != nil {
		d.fail(err)
		return
	}
	d.openPath(folder)
}

// openPath shows a file or folder in the program that the user has for it.
func (d *controller) openPath(path string) {
	if err := d.options.App.OpenURL(fileURL(path)); err != nil {
		d.fail(err)
	}
}

// openURL shows an address in the user's browser.
func (d *controller) openURL(address string) {
	parsed, err := url.Parse(address)
	if err == nil && (parsed.Scheme == "https" || parsed.Scheme == "http") {
		err = d.options.App.OpenURL(parsed)
	}
	if err != nil {
		d.fail(err)
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
