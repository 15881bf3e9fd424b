package add

import (
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// TryAll tries servers that are in a toolbox already, a few at a time. It shows how many of them work, and what may
// help the others. It does nothing while the dialog is open.
func (s *Service) TryAll(toolbox string, servers []model.Tried) {
	if s.dialog == nil && len(servers) > 0 {
		s.dialog = Show(s.options.Window.Window, s, Start{Toolbox: toolbox, Tried: servers})
	}
}

// tryThese shows the last step for servers that were in the toolbox before.
func (d *Dialog) tryThese(start Start) {
	d.tries(model.TrialsOfAll(start.Toolbox, start.Tried))
	d.trial.counted = true
	d.trial.more.Hide()
	d.show(stepTry)
}
