package add

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// TryAll tries servers that are in a toolbox already, at once and a few at a time, and shows how that goes: how many of them work, and what helps
// the others. It does nothing while the dialog is open.
func (s *Service) TryAll(toolbox string, servers []model.Tried) {
	if s.dialog == nil && len(servers) > 0 {
		s.dialog = Show(s.options.Window.Window, s.Actions(), Start{Toolbox: toolbox, Tried: servers})
	}
}

// tryThese shows the last step for servers that the dialog has not added.
func (d *Dialog) tryThese(start Start) {
	d.trial = newTrialPage(d, start.Toolbox, start.Tried)
	d.trial.counted = true
	d.trial.more.Hide()
	d.show(stepTry)
}

// Summary says how many of some servers work, of which so many were tried to the end.
func Summary(count, works, ended int) (theme.State, string) {
	words := map[string]any{"Works": works, "Count": count}
	switch {
	case count == 1 && ended == 0:
		return theme.StateWorking, lang.L("Trying the server…")
	case count == 1 && works == 0:
		return theme.StateNotice, lang.L("The server does not work yet")
	case count == 1:
		return theme.StateConnected, lang.L("The server works")
	case ended < count:
		return theme.StateWorking, lang.N("Trying {{.Count}} servers… {{.Works}} work so far", count, words)
	case works == count:
		return theme.StateConnected, lang.N("All {{.Count}} servers work", count, words)
	}
	return theme.StateNotice, lang.N("{{.Works}} of {{.Count}} servers work", count, words)
}
