package toolbox

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Limits on text from clients and servers that is shown.
const (
	maxName    = 200 // of a name, in bytes
	maxProblem = 400 // of a problem, in bytes
	maxNamed   = 10  // of names in a sentence
)

// oneLine returns a text from outside as one line of at most limit bytes, with secrets masked.
func oneLine(text string, limit int) string {
	return downstream.Clean(secret.Mask(downstream.Clean(text, 2*limit)), limit)
}

// wholeLine returns a name as one line with nothing left out: the person must see exactly what is called.
func wholeLine(name string) string { return visible.Map(name, visible.Escape) }

// named returns names for people, at most maxNamed of them, in order.
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
