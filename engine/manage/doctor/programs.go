package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// program is something that servers are started with.
type program struct {
	id, title string
	names     []string // the commands that come with it; the first that is found is the one that is asked for its version
	version   []string // arguments for that
	install   Fix
	missed    bool // it is worth saying that it is not there, even if no server of this configuration needs it
}

func programs() []program {
	python := []string{"python3", "python"}
	if runtime.GOOS == "windows" {
		python = []string{"python", "py", "python3"}
	}
	version := []string{"--version"}
	return []program{
		{"node", "Node.js", []string{"node", "npx", "npm"}, version, Fix{"install-node", "Get Node.js", "https://nodejs.org/en/download"}, true},
		{"uv", "uv", []string{"uvx", "uv"}, version, Fix{"install-uv", "Get uv", "https://docs.astral.sh/uv/getting-started/installation/"}, true},
		{"docker", "Docker", []string{"docker"}, []string{"version", "--format", "{{.Server.Version}}"}, Fix{"install-docker", "Get Docker", "https://docs.docker.com/get-started/get-docker/"}, false},
		{"python", "Python", python, version, Fix{"install-python", "Get Python", "https://www.python.org/downloads/"}, false},
		{"git", "Git", []string{"git"}, version, Fix{"install-git", "Get Git", "https://git-scm.com/downloads"}, false},
	}
}

// program gives the check of one program.
func (d *Doctor) program(p program) func(context.Context, *evidence, *Check) {
	return func(ctx context.Context, e *evidence, check *Check) {
		needed := e.neededBy(p.names)
		complete, _ := d.environ.Complete(ctx)
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
		// The engine starts what is found in what the app has handed over, and asks the shell only for the rest.
		path, byApps := find(name, d.bare)
		if !byApps {
			path = found
		}
		said, err := version(ctx, complete, path, p.version)
		if err != nil {
			d.mute(p, path, needed, err, check)
			return
		}
		check.State, check.Detail = OK, fmt.Sprintf("%s is at %s.", spoken(p.title, said), path)
		if p.id == "docker" { // its version is that of the service
			check.Detail = fmt.Sprintf("%s is running; its command is at %s.", spoken(p.title, said), path)
		}
		if missing := d.missing(p.names, complete); len(missing) > 0 {
			check.State = Notice
			check.Detail += fmt.Sprintf(" %s, which comes with it, is not there.", strings.Join(missing, ", "))
			check.Advice, check.Fix = "Install it again; some ways to install it leave that out.", &p.install
		}
		switch {
		case runtime.GOOS == "windows":
		case !byApps:
			check.Detail += " AI apps do not find it by themselves; Workbench does, as your terminal has it."
		case path != found && byApps && !sameFile(path, found):
			other, err := version(ctx, complete, found, p.version)
			if err != nil || spoken(p.title, other) == spoken(p.title, said) {
				break
			}
			check.State = Notice
			check.Detail += fmt.Sprintf(" Your terminal uses another one: %s at %s.", spoken(p.title, other), found)
			check.Advice = fmt.Sprintf("If a server needs that one, write %s as its command.", found)
		}
	}
}

// absent says that a program was not found.
func (d *Doctor) absent(p program, needed []string, check *Check) {
	install := p.install
	check.Fix = &install
	switch {
	case len(needed) > 0:
		check.State = Wrong
		check.Detail = fmt.Sprintf("It was not found, and %s it.", needs(needed))
		check.Advice = fmt.Sprintf("Install %s. If it is installed, write the full path of %s as the command of the server.", p.title, p.names[0])
	case p.missed:
		check.State = Notice
		check.Detail = "It was not found. None of your servers needs it, but many servers do."
		check.Advice = fmt.Sprintf("Install %s when you add a server that starts with %s.", p.title, p.names[0])
		if p.id == "node" {
			check.Advice = "Install Node.js when you add a server that starts with npx."
		}
	default:
		check.State, check.Fix = OK, nil
		check.Detail = "It is not installed, and none of your servers needs it."
	}
}

// mute says that a program is there and did not tell its version.
func (d *Doctor) mute(p program, path string, needed []string, err error, check *Check) {
	check.State = Notice
	if len(needed) > 0 {
		check.State = Wrong
	}
	if p.id == "docker" {
		if len(needed) == 0 {
			check.State, check.Detail = OK, fmt.Sprintf("Docker is at %s. It is not running, and none of your servers needs it.", path)
			return
		}
		check.Detail = fmt.Sprintf("Docker is at %s, but it is not running, and %s it.", path, needs(needed))
		check.Advice = "Start Docker Desktop, or the Docker service, and check again."
		return
	}
	check.Detail = fmt.Sprintf("It is at %s, but does not work: %s.", path, err)
	check.Advice, check.Fix = fmt.Sprintf("Install %s again.", p.title), &p.install
}

// missing gives the commands that should be there with a program and are not. Those of Python are names for one and the same.
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

// neededBy gives the servers that are started with one of some commands.
func (e *evidence) neededBy(names []string) []string {
	if !e.configured() {
		return nil
	}
	var servers []string
	for _, used := range e.commands {
		base := strings.ToLower(filepath.Base(used.command))
		base = strings.TrimSuffix(strings.TrimSuffix(base, ".exe"), ".cmd")
		// A path that works says where the program is; nobody has to find it.
		if slices.Contains(names, base) && !filepath.IsAbs(used.command) {
			servers = append(servers, used.server)
		}
	}
	return servers
}

// maxNamed is how many servers are named before the rest is counted.
const maxNamed = 3

// needs says that servers need something, as the beginning of "… it".
func needs(servers []string) string {
	switch {
	case len(servers) == 1:
		return servers[0] + " needs"
	case len(servers) <= maxNamed:
		return strings.Join(servers[:len(servers)-1], ", ") + " and " + servers[len(servers)-1] + " need"
	}
	return fmt.Sprintf("%s and %d other servers need", strings.Join(servers[:maxNamed-1], ", "), len(servers)-maxNamed+1)
}

// find finds a program in an environment. What only offers to install it does not count: Windows puts such things where Python
// would be.
func find(name string, env []string) (string, bool) {
	path, err := process.LookPath(name, env, "")
	if err != nil {
		return "", false
	}
	if runtime.GOOS == "windows" && strings.Contains(strings.ToLower(path), `\windowsapps\`) {
		if info, err := os.Lstat(path); err == nil && info.Size() == 0 {
			return "", false
		}
	}
	return path, true
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
