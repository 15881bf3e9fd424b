package toolboxes

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// reach returns a sentence that says which AI apps can use how many servers of a toolbox, and the state of the icon
// before it. The sentence is empty for a toolbox without servers.
func (v View) reach(toolbox Toolbox) (string, theme.State) {
	all, some := len(toolbox.Servers), toolbox.usable()
	what, state := map[string]any{"Some": some, "Count": all}, theme.StateNotice
	switch some {
	case all:
		state = theme.StateConnected
	case 0:
		state = theme.StateWrong
	}
	unnamed := live.ClientName("", "")
	apps := slices.DeleteFunc(v.seeing(toolbox), func(name string) bool { return name == unnamed })
	switch {
	case all == 0:
		return "", theme.StateIdle
	case v.alone(toolbox):
		return lang.L("No AI app is connected to this toolbox yet."), theme.StateNotice
	case !v.AppsKnown, len(apps) == 0:
		return lang.N("AI apps can use {{.Some}} of {{.Count}} servers.", all, what), state
	case len(apps) == 1:
		what["App"] = apps[0]
		return lang.N("{{.App}} can use {{.Some}} of {{.Count}} servers.", all, what), state
	default:
		what["Apps"] = live.Names(apps)
		return lang.N("{{.Apps}} can use {{.Some}} of {{.Count}} servers.", all, what), state
	}
}

// seeing returns the names of the apps that see a toolbox: those that are connected, and those that use it anyway.
func (v View) seeing(toolbox Toolbox) []string {
	return model.Seeing(slices.Concat(v.Apps, v.Using), toolbox.Apps)
}

// alone reports whether no AI app has a toolbox with servers.
func (v View) alone(toolbox Toolbox) bool {
	return v.AppsKnown && len(toolbox.Servers) > 0 && len(v.seeing(toolbox)) == 0
}

// usable returns the number of servers that AI apps can use now, or start when they need them.
func (t Toolbox) usable() int {
	count := 0
	for _, server := range t.Servers {
		if server.usable() {
			count++
		}
	}
	return count
}

func (s Server) usable() bool {
	switch {
	case s.Status == status.Connected:
		return true
	case s.Status == status.Disabled, s.Paused, s.Changed, s.Lacks():
		return false
	}
	switch s.State {
	case theme.StateWrong, theme.StateKey, theme.StateNotice:
		return false
	}
	return true
}
