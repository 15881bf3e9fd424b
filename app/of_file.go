package app

import (
	"context"
	"path/filepath"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// ofFile carries out what the user does on the screen of the file.
type ofFile struct{ *controller }

var _ file.Program = ofFile{}

func (p ofFile) With(job func(context.Context, *store.Store) error, done func(error)) {
	p.saver.With(job, done)
}

func (p ofFile) Background(work, done func()) {
	p.tasks.Background(func() {
		work()
		p.tasks.Do(done)
	})
}

func (p ofFile) Warnings(typed *config.Document) []config.Diagnostic {
	return p.aggregator.Typed(p.tasks.Context(), typed, p.options.surroundings())
}

func (p ofFile) Typed(unsaved bool) {
	name := ""
	if unsaved {
		name = filepath.Base(p.now.view.Path)
	}
	p.detail.NoteFile(name)
}

func (p ofFile) Undoable(text string)                             { p.saver.Undoable(text) }
func (p ofFile) Back()                                            { p.places.Choose(placeToolboxes) }
func (p ofFile) OpenFile()                                        { p.window.OpenFile(p.options.Location.Path) }
func (p ofFile) OpenFolder()                                      { p.window.OpenFolder(p.options.Location.Path) }
func (p ofFile) After(wait time.Duration, f func()) (stop func()) { return p.tasks.Later(wait, f) }
func (p ofFile) Now() time.Time                                   { return time.Now() }
