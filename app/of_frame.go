package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

// ofFrame does what the controls around the screens ask for, and knows the screens.
type ofFrame struct{ *controller }

var (
	_ frame.Program = ofFrame{}
	_ frame.Screens = ofFrame{}
)

func (p ofFrame) List() []frame.Listed { return p.screens() }

func (p ofFrame) Make(at frame.Place) frame.Screen { return p.newScreen(at) }

func (p ofFrame) Moved(to frame.Place) {
	p.window.Status.ShowSaved(to != placeFile)
	p.aggregator.WatchCalls(to == placeActivity)
}

func (p ofFrame) ShowFile()     { p.showFile() }
func (p ofFrame) ShowProblems() { p.showProblems() }
func (p ofFrame) Retry()        { p.saver.Retry() }
func (p ofFrame) Discard()      { p.saver.Discard() }
func (p ofFrame) Resume()       { p.pause(false) }
func (p ofFrame) CanMove() bool { return p.options.Move != nil }

// Move moves the app to where it can stay, and then ends it.
func (p ofFrame) Move() {
	p.tasks.After(p.options.Move, func(err error) {
		if err != nil {
			p.window.Fail(err)
			return
		}
		p.quit()
	})
}

// ofTray does what the menu of the tray says.
type ofTray struct{ *controller }

var _ tray.Actions = ofTray{}

func (p ofTray) Quit() { p.quit() }

// Do does what an entry of the menu says.
func (p ofTray) Do(action tray.Action) {
	at := model.Choice{Toolbox: action.Toolbox, Server: action.Server}
	switch action.Verb {
	case tray.VerbRestart:
		p.restart(at)
	case tray.VerbStop:
		p.stopServer(at)
	case tray.VerbPause:
		p.pause(true)
	case tray.VerbResume:
		p.pause(false)
	case tray.VerbLogin:
		p.toggleLogin()
	case tray.VerbUpdate:
		p.open()
		p.afterSteps(func() {
			p.places.Choose(placeSettings)
			p.settings.Show(settings.SectionAbout)
		})
	case tray.VerbLog:
		p.open()
		p.afterSteps(func() { p.showTab(at, model.TabLog) })
	case tray.VerbFix:
		p.open()
		p.afterSteps(func() { p.toolboxes.Mend(at) })
	default:
		p.open()
		if at.Toolbox != "" {
			p.afterSteps(func() { p.showServer(at) })
		}
	}
}

// toggleLogin switches the start at login.
func (p ofTray) toggleLogin() {
	p.computer.SetStartAtLogin(!p.model.Login.On, func(err error) {
		if err != nil {
			p.open()
			p.window.Fail(err)
		}
	})
}
