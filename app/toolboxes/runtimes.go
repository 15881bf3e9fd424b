package toolboxes

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// With returns a View in which each server whose program is missing offers to get the program, or shows that it is
// being installed.
func (v View) With(known model.Runtimes) View {
	copied := false
	for t := range v.Toolboxes {
		for i, server := range v.Toolboxes[t].Servers {
			lack := runtimes.Lacks(known, server.needs)
			if lack == (runtimes.Lack{}) {
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
			shown.Lack = lack
			switch {
			case lack.Runtime.Busy:
				shown.State, shown.Detail = theme.StateWorking, runtimes.Doing(lack.Runtime)
			case lack.Runtime.ID != "":
				shown.Detail = runtimes.Absent(lack.Runtime.Name)
			}
			for p := range v.Problems {
				problem := &v.Problems[p]
				if problem.At == (model.Choice{Toolbox: v.Toolboxes[t].Name, Server: server.Name}) &&
					(problem.OfServer() || runtimes.Missing(problem.Diagnostic)) {
					problem.Fix = shown.FixWord()
				}
			}
		}
	}
	return v
}

// Lack returns the Lack of a server, or the zero Lack if there is no such server.
func (v View) Lack(at model.Choice) runtimes.Lack {
	if server := v.server(at); server != nil {
		return server.Lack
	}
	return runtimes.Lack{}
}

// offer makes the button fix say which product the server lacks, with its size if there is room. It changes nothing if
// the server lacks none.
func (c *card) offer(width float32) {
	if label := c.look.server.Lack.Label(width < cardWide); label != "" {
		c.fix.SetText(label)
	}
}
