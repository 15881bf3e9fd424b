package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

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
