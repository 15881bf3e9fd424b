package toolboxes

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// With has servers that miss a program which can be got offer it, and say how far that is. It returns another View where that is so.
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

// Needs returns the id of the runtime that a server misses; empty when that is none, or none that can be got.
func (v View) Needs(at model.Choice) string {
	if t, i, ok := v.find(at); ok && i != noServer {
		return v.Toolboxes[t].Servers[i].needs
	}
	return ""
}

// getWord is what the button of a server says that misses a runtime.
func (s Server) getWord(short bool) string {
	if s.Runtime.Busy {
		return lang.L("Cancel")
	}
	return runtimes.Label(s.Runtime, short)
}

// offer says on the button how large what it gets is, where there is room for that.
func (c *card) offer(width float32) {
	if c.look.server.Runtime.ID == "" {
		return
	}
	if label := c.look.server.getWord(width < cardWide); c.fix.Text != label {
		c.fix.SetText(label)
	}
}
