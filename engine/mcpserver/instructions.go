package mcpserver

import (
	"fmt"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

const noToolboxes = `No toolboxes configured.

To configure toolboxes, add them to your workbench-config.json file.
See documentation for configuration format.`

// Instructions returns the text that tells the model which toolboxes exist, as contract.md, section 3, specifies.
func Instructions(cfg *config.Config) string {
	if len(cfg.Toolboxes) == 0 {
		return noToolboxes
	}
	return "Available Toolboxes:\n\n" + toolboxList(cfg) +
		"\n\nTo access tools from a toolbox, use " + cfg.MetaToolPrefix + openToolbox + " with the toolbox name."
}

// maxFirstLine limits the first line for clients that show no more, in characters.
const maxFirstLine = 400

// instructionsFor returns the instructions for a client. If the client may show only the first line, that line lists
// the toolboxes.
func instructionsFor(cfg *config.Config, c *client.Client) string {
	text := Instructions(cfg)
	if !c.FirstLine || len(cfg.Toolboxes) == 0 {
		return text
	}
	list := make([]string, len(cfg.Toolboxes))
	for i, toolbox := range cfg.Toolboxes {
		list[i] = toolbox.Name
		if description := strings.Join(strings.Fields(toolbox.Description), " "); description != "" {
			list[i] += " (" + description + ")"
		}
	}
	first, rest, _ := strings.Cut(text, "\n")
	line := []rune(first + " " + strings.Join(list, ", "))
	if len(line) > maxFirstLine {
		line = append(line[:maxFirstLine-1], '…')
	}
	return string(line) + "\n" + rest
}

// toolboxList describes all toolboxes, in the order of the file and separated by blank lines.
func toolboxList(cfg *config.Config) string {
	var b strings.Builder
	for i, toolbox := range cfg.Toolboxes {
		if i > 0 {
			b.WriteString("\n\n")
		}
		description := toolbox.Description
		if description == "" {
			description = "No description provided"
		}
		fmt.Fprintf(&b, "%s (%d servers)\n  Description: %s", toolbox.Name, len(toolbox.Enabled()), description)
		if toolbox.Open {
			b.WriteString("\n  Always open: call its tools directly; open it only if you don't have them")
		}
	}
	return b.String()
}
