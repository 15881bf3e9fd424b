package toolboxes

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Cost is an estimate of how many tokens of a model's context a toolbox uses. Every model splits text into tokens in
// its own way. For English and JSON, most need about one token for four bytes.
type Cost struct {
	// Closed is the constant cost of the toolbox: its lines in the list of toolboxes that clients get (contract.md,
	// section 3).
	Closed int

	// Open is the cost while the toolbox is open: the answer of open_toolbox, or the tools that are registered instead.
	// Servers whose tools are unknown add nothing.
	Open  int
	Tools int // the number of tools counted in Open

	// Servers is the number of servers that are switched on. Known is how many of them are counted in Open.
	Known, Servers int
}

// bytesPerToken is the number of bytes that count as one token.
const bytesPerToken = 4

// toolFrame is the number of bytes around each tool's definition in the answer of open_toolbox, without the names: the
// members "toolbox_name" and "source_server" and a comma.
const toolFrame = len(`"toolbox_name":"","source_server":"",,`)

// cost estimates the cost of a toolbox.
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

// Words returns two texts about the cost. The second is empty if the cost of the open toolbox is unknown.
func (c Cost) Words() (closed, open string) {
	closed = lang.L("About {{.Number}} tokens closed", map[string]any{"Number": roughly(c.Closed)})
	if c.Known == 0 {
		return closed, ""
	}
	open = lang.L("About {{.Number}} tokens open", map[string]any{"Number": roughly(c.Open)})
	if c.Known < c.Servers {
		open = lang.L("More than {{.Number}} tokens open", map[string]any{"Number": roughly(c.Open)})
	}
	return closed, kit.Facts(open, live.ToolCount(c.Tools))
}

// Sentence says what the toolbox costs, in numbers.
func (c Cost) Sentence() string {
	closed, open := c.Words()
	return kit.Facts(closed, open)
}

// roughly rounds a number to a multiple of five, or from a hundred on to two digits. An estimate is not more precise
// than that.
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
