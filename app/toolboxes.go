package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// toolboxesScreen makes the screen of the toolboxes, with the settings of a server.
func (d *controller) toolboxesScreen() frame.Screen {
	d.toolboxes = toolboxes.New(d.toolboxesActions())
	return &drawn[toolboxes.View]{
		on:    allOfToolboxes{d},
		view:  func(*model.Model) toolboxes.View { return d.now.view },
		leave: func() { d.detail.Editor.Commit() },
		find:  d.findHere,
		back:  func() bool { return d.detail.Shown() && d.detail.Editor.Escape() || d.toolboxes.Back() },
		drop:  func(at fyne.Position, uris []fyne.URI) { d.toolboxes.Dropped(at, uris) },
	}
}

// allOfToolboxes draws the toolboxes and the server that is selected.
type allOfToolboxes struct{ *controller }

func (t allOfToolboxes) Object() fyne.CanvasObject { return t.toolboxes.Object() }

func (t allOfToolboxes) Apply(view toolboxes.View) {
	t.toolboxes.Apply(view)
	t.detail.Apply(t.now.Snapshot)
}

// findHere puts the keyboard into the search field that is nearest to what is being looked at.
func (d *controller) findHere(canvas fyne.Canvas) {
	switch {
	case d.detail.Shown() && d.detail.Tab == editor.TabTools && d.detail.Tools.FocusSearch(canvas):
	case d.detail.Shown() && d.detail.Tab == editor.TabLog:
		d.detail.Log.FocusSearch(canvas)
	default:
		d.toolboxes.FocusSearch(canvas)
	}
}

func (d *controller) toolboxesActions() toolboxes.Actions {
	return toolboxes.Actions{
		Edit:         d.saver.Edit,
		Undoable:     d.saver.Undoable,
		Add:          func(toolbox string) { d.adding.Open(add.Start{Toolbox: toolbox}) },
		Paste:        func(text, toolbox string) { d.adding.Open(add.Start{Text: text, Toolbox: toolbox, Way: add.WayPaste}) },
		Import:       d.importAction(),
		DropFiles:    d.adding.Drop,
		Detail:       d.detail.Editor.Object(),
		ShowServer:   d.detail.Show,
		Renamed:      d.detail.Renamed,
		Start:        d.start,
		Restart:      d.restart,
		Stop:         d.stopServer,
		ShowLog:      func(at toolboxes.Choice) { d.showTab(at, editor.TabLog) },
		Fix:          d.fix,
		OpenToolbox:  d.engines.OpenToolbox,
		CloseToolbox: d.engines.CloseToolbox,
		ApplyFix:     d.saver.ApplyFix,
		FixAll:       d.saver.FixAll,
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
	if d.now.Server(at).State == status.SignIn && d.signing.Begin(at) {
		return
	}
	tab := editor.TabSetup
	if problem := d.now.Server(at).Problem; problem != nil {
		switch problem.Kind {
		case status.KindExited, status.KindProtocol:
			tab = editor.TabLog
		case status.KindTimeout: // what it did is in its log; the time that it has is what can be changed
			d.showTab(at, editor.TabSetup)
			d.detail.Editor.FocusLimit()
			return
		}
	}
	d.showTab(at, tab)
	if tab == editor.TabSetup {
		d.detail.Editor.FocusStart()
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
	d.toolboxes.ShowProblems()
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

// openFile shows the configuration file in the program that the user has for it, openFolder its folder.
func (d *controller) openFile() {
	path := d.options.Location.Path
	d.tasks.Background(func() {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			d.tasks.Do(d.openFolder)
			return
		}
		d.tasks.Do(func() { d.window.OpenPath(path) })
	})
}

func (d *controller) openFolder() {
	folder := filepath.Dir(d.options.Location.Path)
	// The folder of a first configuration is not there yet.
	if err := os.MkdirAll(folder, 0o700); err != nil {
		d.window.Fail(err)
		return
	}
	d.window.OpenPath(folder)
}

// surroundings are where programs and values are looked for.
func (d *controller) surroundings() doctor.Surroundings {
	return doctor.Surroundings{Lookup: d.options.Lookup, Environ: d.options.Environ}
}
