package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// ofSettings carries out what the user does on the screen of the settings. The service does what concerns the computer
// alone.
type ofSettings struct {
	*settings.Service
	of *controller
}

var _ settings.Program = ofSettings{}

func (p ofSettings) SetFree(free bool, done func(error))       { p.of.approving.SetFree(free, done) }
func (p ofSettings) SetLanguage(code string, done func(error)) { p.of.setLanguage(code, done) }
func (p ofSettings) Edit(ops []edit.Op, done func(error))      { p.of.saver.Edit(ops, done) }
func (p ofSettings) CanUpdate() bool                           { return p.of.options.Updates != nil }
func (p ofSettings) CanBegin() bool                            { return p.of.options.Apps != nil }

func (p ofSettings) Prefer(change func(*model.Preferences), done func(error)) {
	p.of.prefer(change, done)
}

func (p ofSettings) FirstSteps() {
	if p.of.now.view.Broken {
		p.of.window.Say(lang.L("The configuration has an error that must be corrected first."))
		return
	}
	p.of.firstSteps(model.StepBring)
}

func (p ofSettings) Get(id string, importance widget.Importance, changed func(bool)) fyne.CanvasObject {
	return p.of.runtimes.Control(id, importance, changed)
}

func (p ofSettings) RemoveRuntime(id string) { p.of.runtimes.Remove(id) }
func (p ofSettings) OpenFolder(path string)  { p.of.window.OpenPath(path) }
func (p ofSettings) OpenURL(address string)  { p.of.window.OpenURL(address) }
func (p ofSettings) ShowKeys()               { p.of.window.ShowKeys() }
func (p ofSettings) Later(do func())         { p.of.tasks.Do(do) }
