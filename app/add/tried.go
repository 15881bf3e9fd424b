package add

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
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
	d.trial = newTrialPage(d, start.Toolbox, start.Tried)
	d.trial.counted = true
	d.trial.more.Hide()
	d.show(stepTry)
}

// Summary returns a state and a text that say how many servers work. ended is the number of trials that have ended.
func Summary(count, works, ended int) (theme.State, string) {
	words := map[string]any{"Works": works, "Count": count}
	switch {
	case count == 1 && ended == 0:
		return theme.StateWorking, lang.L("Trying the server…")
	case count == 1 && works == 0:
		return theme.StateNotice, lang.L("The server does not work yet")
	case ended < count:
		return theme.StateWorking, lang.N("Trying {{.Count}} servers… {{.Works}} work so far", count, words)
	case works == count:
		return theme.StateConnected, lang.N("All {{.Count}} servers work", count, words)
	}
	return theme.StateNotice, lang.N("{{.Works}} of {{.Count}} servers work", count, words)
}
