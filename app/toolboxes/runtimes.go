package toolboxes

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// With returns a View in which each server without its runtime offers to install it, or shows the progress of that.
func (v View) With(known model.Runtimes) View {
	copied := false
	for t := range v.Toolboxes {
		for i, server := range v.Toolboxes[t].Servers {
			runtime, ok := known.Find(server.needs)
			if !ok || runtime.Installed != "" && !runtime.Busy {
				continue
			}
			if !copied {
				copied = true
				v.Toolboxes, v.Problems = slices.Clone(v.Toolboxes), slices.Clone(v.Problems)
				for n := range v.Toolboxes {
					v.Toolboxes[n].Servers = slices.Clone(v.Toolboxes[n].Servers)
				}
			}
			shown := &v.Toolboxes[t].Servers[i]
			shown.Runtime = runtime
			shown.Detail = runtimes.Absent(runtime)
			if runtime.Busy {
				shown.State, shown.Detail = theme.StateWorking, runtimes.Doing(runtime)
			}
			for p := range v.Problems {
				problem := &v.Problems[p]
				if problem.At == (model.Choice{Toolbox: v.Toolboxes[t].Name, Server: server.Name}) && (problem.OfServer() || runtimes.Missing(problem.Diagnostic)) {
					problem.Fix = shown.FixWord()
				}
			}
		}
	}
	return v
}

// Needs returns the ID of the runtime that a server lacks, or "" if it lacks none that Workbench can install.
func (v View) Needs(at model.Choice) string {
	if t, i, ok := v.find(at); ok && i != noServer {
		return v.Toolboxes[t].Servers[i].needs
	}
	return ""
}

// getWord returns the text of the button that installs the missing runtime of a server.
func (s Server) getWord(short bool) string {
	if s.Runtime.Busy {
		return lang.L("Cancel")
	}
	return runtimes.Label(s.Runtime, short)
}

// offer sets the text of the button, with the size of the runtime if there is room for it.
func (c *card) offer(width float32) {
	if c.look.server.Runtime.ID == "" {
		return
	}
	c.fix.SetText(c.look.server.getWord(width < cardWide))
}
