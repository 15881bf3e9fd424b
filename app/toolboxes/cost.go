package toolboxes

import (
	"fmt"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"strconv"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Cost is about how many tokens of a model's context a toolbox takes. It is an estimate and shown as one: every model cuts
// text into tokens in its own way, and four bytes for each is what English and JSON come to with most.
type Cost struct {
	// Closed is the constant cost of the toolbox: its lines in the list of toolboxes that clients get (contract.md,
	// section 3).
	Closed int

	// Open is its cost while it is open: the answer of open_toolbox, or the tools that are registered instead. Servers
	// whose tools are not known count nothing.
	Open  int
	Tools int // that are counted in Open

	// Known is how many of the servers that are switched on are counted in Open, and Servers how many there are.
	Known, Servers int
}

// bytesPerToken is how much text is taken for one token.
const bytesPerToken = 4

// toolFrame is what surrounds each tool's definition in the answer of open_toolbox, without the names: the members
// "toolbox_name" and "source_server" and a comma.
const toolFrame = len(`"toolbox_name":"","source_server":"",,`)

// cost estimates what a toolbox takes.
func cost(toolbox *config.Toolbox, tools map[model.Choice][]model.Tool) Cost {
	var c Cost
	answer := 0
	for _, server := range toolbox.Servers {
		if server.Disabled {
			continue
		}
		c.Servers++
		known, ok := tools[model.Choice{Toolbox: toolbox.Name, Server: server.Name}]
		if !ok {
			continue
		}
		c.Known++
		for _, tool := range known {
			c.Tools++
			answer += tool.Bytes + toolFrame + len(toolbox.Name) + len(server.Name)
		}
	}
	description := toolbox.Description
	if description == "" {
		description = "No description provided"
	}
	c.Closed = tokens(len(fmt.Sprintf("%s (%d servers)\n  Description: %s\n\n", toolbox.Name, c.Servers, description)))
	c.Open = tokens(answer)
	return c
}

func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// Words says the cost in two texts. The second is empty when nothing is known about it.
func (c Cost) Words() (closed, open string) {
	closed = lang.L("About {{.Number}} tokens closed", map[string]any{"Number": roughly(c.Closed)})
	if c.Known == 0 {
		return closed, ""
	}
	what := map[string]any{"Number": roughly(c.Open), "Tools": live.ToolCount(c.Tools)}
	if c.Known < c.Servers {
		return closed, lang.L("More than {{.Number}} tokens open · {{.Tools}} known", what)
	}
	return closed, lang.L("About {{.Number}} tokens open · {{.Tools}}", what)
}

// roughly writes a number in fives or, from a hundred on, with two digits that mean something: more would promise what an
// estimate cannot keep.
func roughly(n int) string {
	if n < 100 {
		return strconv.Itoa(max(5, (n+2)/5*5))
	}
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return kit.Say(words.Number((n + unit/2) / unit * unit))
}
