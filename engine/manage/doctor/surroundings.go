package doctor

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Surroundings are where programs and values are looked for on this computer.
type Surroundings struct {
	Lookup  config.Lookup
	Environ *environ.Environ // the user's; with nil our own environment is all there is
}

// FindProgram finds the program that a server would be started with, as the engine would.
func (s Surroundings) FindProgram(ctx context.Context, server config.Server) (string, error) {
	expanded, err := server.Expand(s.Lookup)
	if err != nil {
		return "", err
	}
	env := os.Environ()
	if s.Environ != nil {
		env = s.Environ.For(ctx, expanded.Command)
	}
	env = slices.Clip(env)
	for _, variable := range expanded.Env {
		env = append(env, variable.Name+"="+variable.Value)
	}
	return process.LookPath(expanded.Command, env, expanded.Cwd)
}

// Missing returns where this computer does not have what a document asks for. A program that our own environment doesn't know is
// looked for where the engine would look, in the user's, before it is said to be missing; only then does that take a moment.
func (s Surroundings) Missing(ctx context.Context, document *config.Document) []config.Diagnostic {
	lookup := s.Lookup
	found := document.CheckEnvironment(lookup)
	if s.Environ == nil || !slices.ContainsFunc(found, func(d config.Diagnostic) bool { return strings.HasSuffix(d.Path, ".command") }) {
		return found
	}
	lookup.Env = s.Environ.Lookup(ctx)
	return document.CheckEnvironment(lookup)
}
