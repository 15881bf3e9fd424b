package activity

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// changed shows one line for each server whose tools have changed and wait for the user's approval.
type changed struct {
	root    *fyne.Container
	program Program
	drawn   string // a description of the servers shown
}

// maxChanged is the most lines that are shown.
const maxChanged = 3

func newChanged(program Program) *changed {
	c := &changed{root: kit.Column(kit.Gap), program: program}
	c.root.Hide()
	return c
}

// show shows the servers and reports whether the lines are other ones than before.
func (c *changed) show(servers []model.Server) bool {
	var drawn strings.Builder
	for _, server := range servers {
		fmt.Fprintf(&drawn, "%q %q %d\n", server.Toolbox, server.Name, server.Waiting)
	}
	if drawn.String() == c.drawn {
		return false
	}
	c.drawn = drawn.String()
	c.root.RemoveAll()
	for _, server := range servers[:min(len(servers), maxChanged)] {
		words := live.ToolsOf(server.Name, server.Waiting)
		see := kit.NewButton(lang.L("Review…"), widget.LowImportance, func() {
			c.program.ShowChanges(model.Choice{Toolbox: server.Toolbox, Server: server.Name})
		})
		c.root.Add(kit.InsetSides(kit.NewBeside(200, kit.Marked(theme.StateNotice, kit.NewParagraph(words, kit.TextStyle{})),
			see), 0, 0, kit.GapEdge, kit.GapEdge))
	}
	kit.SetVisible(c.root, len(servers) > 0)
	return true
}
