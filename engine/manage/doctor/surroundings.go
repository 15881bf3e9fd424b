package doctor

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
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

// Missing returns where this computer does not have what a document asks for, and which servers do not get variables that they need. A program that our own environment doesn't know is
// looked for where the engine would look, in the user's, before it is said to be missing; only then does that take a moment.
func (s Surroundings) Missing(ctx context.Context, document *config.Document) []config.Diagnostic {
	lookup := s.Lookup
	found := document.CheckEnvironment(lookup)
	withheld := document.CheckVariables(s.Withheld)
	if s.Environ == nil || !slices.ContainsFunc(found, func(d config.Diagnostic) bool { return strings.HasSuffix(d.Path, ".command") }) {
		return slices.Concat(found, withheld)
	}
	lookup.Env = s.Environ.Lookup(ctx)
	return slices.Concat(document.CheckEnvironment(lookup), withheld)
}

// Withheld returns the names of variables that a server evidently needs and does not get: those that docker is to pass on, and those of
// well-known servers that are set here.
func (s Surroundings) Withheld(server *config.Server) []string {
	if server.URL != "" || server.InheritEnv {
		return nil
	}
	names := passedOn(server)
	for _, name := range catalogue.Variables(server) {
		if s.Lookup.Env != nil {
			if value, _ := s.Lookup.Env(name); value != "" {
				names = append(names, name)
			}
		}
	}
	var missing []string
	for _, name := range names {
		given := slices.ContainsFunc(server.Env, func(v config.Variable) bool { return v.Name == name && v.Value != "" })
		if !given && !environ.Inherits(runtime.GOOS, name) && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// passedOn returns the names of variables that docker or podman is to pass on to a container from its own environment.
func passedOn(server *config.Server) (names []string) {
	run := slices.Index(server.Args, "run")
	if program := process.Name(server.Command); program != "docker" && program != "podman" || run < 0 {
		return nil
	}
	value := false // the next word may be the value of an option
	for i := run + 1; i < len(server.Args); i++ {
		word := server.Args[i]
		name, isVariable := "", false
		switch {
		case (word == "-e" || word == "--env") && i+1 < len(server.Args):
			i++
			name, isVariable = server.Args[i], true
		case strings.HasPrefix(word, "--env="):
			name, isVariable = strings.TrimPrefix(word, "--env="), true
		case strings.HasPrefix(word, "-e"):
			name, isVariable = strings.TrimPrefix(word, "-e"), true
		case strings.HasPrefix(word, "-"):
			value = !strings.Contains(word, "=") && !slices.Contains([]string{"-i", "-t", "-it", "-ti", "-d", "--rm", "--init", "--interactive", "--tty", "--detach", "--privileged"}, word)
			continue
		case !value:
			return names // the image; what follows is for the program in it
		}
		value = false
		if isVariable && variableName(name) && !secret.Value(name) { // a token in the wrong place is not repeated
			names = append(names, name)
		}
	}
	return names
}

// variableName reports whether a text is the name of a variable, and not one with a value, a reference or something to be filled in.
func variableName(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}
