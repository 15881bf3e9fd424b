package doctor

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// program is a program that starts servers.
type program struct {
	id, title string
	names     []string // the commands that come with it; the first that is found is asked for its version
	version   []string // the arguments that ask for the version
	install   Fix
	missed    bool // its absence is reported even if no server of this configuration needs it
}

func programs() []program {
	node := []string{"node", "npx", "npm"} // npx would tell the version of npm
	python := []string{"python3", "python"}
	if runtime.GOOS == "windows" {
		python = []string{"python", "py", "python3"}
	}
	version := []string{"--version"}
	return []program{
		of("node", node, version, true),
		of("uv", nil, version, true),
		of("docker", nil, []string{"version", "--format", "{{.Server.Version}}"}, false),
		of("python", python, version, false),
		// No server is started with git, but runners of packages need it for some of them.
		{"git", "Git", []string{"git"}, version, install("git", "Git", "https://git-scm.com/downloads"), false},
	}
}

// of returns the check of a product. Without names, these are all its commands.
func of(id string, names, version []string, missed bool) program {
	product := config.FindProduct(id)
	if names == nil {
		names = product.Commands
	}
	return program{id, product.Name, names, version, install(id, product.Name, product.Page), missed}
}

func install(id, title, page string) Fix {
	return Fix{ID: "install-" + id, Title: words.New("doctor.get_program", "Program", title), URL: page}
}

// program returns the function that checks one program.
func (d *Doctor) program(p program) func(context.Context, *evidence, *Check) {
	return func(ctx context.Context, e *evidence, check *Check) {
		needed := e.neededBy(p.names)
		complete, report := d.environ.Complete(ctx)
		name, found := "", ""
		for _, candidate := range p.names {
			if path, ok := find(candidate, complete); ok {
				name, found = candidate, path
				break
			}
		}
		if found == "" {
			d.absent(p, needed, check)
			return
		}
		// The engine starts a program from the PATH that the app has passed on. It asks the shell only if the
		// program is not there.
		path, byApps := find(name, d.bare)
		if !byApps {
			path = found
		}
		number, err := version(ctx, complete, path, p.version)
		if err != nil {
			d.broken(p, path, needed, err, check)
			return
		}
		check.found(OK, words.New("doctor.program_there", "Program", withVersion(p.title, number), "Path", path))
		if p.id == "docker" { // docker reports the version of its service
			check.found(OK, words.New("doctor.docker_runs", "Program", withVersion(p.title, number), "Path", path))
		}
		if missing := d.missing(p.names, complete); len(missing) > 0 {
			check.State = Notice
			check.add(words.New("doctor.program_incomplete", "Missing", missing))
			check.Advice, check.Fix = words.New("doctor.program_incomplete_advice"), &p.install
		}
		switch {
		case got(path, report):
			check.add(words.New("doctor.program_by_workbench"))
		case runtime.GOOS == "windows":
		case !byApps:
			check.add(words.New("doctor.program_by_terminal"))
		case path != found && byApps && !atomicfile.Same(path, found):
			other, err := version(ctx, complete, found, p.version)
			if err != nil || other == number {
				break
			}
			check.State = Notice
			check.add(words.New("doctor.program_other", "Program", withVersion(p.title, other), "Path", found))
			check.Advice = words.New("doctor.program_other_advice", "Path", found)
		}
	}
}

// got reports whether a program was installed by Workbench.
func got(path string, report environ.Report) bool {
	return slices.ContainsFunc(report.Folders, func(folder environ.Folder) bool {
		return folder.Source == environ.SourceWorkbench && folder.Path == filepath.Dir(path)
	})
}

// absent records that a program was not found.
func (d *Doctor) absent(p program, needed []string, check *Check) {
	install := p.install
	if slices.Contains(environ.RuntimeIDs(), p.id) {
		install.Runtime = p.id
	}
	check.Fix = &install
	switch {
	case len(needed) > 0:
		check.found(Wrong, words.New("doctor.program_needed", "Needed", needs(needed)))
		check.Advice = words.New("doctor.program_needed_advice", "Program", p.title, "Command", p.names[0])
	case p.missed:
		check.found(Notice, words.New("doctor.program_missed"))
		check.Advice = words.New("doctor.program_missed_advice", "Program", p.title, "Command",
			config.FindProduct(p.id).Commands[0])
	default:
		check.Fix = nil
		check.found(OK, words.New("doctor.program_unneeded"))
	}
}

// broken records that a program was found but did not tell its version.
func (d *Doctor) broken(p program, path string, needed []string, err error, check *Check) {
	switch {
	case p.id == "docker" && len(needed) == 0:
		check.found(OK, words.New("doctor.docker_stopped", "Path", path))
	case p.id == "docker":
		check.found(Wrong, words.New("doctor.docker_stopped_needed", "Path", path, "Needed", needs(needed)))
		check.Advice = words.New("doctor.docker_stopped_advice")
	default:
		state := Notice
		if len(needed) > 0 {
			state = Wrong
		}
		check.found(state, words.New("doctor.program_broken", "Path", path, "Why", err))
		check.Advice, check.Fix = words.New("doctor.program_broken_advice", "Program", p.title), &p.install
	}
}

// missing returns the commands that should come with a program and were not found. The commands of Python are
// names of the same program.
func (d *Doctor) missing(names []string, env []string) []string {
	if slices.Contains(names, "python3") {
		return nil
	}
	var missing []string
	for _, name := range names {
		if _, ok := find(name, env); !ok {
			missing = append(missing, name)
		}
	}
	return missing
}

// neededBy returns the servers that one of the commands starts.
func (e *evidence) neededBy(names []string) []string {
	if !e.configured() {
		return nil
	}
	var servers []string
	for _, used := range e.commands {
		// An absolute path that works needs no search, so it does not depend on the check.
		if slices.Contains(names, process.Name(used.command)) && !filepath.IsAbs(used.command) {
			servers = append(servers, used.server)
		}
	}
	return servers
}

// maxNamed is how many servers are named before the rest is counted.
const maxNamed = 3

// needs returns a sentence about servers that need something.
func needs(servers []string) words.Text {
	if len(servers) == 1 {
		return words.New("doctor.server_needs_it", "Server", servers[0])
	}
	named := words.And(servers...)
	if len(servers) > maxNamed {
		named = words.New("doctor.servers_and_more", "Servers", servers[:maxNamed-1], "Count", len(servers)-maxNamed+1)
	}
	return words.New("doctor.servers_need_it", "Servers", named)
}

// find searches an environment for a program.
func find(name string, env []string) (string, bool) {
	path, err := process.LookPath(name, env, "")
	return path, err == nil
}
