package app

import (
	"context"
	"os"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// surroundings are where programs and values are looked for on this computer.
type surroundings struct {
	lookup  config.Lookup
	environ *environ.Environ // nil: our own environment is all there is
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
