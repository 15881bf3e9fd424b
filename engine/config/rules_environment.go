package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
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
	About: "The program that starts a server is not on this computer, or not in a folder in which programs are " +
		"searched for. " +
		"What `pipx run PACKAGE` starts can be started with `uvx PACKAGE` instead: the window offers to change that, and " +
		"`validate --fix` leaves it to you.",
	Entry: `"command": "no-such-program"`}

var comesBuiltIn = Rule{Code: "comes-built-in", Severity: SeverityInfo,
	About: "A server that comes with the program does the work of this reference server, without Node.js or uv and " +
		"without a download. The window offers to change the entry, and `validate --fix` leaves it to you, since its tools " +
		"have other names."}

var programNotExecutable = Rule{Code: "program-not-executable", Severity: SeverityWarning,
	About: "The program's file exists, but it cannot be run."}

var programUnusable = Rule{Code: "program-unusable", Severity: SeverityWarning,
	About: "The system does not say what the program is: a folder on its path may not be entered, for example."}

var folderNotFound = Rule{Code: "folder-not-found", Severity: SeverityWarning,
	About: "The folder in which a server is to run, or one that the server for files is to offer, does not exist.",
	Entry: `"command": "npx", "cwd": "/no/such/folder"`}

var notAFolder = Rule{Code: "not-a-folder", Severity: SeverityWarning,
	About: "A file is named in the place of a folder."}

// computer reports what servers need and this computer does not have.
type computer struct {
	*report
	programs map[[3]string]error // what was found for a command, PATH and folder: many servers use the same few
}

// CheckEnvironment returns warnings about what the configuration needs and this computer does not have:
// variables that are not set, and programs and folders that do not exist. They are in the order of the file.
// Each becomes an error when its server is started. Disabled servers are left out. The keychain is not asked,
// since that may prompt the user.
func (d *Document) CheckEnvironment(lookup Lookup) []Diagnostic {
	asked := false // a value came from the keychain, so it is not known here
	lookup.Keyring = func(string) (string, error) { asked = true; return "", nil }
	c := computer{d.report(), map[[3]string]error{}}
	fixes := 0
	e := &expander{}
	for i := range d.strings {
		t := &d.strings[i]
		next := &expander{lookup: lookup, server: t.server, atUse: true}
		if e.server == t.server && !asked { // expanding all of its variables for each text would take long
			next.names, next.own = e.names, e.own
		}
		e, asked = next, false
		switch {
		case t.server.Disabled:
		case c.unset(t, e) || asked:
		case t.server.Transport != TransportStdio || !t.isField():
		case t.at.key == "command":
			if problem := c.program(t, e); fixes < maxParsedFixes && c.offer(d, t, problem) {
				fixes++
			}
			for _, folder := range t.offered() {
				c.folder(&folder, e)
			}
		case t.at.key == "cwd":
			c.folder(t, e)
		}
	}
	return c.finish()
}

// offer gives a problem with a server's program the fix that starts something else, about which the user decides. If
// there is no problem, but a server of ours that does the same, a note says so. It reports whether there is such a
// fix.
func (c *computer) offer(d *Document, t *stringText, problem *Diagnostic) bool {
	if problem != nil {
		if fix := d.startWithUvx(t); fix != nil {
			problem.Fix, problem.Hint = fix, words.New("config.start_with_uvx", "Address", ProductOf(t.value).Page)
			return true
		}
	}
	fix := d.useBuiltIn(t)
	if fix == nil {
		return false
	}
	if problem != nil {
		problem.Hint = words.New("config.built_in")
	} else if problem = c.sayOf(comesBuiltIn, t, words.New("config.comes_built_in"),
		words.New("config.comes_built_in.hint")); problem == nil {
		return false
	}
	problem.Fix = fix
	return true
}

// isField reports whether the string is a field of a server, and not a variable with the same name.
func (t *stringText) isField() bool {
	return t.at.parent != nil && t.at.parent.parent != nil && t.at.parent.parent.key == "mcpServers"
}

// offered returns the folders that the built-in server for files offers, if the string is its command. Relative ones
// are left out, since they depend on where the server runs.
func (t *stringText) offered() []stringText {
	args := t.server.Args
	if t.args == nil || len(t.args.Children) != len(args) || !process.Ours(t.value) || len(args) < 3 ||
		args[0] != "server" || args[1] != "files" {
		return nil
	}
	var folders []stringText
	at := &docPath{parent: t.at.parent, key: "args", index: -1}
	for i, folder := range args[2:] {
		if filepath.IsAbs(folder) {
			in := t.args.Children[i+2]
			folders = append(folders, stringText{t.server, t.args, &docPath{parent: at, index: i + 2}, in, in.Start, folder})
		}
	}
	return folders
}

// variable returns the name of the variable of env that has the text, or "".
func (t *stringText) variable() string {
	if env := t.at.parent; env != nil && env.key == "env" && (&stringText{at: env}).isField() {
		return t.at.key
	}
	return ""
}

// unset reports the variables in a text that are not set.
func (c *computer) unset(t *stringText, e *expander) (found bool) {
	places := newOffsets(t.in.Raw(), t.start)
	if name := t.variable(); name != "" {
		e.busy = append(e.busy, name)
		defer func() { e.busy = nil }()
	}
	pieces(t.value, func(p piece) bool {
		r := p.reference
		if r == nil {
			return true
		}
		if name := e.missing(r); name != "" {
			found = true
			from := places.source(r.start)
			c.say(unsetVariable, from, places.source(r.end), t.at, words.New("config.unset_variable", "Name", name),
				words.New("config.unset_variable.hint", "Text", "${"+name+":-default}"))
		}
		return c.counts[SeverityWarning] < maxDiagnostics
	})
	return found
}

