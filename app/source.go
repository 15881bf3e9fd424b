package app

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// source is the configuration as far as it is known: as the file is now, and the last version of it that could be used.
type source struct {
	toolboxes.Source
}

// change takes up the file as it is now.
func (s *source) change(now *config.Document, err error) {
	s.Now, s.Err = now, err
	if now != nil && now.Valid() {
		s.Good = now
	}
}

// view is what the window shows of it.
func (s *source) view() toolboxes.View { return toolboxes.Look(s.Source) }

// trayState is what the tray shows of it.
func trayState(view toolboxes.View) tray.State {
	var state tray.State
	if view.Broken {
		state.Problem = lang.L("The configuration needs attention")
	}
	for _, toolbox := range view.Toolboxes {
		shown := tray.Toolbox{Name: toolbox.Name}
		for _, server := range toolbox.Servers {
			shown.Servers = append(shown.Servers, tray.Server{Name: server.Name, State: server.State, Word: server.Word})
		}
		state.Toolboxes = append(state.Toolboxes, shown)
	}
	return state
}
