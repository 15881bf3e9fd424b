package main

import (
	"context"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
)

// missingHere is [doctor.Surroundings.Missing] for commands.
func missingHere(ctx context.Context, document *config.Document) []config.Diagnostic {
	surroundings := environ.New(os.Environ())
	defer surroundings.Close()
	return doctor.Surroundings{Lookup: config.SystemLookup(), Environ: surroundings}.Missing(ctx, document)
}

// environmentFor returns the environment for starting a command, for a program that starts servers once and
// then ends.
func environmentFor(ctx context.Context, command string) []string {
	surroundings := environ.New(os.Environ())
	defer surroundings.Close()
	return surroundings.For(ctx, command)
}
