package app

import (
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// fileScreen makes the screen with the text of the file.
func (c *controller) fileScreen() frame.Screen {
	c.file = file.New(c.fileActions())
	return &frame.Drawn[file.View]{On: c.file, View: c.fileView, Deeds: frame.Deeds{OnLeave: c.file.Leave, OnFind: c.file.Find, OnBack: func() bool {
		if !c.file.Back() {
			c.places.Choose(placeToolboxes)
		}
		return true
	}}}
}

func (c *controller) fileView(now *model.Model) file.View {
	view := file.View{
		Path: c.options.Location.Path, Now: now.File.Now, Problem: now.File.Problem,
		Unsaved: now.File.Pending != nil, Edits: now.File.Edits, More: now.Warnings,
	}
	if c.options.Apps != nil {
		view.Home = c.options.Apps.System.Home
	}
	return view
}

func (c *controller) fileActions() file.Actions {
	return file.Actions{
		With: c.saver.With,
		Background: func(work, done func()) {
			c.tasks.Background(func() {
				work()
				c.tasks.Do(done)
			})
		},
		More: func(typed *config.Document) []config.Diagnostic {
			return c.aggregator.Typed(c.tasks.Context(), typed, c.surroundings())
		},
		Typed: func(left bool) {
			name := ""
			if left {
				name = filepath.Base(c.now.view.Path)
			}
			c.detail.NoteFile(name)
		},
		Undoable:   c.saver.Undoable,
		After:      c.tasks.Later,
		Back:       func() { c.places.Choose(placeToolboxes) },
		OpenFile:   func() { c.window.OpenFile(c.options.Location.Path) },
		OpenFolder: func() { c.window.OpenFolder(c.options.Location.Path) },
	}
}

// showFile shows the text of the file.
func (c *controller) showFile() { c.places.Choose(placeFile) }

// showProblem goes to the place of a problem in the text of the file.
func (c *controller) showProblem(problem config.Diagnostic) {
	c.places.Choose(placeFile)
	c.file.Goto(problem.Line, problem.Column)
}

// leaveFile saves the typed text of the file, if it is valid, and hides its secrets before the window closes.
func (c *controller) leaveFile() {
	if c.places.At() == placeFile && c.file != nil {
		c.file.Leave()
	}
}
