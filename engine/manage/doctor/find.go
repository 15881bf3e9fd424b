package doctor

import (
	"context"
	"os"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// FindProgram finds the program that a server would be started with, as the engine would. With a nil environment ours is all there is.
func FindProgram(ctx context.Context, server config.Server, lookup config.Lookup, users *environ.Environ) (string, error) {
	expanded, err := server.Expand(lookup)
	if err != nil {
		return "", err
	}
	env := os.Environ()
	if users != nil {
		env = users.For(ctx, expanded.Command)
	}
	env = slices.Clip(env)
	for _, variable := range expanded.Env {
		env = append(env, variable.Name+"="+variable.Value)
	}
	return process.LookPath(expanded.Command, env, expanded.Cwd)
}
