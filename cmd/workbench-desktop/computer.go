package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
)

// missingHere tells where this computer does not have what a document asks for. A program that is missing here is looked for
// where the engine would look before it says so: in the user's own environment, which takes a moment to find out.
func missingHere(ctx context.Context, document *config.Document) []config.Diagnostic {
	lookup := config.SystemLookup()
	found := document.CheckEnvironment(lookup)
	if !slices.ContainsFunc(found, func(d config.Diagnostic) bool { return strings.HasSuffix(d.Path, ".command") }) {
		return found
	}
	surroundings := environ.New(os.Environ())
	defer surroundings.Close()
	lookup.Env = surroundings.Lookup(ctx)
	return document.CheckEnvironment(lookup)
}

// environmentFor gives the environment to start a command in, for a program that starts servers once and ends.
func environmentFor(ctx context.Context, command string) []string {
	if environ.Runs(command, os.Environ()) {
		return os.Environ()
	}
	env, _ := environ.Complete(ctx, os.Environ())
	return env
}
