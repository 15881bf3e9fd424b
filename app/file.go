package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// fileScreen makes the screen with the text of the file.
func (d *controller) fileScreen() frame.Screen {
	d.file = file.New(d.fileActions())
	return &drawn[file.View]{
		on: d.file, view: d.fileView, leave: d.file.Leave, find: d.file.Find,
		back: func() bool {
			if !d.file.Back() {
				d.choose(placeToolboxes)
			}
			return true
		},
	}
}

func (d *controller) fileView(now *model.Model) file.View {
	view := file.View{
		Path: d.options.Location.Path, Now: now.File.Now, Problem: now.File.Problem,
		Unsaved: now.File.Pending != nil, Edits: now.File.Edits, More: now.Warnings,
	}
	if d.options.Apps != nil {
		view.Home = d.options.Apps.System.Home
	}
	return view
}

func (d *controller) fileActions() file.Actions {
	return file.Actions{
		With: d.saver.With,
		Background: func(work, done func()) {
			d.tasks.Background(func() {
				work()
				d.tasks.Do(done)
			})
		},
		More: func(typed *config.Document) []config.Diagnostic {
			return d.aggregator.Typed(d.tasks.Context(), typed, d.surroundings())
		},
		Undoable:   d.saver.Undoable,
		After:      d.tasks.Later,
		Back:       func() { d.choose(placeToolboxes) },
		OpenFile:   d.openFile,
		OpenFolder: d.openFolder,
	}
}

// showFile shows the text of the file.
func (d *controller) showFile() { d.choose(placeFile) }

// showProblem goes to the place of a problem in the text of the file.
func (d *controller) showProblem(problem config.Diagnostic) {
	d.choose(placeFile)
	d.file.Goto(problem.Line, problem.Column)
}

// leaveFile saves what is typed in the text of the file as far as it can be used, and hides its secrets, before the window goes.
func (d *controller) leaveFile() {
	if d.at == placeFile && d.file != nil {
		d.file.Leave()
	}
}
