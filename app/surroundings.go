package app

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// surroundings are where programs and values are looked for on this computer.
type surroundings struct {
	lookup  config.Lookup
	environ *environ.Environ // nil: our own environment is all there is
}

// missing tells where this computer does not have what a document asks for. A program that our environment doesn't know is
// looked for where the engine would look before it is said to be missing, which may take a moment.
func (s surroundings) missing(ctx context.Context, document *config.Document) []config.Diagnostic {
	found := document.CheckEnvironment(s.lookup)
	if s.environ == nil || !slices.ContainsFunc(found, func(d config.Diagnostic) bool { return strings.HasSuffix(d.Path, ".command") }) {
		return found
	}
	lookup := s.lookup
	lookup.Env = s.environ.Lookup(ctx)
	return document.CheckEnvironment(lookup)
}

// findProgram finds the program that a server would be started with.
func (s surroundings) findProgram(ctx context.Context, server config.Server) (string, error) {
	expanded, err := server.Expand(s.lookup)
	if err != nil {
		return "", err
	}
	env := os.Environ()
	if s.environ != nil {
		env = s.environ.For(ctx, expanded.Command)
	}
	env = slices.Clip(env)
	for _, variable := range expanded.Env {
		env = append(env, variable.Name+"="+variable.Value)
	}
	return process.LookPath(expanded.Command, env, expanded.Cwd)
}
