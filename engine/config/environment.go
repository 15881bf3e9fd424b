package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// CheckEnvironment tells where this computer does not have what the configuration asks for:
// variables that are not set, programs and folders that are not there. All are warnings, in the
// order of the file; each is an error of its one server once that is started. Disabled servers are
// left out, and the keychain is not asked, since that may ask the user.
func (d *Document) CheckEnvironment(lookup Lookup) []Diagnostic {
	c := diagnoser{source: d.Source, isText: true}
	programs := map[[3]string]error{} // many servers run the same few
	for i := range d.texts {
		t := &d.texts[i]
		switch {
		case t.server.Disabled:
		case c.unset(t, lookup):
		case t.at.key == "command" && t.isField():
			c.program(t, lookup, programs)
		case t.at.key == "cwd" && t.isField():
			c.folder(t, lookup)
		}
	}
	return c.finish()
}

// isField tells a server's own field from a variable of that name.
func (t *text) isField() bool {
	return t.at.parent != nil && t.at.parent.parent != nil && t.at.parent.parent.key == "mcpServers"
}

// unset reports the variables of a text that are not set.
func (d *diagnoser) unset(t *text, lookup Lookup) (found bool) {
	places := newOffsets(t.literal, t.start)
	pieces(t.value, func(p piece) bool {
		r := p.reference
		if r == nil || r.keyring {
			return true
		}
		if _, err := lookup.resolve(r); err != nil {
			found = true
			from := places.source(r.start)
			d.say(SeverityWarning, from, places.source(r.end), t.at, "the environment variable "+r.name+" is not set, so this server cannot start",
				"set it where your AI app finds it, or give it a default: ${"+r.name+":-default}")
		}
		return d.counts[SeverityWarning] < maxDiagnostics
	})
	return found
}

func (d *diagnoser) program(t *text, lookup Lookup, programs map[[3]string]error) {
	if t.server.Transport != TransportStdio || strings.TrimSpace(t.value) == "" || commandLine(t.value) || strings.Contains(t.value, "${"+keyringPrefix) {
		return
	}
	e := expander{lookup: lookup}
	command, folder := e.expand("", t.value), e.expand("", t.server.Cwd)
	key := [3]string{command, e.path(t.server), folder}
	if len(e.problems) > 0 {
		return
	}
	err, known := programs[key]
	if !known {
		env := []string{"PATH=" + key[1]}
		if extensions, ok := lookup.env("PATHEXT"); ok {
			env = append(env, "PATHEXT="+extensions)
		}
		_, err = process.LookPath(command, env, folder)
		if words := strings.Fields(command); errors.Is(err, process.ErrNotFound) && len(words) > 1 && command == t.value {
			if _, first := process.LookPath(words[0], env, folder); first == nil {
				err = errCommandLine
			}
		}
		programs[key] = err
	}
	// The text from the file, since the expanded one might hold a secret.
	switch written := quote(t.value); {
	case errors.Is(err, process.ErrNotFound):
		hint := whereToGet(t.value)
		if strings.ContainsAny(t.value, `/\`) {
			hint = "correct the path, or install the program"
		}
		d.say(SeverityWarning, t.start, t.start+len(t.literal), t.at, "the program "+written+" was not found on this computer", hint)
	case errors.Is(err, errCommandLine):
		problem := d.say(SeverityWarning, t.start, t.start+len(t.literal), t.at, `"command" seems to hold a whole command line`, splitHint(t.value))
		if changes := splitWords(t.literal, t.start, `", "args": ["`); problem != nil && len(changes) > 0 && t.server.Args == nil {
			end := t.start + len(t.literal)
			problem.Fix = &Fix{splitTitle, append(changes, Change{end, end, "]"})}
		}
	case errors.Is(err, process.ErrNotExecutable):
		d.say(SeverityWarning, t.start, t.start+len(t.literal), t.at, written+" is there but is not a program that can be run", "name the program itself; if it is a script, make it executable or name its interpreter")
	case err != nil:
		d.say(SeverityWarning, t.start, t.start+len(t.literal), t.at, "the program "+written+" cannot be used", "check its path and the rights to it")
	}
}

// errCommandLine is the reason when the first word of a command is a program, but not the whole.
var errCommandLine = errors.New("a command line")

// whereToGet says what to do about a program that is not there.
func whereToGet(program string) string {
	const orPath = `; if it is installed, write its full path`
	switch strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(program), ".exe"), ".cmd") {
	case "npx", "npm", "node":
		return program + " comes with Node.js: install it from https://nodejs.org" + orPath
	case "uvx", "uv":
		return program + " comes with uv: install it as https://docs.astral.sh/uv says" + orPath
	case "docker":
		return "install Docker from https://docs.docker.com/get-docker" + orPath
	case "podman":
		return "install Podman from https://podman.io" + orPath
	case "bun", "bunx":
		return program + " comes with Bun: install it from https://bun.sh" + orPath
	case "deno":
		return "install Deno from https://deno.com" + orPath
	case "python", "python3", "pip", "pip3":
		return program + " comes with Python: install it from https://www.python.org" + orPath
	case "pipx":
		return "install pipx as https://pipx.pypa.io says" + orPath
	case "dotnet", "dnx":
		return program + " comes with .NET: install it from https://dotnet.microsoft.com" + orPath
	case "java":
		return "install Java, for example from https://adoptium.net" + orPath
	}
	return "install it, or write its full path"
}

// path returns the folders in which a server's command is looked for: its own PATH, else ours.
func (e *expander) path(server *Server) string {
	for _, v := range server.Env {
		if v.Name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(v.Name, "PATH") {
			return e.expand("", v.Value)
		}
	}
	value, _ := e.lookup.env("PATH")
	return value
}

func (d *diagnoser) folder(t *text, lookup Lookup) {
	if t.server.Transport != TransportStdio || strings.Contains(t.value, "${"+keyringPrefix) || t.value == "" {
		return
	}
	e := expander{lookup: lookup}
	folder := e.expand("", t.value)
	if len(e.problems) > 0 {
		return
	}
	info, err := os.Stat(filepath.Clean(folder))
	switch {
	case err != nil:
		d.say(SeverityWarning, t.start, t.start+len(t.literal), t.at, "the folder "+quote(t.value)+" was not found on this computer", "create it, or correct the path")
	case !info.IsDir():
		d.say(SeverityWarning, t.start, t.start+len(t.literal), t.at, quote(t.value)+" is not a folder", "name a folder, or leave it out")
	}
}
