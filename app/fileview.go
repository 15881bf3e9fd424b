package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func (d *controller) fileView() file.View {
	view := file.View{
		Path: d.options.Location.Path, Now: d.now.File.Now, Problem: d.now.File.Problem,
		Unsaved: d.now.File.Pending != nil, Edits: d.now.File.Edits, More: d.now.Warnings,
	}
	if d.options.Apps != nil {
		view.Home = d.options.Apps.System.Home
	}
	return view
}

func (d *controller) fileActions() file.Actions {
	return file.Actions{
		With: d.with,
		Background: func(work, done func()) {
			d.tasks.Background(func() {
				work()
				d.tasks.Do(done)
			})
		},
		More: func(typed *config.Document) []config.Diagnostic {
			return d.aggregator.Typed(d.tasks.Context(), typed, d.surroundings())
		},
		Undoable:   d.undoable,
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
