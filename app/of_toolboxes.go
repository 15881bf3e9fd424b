package app

import (
	"os"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// ofToolboxes carries out what the user does on the screen of the toolboxes.
type ofToolboxes struct{ *controller }

var _ toolboxes.Program = ofToolboxes{}

func (p ofToolboxes) PickFolder(done func(path string)) {
	p.window.PickFolder(func(path string) { done(kit.ShortPath(path, paths.Here(os.Getenv).Home)) })
}

func (p ofToolboxes) Add(toolbox string) { p.adding.Open(add.Start{Toolbox: toolbox}) }

func (p ofToolboxes) Paste(text, toolbox string) {
	if strings.TrimSpace(text) == "" { // nothing, or a picture
		p.window.Say(add.NoText())
		return
	}
	p.adding.Open(add.Start{Text: text, Toolbox: toolbox, Way: add.WayPaste})
}

func (p ofToolboxes) DropFiles(toolbox string, uris []fyne.URI) { p.adding.Drop(toolbox, uris) }
func (p ofToolboxes) CanImport() bool                           { return p.options.Apps != nil }
func (p ofToolboxes) Import()                                   { p.places.Choose(placeClients) }
func (p ofToolboxes) Share(toolbox string)                      { p.share(toolbox) }

func (p ofToolboxes) ShowComputer() {
	p.places.Choose(placeSettings)
	p.settings.Show(settings.SectionDoctor)
}

func (p ofToolboxes) Start(at model.Choice)          { p.start(at) }
func (p ofToolboxes) Stop(at model.Choice)           { p.stopServer(at) }
func (p ofToolboxes) Restart(at model.Choice)        { p.restart(at) }
func (p ofToolboxes) StopAll(servers []model.Choice) { p.stopAll(servers) }
func (p ofToolboxes) Fix(at model.Choice)            { p.fix(at) }
func (p ofToolboxes) ShowLog(at model.Choice)        { p.showTab(at, model.TabLog) }

func (p ofToolboxes) Edit(ops []edit.Op, done func(error)) { p.saver.Edit(ops, done) }
func (p ofToolboxes) Undoable(text string)                 { p.saver.Undoable(text) }
func (p ofToolboxes) PutBack()                             { p.saver.PutBack() }
func (p ofToolboxes) FixAll(done func(error))              { p.saver.FixAll(done) }

func (p ofToolboxes) ApplyFix(problem config.Diagnostic, done func(error)) {
	p.saver.ApplyFix(problem, done)
}

func (p ofToolboxes) ShowProblem(problem config.Diagnostic) { p.showProblem(problem) }
func (p ofToolboxes) OpenFile()                             { p.showFile() }
func (p ofToolboxes) OpenFolder()                           { p.window.OpenFolder(p.options.Location.Path) }

func (p ofToolboxes) ShowServer(at model.Choice)              { p.detail.Show(at) }
func (p ofToolboxes) Leave()                                  { p.detail.Editor.Leave() }
func (p ofToolboxes) ShowField(at model.Choice, field string) { p.showField(at, field) }
func (p ofToolboxes) Renamed(from, to model.Choice)           { p.detail.Renamed(from, to) }

func (p ofToolboxes) ShowTool(_ model.Choice, tool string) {
	p.detail.Open(model.TabTools)
	p.detail.Tools.Open(tool)
}
