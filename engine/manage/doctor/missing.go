package doctor

import (
	"context"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
)

// Missing tells where this computer does not have what a document asks for. A program that our own environment doesn't know is
// looked for where the engine would look, in the user's, before it is said to be missing; only then does that take a moment.
// With a nil environment ours is all there is.
func Missing(ctx context.Context, document *config.Document, lookup config.Lookup, users *environ.Environ) []config.Diagnostic {
	found := document.CheckEnvironment(lookup)
	if users == nil || !slices.ContainsFunc(found, func(d config.Diagnostic) bool { return strings.HasSuffix(d.Path, ".command") }) {
		return found
	}
	lookup.Env = users.Lookup(ctx)
	return document.CheckEnvironment(lookup)
}