// missing returns the variable that is not set, so that a reference has no value; "" if there is none, or if
// it is missing in a variable of env, of which that is said.
func (e *expander) missing(r *reference) (name string) {
	_, err := e.resolve(r)
	var own *ownError
	switch {
	case !errors.Is(err, ErrUnset) || errors.As(err, &own):
		return ""
	case !r.hasFallback:
		return r.name
	}
	pieces(r.fallback, func(p piece) bool {
		if p.reference != nil {
			name = e.missing(p.reference)
		}
		return name == ""
	})
	return name
}

// program reports what is wrong with the program of a server. It returns the diagnostic if the program was
// not found, for immediate use only.
func (c *computer) program(t *stringText, e *expander) *Diagnostic {
	if strings.TrimSpace(t.value) == "" || saidByParse(t) {
		return nil
	}
	command, folder := e.expand("", "", t.value), e.expand("", "", t.server.Cwd)
	key := [3]string{command, e.path(t.server), folder}
	if len(e.problems) > 0 {
		return nil
	}
	env := []string{"PATH=" + key[1]}
	if extensions, ok := e.lookup.env("PATHEXT"); ok {
		env = append(env, "PATHEXT="+extensions)
	}
	exists := func(command string) error {
		err, known := c.programs[[3]string{command, key[1], folder}]
		if !known {
			_, err = process.LookPath(command, env, folder)
			c.programs[[3]string{command, key[1], folder}] = err
		}
		return err
	}
	err := exists(command)
	// Quote the text from the file, since the expanded text may contain a secret.
	written := quoted(t.value)
	switch {
	case errors.Is(err, process.ErrNotFound):
		if problem, ok := c.commandLine(t, command, exists); ok {
			return problem
		}
		problem := c.sayOf(programNotFound, t, words.New("config.program_not_found", "Program", written),
			whereToGet(t.value))
		nameAlone(problem, t, command, env)
		if near := nearestProgram(t.value); problem != nil && near != "" {
			problem.Fix = &Fix{Title: words.New("config.fix.use", "Name", quoted(near)),
				Changes: []Change{put(t.start, t.start+len(t.in.Raw()), jsonc.Quote(near))}}
		}
		return problem
	case errors.Is(err, process.ErrNotExecutable):
		c.sayOf(programNotExecutable, t, words.New("config.program_not_executable", "Program", written),
			words.New("config.program_not_executable.hint"))
	case err != nil:
		c.sayOf(programUnusable, t, words.New("config.program_unusable", "Program", written),
			words.New("config.program_unusable.hint"))
	}
	return nil
}

// saidByParse reports whether [Parse] has said already why a command is none.
func saidByParse(t *stringText) bool {
	variables, rest := splitVariables(t.value)
	first, _, more := strings.Cut(rest, " ")
	return len(variables) > 0 || more && !strings.ContainsAny(first, `/\$`) && launcher.Known(first) ||
		len(typedIn(t.value, typedForms{dollar: true, percent: true, home: true})) > 0
}

// commandLine reports a command that does not exist, but begins with a program that does, or else looks like
// words. It returns the diagnostic for immediate use only.
func (c *computer) commandLine(t *stringText, command string, exists func(string) error) (*Diagnostic, bool) {
	if strings.ContainsAny(t.value, "\r\n") || command != t.value {
		return nil, false
	}
	program := ""
	for i, tries := 0, 0; i < len(command) && tries < maxPrograms; i++ {
		if command[i] == ' ' && i > 0 && command[i-1] != ' ' {
			tries++
			if exists(command[:i]) == nil {
				program = command[:i] // the longest: "/opt/my" may be a program beside "/opt/my server"
			}
		}
	}
	if program == "" {
		if !seemsCommandLine(command) {
			return nil, false
		}
		if program = ProgramOf(command); program == command {
			program = strings.Fields(command)[0]
		}
	}
	problem := c.sayOf(commandLineInCommand, t, saysCommandLine(), splitHint(program))
	changes := splitOff(t.in, t.args, t.start, program)
	if problem != nil && len(changes) > 0 && command[:len(program)] == program {
		problem.Fix = &Fix{Title: fixSplit(), Changes: changes, Repeats: t.args != nil}
	}
	return problem, true
}

// maxPrograms is how many beginnings of a command are searched on the disk.
const maxPrograms = 20

// nameAlone adds to a problem with a path that is gone that the program's name alone works.
func nameAlone(problem *Diagnostic, t *stringText, command string, env []string) {
	if problem == nil || command != t.value {
		return
	}
	name, path, ok := process.NameAlone(command, env)
	if !ok {
		return
	}
	problem.Hint = words.New("config.name_alone", "Name", quote(name), "Path", quoted(path))
	problem.Fix = &Fix{Title: words.New("config.fix.use", "Name", quote(name)),
		Changes: []Change{put(t.start, t.start+len(t.in.Raw()), jsonc.Quote(name))}, Alone: true}
}

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
		if SameVariable(v.Name, "PATH") {
			return e.expand("", v.Name, v.Value)
		}
	}
	value, _ := e.lookup.env("PATH")
	return value
}

func (c *computer) folder(t *stringText, e *expander) {
	if t.value == "" {
		return
	}
	folder := e.expand("", "", t.value)
	if len(e.problems) > 0 {
		return
	}
	info, err := os.Stat(filepath.Clean(folder))
	switch {
	case err != nil:
		c.sayOf(folderNotFound, t, words.New("config.folder_not_found", "Folder", quoted(t.value)),
			words.New("config.folder_not_found.hint"))
	case !info.IsDir():
		c.sayOf(notAFolder, t, words.New("config.not_a_folder", "Folder", quoted(t.value)),
			words.New("config.not_a_folder.hint"))
	}
}
