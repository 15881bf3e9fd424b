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
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Surroundings are the places in which programs and values are looked up on this computer.
type Surroundings struct {
	Lookup  config.Lookup
	Environ *environ.Environ // the user's environment; if nil, only our own environment is used
}

// FindProgram returns the path of the program that starts a server. It searches as the engine does.
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

// Missing returns diagnostics for what a document needs and this computer does not have, and for servers that
// do not get variables that they need. A program that is not found in our own environment is also searched in
// the user's environment, as the engine does; only that search may block for a moment.
func (s Surroundings) Missing(ctx context.Context, document *config.Document) []config.Diagnostic {
	lookup := s.Lookup
	found := document.CheckEnvironment(lookup)
	withheld := document.CheckVariables(s.Withheld)
	if s.Environ == nil || !slices.ContainsFunc(found, func(d config.Diagnostic) bool {
		return !d.IsNote() && strings.HasSuffix(d.Path, ".command")
	}) {
		return slices.Concat(found, withheld)
	}
	lookup.Env = s.Environ.Lookup(ctx)
	return slices.Concat(document.CheckEnvironment(lookup), withheld)
}

// Withheld returns the names of variables that a server evidently needs and does not get: variables that
// docker is to pass on, and variables of well-known servers that are set here.
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

// passedOn returns the names of the variables that docker or podman is told to pass from its own environment
// to a container.
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
			value = !strings.Contains(word, "=") &&
				!slices.Contains([]string{"-i", "-t", "-it", "-ti", "-d", "--rm", "--init", "--interactive", "--tty", "--detach",
					"--privileged"}, word)
			continue
		case !value:
			return names // this is the image; the rest is for the program in the container
		}
		value = false
		if isVariable && variableName(name) && !secret.Value(name) { // a token in the wrong place must not be shown
			names = append(names, name)
		}
	}
	return names
}

// variableName reports whether a text is only the name of a variable: without a value, a reference or a
// placeholder.
func variableName(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}
