package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The rules in this file depend on the computer, not only on the file, so [Parse] does not apply them.

var unsetVariable = Rule{Code: "unset-variable", Severity: SeverityWarning,
	About: "A reference names an environment variable that is not set here and has no default.",
	Entry: `"command": "npx", "args": ["${NO_SUCH_VARIABLE}"]`}

// ProgramNotFound is the code of a diagnostic of [Document.CheckEnvironment] for a server's program that is
// not on this computer.
const ProgramNotFound = "program-not-found"

var programNotFound = Rule{Code: ProgramNotFound, Severity: SeverityWarning,
	About: "The program that starts a server is not on this computer, or not in a folder in which programs are searched for. " +
		"What `pipx run PACKAGE` starts can be started with `uvx PACKAGE` instead: the window offers to change that, and `validate --fix` leaves it to you.",
	Entry: `"command": "no-such-program"`}

var programNotExecutable = Rule{Code: "program-not-executable", Severity: SeverityWarning,
	About: "The program's file exists, but it cannot be run."}

var programUnusable = Rule{Code: "program-unusable", Severity: SeverityWarning,
	About: "The system does not say what the program is: a folder on its path may not be entered, for example."}

var folderNotFound = Rule{Code: "folder-not-found", Severity: SeverityWarning,
	About: "The folder in which a server is to run does not exist.",
	Entry: `"command": "npx", "cwd": "/no/such/folder"`}

var notAFolder = Rule{Code: "not-a-folder", Severity: SeverityWarning,
	About: "\"cwd\" is a file, not a folder."}

// CheckEnvironment returns warnings about what the configuration needs and this computer does not have:
// variables that are not set, and programs and folders that do not exist. They are in the order of the file.
// Each becomes an error when its server is started. Disabled servers are left out. The keychain is not asked,
// since that may prompt the user.
func (d *Document) CheckEnvironment(lookup Lookup) []Diagnostic {
	c := newDiagnoser(d.Source)
	c.isText = true
	programs := map[[3]string]error{} // many servers use the same few programs
	fixes := 0
	for i := range d.strings {
		t := &d.strings[i]
		switch {
		case t.server.Disabled:
		case c.unset(t, lookup):
		case t.server.Transport != TransportStdio || strings.Contains(t.value, "${"+keyringPrefix) || !t.isField():
		case t.at.key == "command":
			problem := c.program(t, lookup, programs)
			if problem == nil || fixes == maxParsedFixes {
				continue
			}
			if fix := d.startWithUvx(t); fix != nil {
				problem.Fix, problem.Hint = fix, words.New("config.start_with_uvx", "Address", ProductOf(t.value).Page)
				fixes++
			}
		case t.at.key == "cwd":
			c.folder(t, lookup)
		}
	}
	return c.finish()
}

// isField reports whether the string is a field of a server, and not a variable with the same name.
func (t *stringText) isField() bool {
	return t.at.parent != nil && t.at.parent.parent != nil && t.at.parent.parent.key == "mcpServers"
}

// sayOf adds a diagnostic for a whole string.
func (d *diagnoser) sayOf(r Rule, t *stringText, message, hint words.Text) *Diagnostic {
	return d.say(r, t.start, t.start+len(t.in.Raw()), t.at, message, hint)
}

// unset reports the variables in a text that are not set.
func (d *diagnoser) unset(t *stringText, lookup Lookup) (found bool) {
	places := newOffsets(t.in.Raw(), t.start)
	pieces(t.value, func(p piece) bool {
		r := p.reference
		if r == nil || r.keyring {
			return true
		}
		if _, err := lookup.resolve(r); err != nil {
			found = true
			from := places.source(r.start)
			d.say(unsetVariable, from, places.source(r.end), t.at, words.New("config.unset_variable", "Name", r.name),
				words.New("config.unset_variable.hint", "Text", "${"+r.name+":-default}"))
		}
		return d.counts[SeverityWarning] < maxDiagnostics
	})
	return found
}

// program reports what is wrong with the program of a server. It returns the diagnostic if the program was
// not found, for immediate use only.
func (d *diagnoser) program(t *stringText, lookup Lookup, programs map[[3]string]error) *Diagnostic {
	if strings.TrimSpace(t.value) == "" || isCommandLine(t.value) {
		return nil
	}
	e := expander{lookup: lookup}
	command, folder := e.expand("", t.value), e.expand("", t.server.Cwd)
	key := [3]string{command, e.path(t.server), folder}
	if len(e.problems) > 0 {
		return nil
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
	// Quote the text from the file, since the expanded text may contain a secret.
	switch written := quoted(t.value); {
	case errors.Is(err, process.ErrNotFound):
		problem := d.sayOf(programNotFound, t, words.New("config.program_not_found", "Program", written), whereToGet(t.value))
		if near := nearestProgram(t.value); problem != nil && near != "" {
			problem.Fix = &Fix{Title: words.New("config.fix.use", "Name", quoted(near)), Changes: []Change{put(t.start, t.start+len(t.in.Raw()), jsonc.Quote(near))}}
		}
		return problem
	case errors.Is(err, errCommandLine):
		problem := d.sayOf(commandLineInCommand, t, saysCommandLine(), splitHint(t.value))
		if changes := splitCommand(t.in.Raw(), t.start); problem != nil && len(changes) > 0 && t.server.Args == nil {
			problem.Fix = &Fix{Title: fixSplit(), Changes: changes}
		}
	case errors.Is(err, process.ErrNotExecutable):
		d.sayOf(programNotExecutable, t, words.New("config.program_not_executable", "Program", written),
			words.New("config.program_not_executable.hint"))
	case err != nil:
		d.sayOf(programUnusable, t, words.New("config.program_unusable", "Program", written), words.New("config.program_unusable.hint"))
	}
	return nil
}

// errCommandLine means that the first word of a command is a program, but the whole command is not.
var errCommandLine = errors.New("a command line")

// whereToGet returns a hint for a program that was not found.
func whereToGet(program string) words.Text {
	product := ProductOf(program)
	switch {
	case product.ID == "" && strings.ContainsAny(program, `/\`):
		return words.New("config.correct_or_install")
	case product.ID == "":
		return words.New("config.install_it")
	case strings.EqualFold(product.Name, process.Name(program)):
		return words.New("config.install", "Name", product.Name, "Address", product.Page)
	}
	return words.New("config.comes_with", "Program", program, "Name", product.Name, "Address", product.Page)
}

// nearestProgram returns the well-known program whose name is probably misspelt, or "". A well-known name is
// never replaced: somebody who has npm but not npx does not mean npm.
func nearestProgram(name string) string {
	if len(name) < 3 || ProductOf(name).ID != "" || strings.ContainsAny(name, `/\`) {
		return ""
	}
	var known []string
	for _, product := range Products() {
		known = append(known, product.Commands...)
	}
	return nearest(name, known)
}

// path returns the PATH in which a server's command is searched: its own, else ours.
func (e *expander) path(server *Server) string {
	for _, v := range server.Env {
		if v.Name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(v.Name, "PATH") {
			return e.expand("", v.Value)
		}
	}
	value, _ := e.lookup.env("PATH")
	return value
}

func (d *diagnoser) folder(t *stringText, lookup Lookup) {
	if t.value == "" {
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
		d.sayOf(folderNotFound, t, words.New("config.folder_not_found", "Folder", quoted(t.value)), words.New("config.folder_not_found.hint"))
	case !info.IsDir():
		d.sayOf(notAFolder, t, words.New("config.not_a_folder", "Folder", quoted(t.value)), words.New("config.not_a_folder.hint"))
	}
}
