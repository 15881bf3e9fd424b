package toolbox

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// How much of a text from outside is shown.
const (
	maxName    = 200 // bytes of a name that a client or server sent
	maxProblem = 400
	maxNamed   = 10 // names of tools in a sentence
)

// oneLine returns a text from outside as one line for people, with secrets masked.
func oneLine(text string, limit int) string {
	return downstream.Clean(secret.Mask(downstream.Clean(text, 2*limit)), limit)
}

// wholeLine returns a name as one line in which nothing is left out, since what is called depends on it.
func wholeLine(name string) string { return visible.Map(name, visible.Escape) }

// named returns the names of tools for people, the first of many.
func named(names []string) []string {
	names = slices.Sorted(slices.Values(names))
	shown := make([]string, 0, min(len(names), maxNamed)+1)
	for i, name := range names {
		if i == maxNamed {
			return append(shown, "…")
		}
		shown = append(shown, downstream.Clean(name, maxName))
	}
	return shown
}
