package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// note records what the checks need to know about a server.
func (e *evidence) note(name string, server *config.Server) {
	for _, group := range [][]config.Variable{server.Env, server.Headers} {
		for _, v := range group {
			if secret.Pair(v.Name, v.Value) {
				e.secrets = append(e.secrets, name)
			}
		}
	}
	if server.OAuth != nil && secret.Pair("clientSecret", server.OAuth.ClientSecret) {
		e.secrets = append(e.secrets, name)
	}
	for _, arg := range append([]string{server.URL}, server.Args...) {
		if secret.Value(arg) {
			e.secrets = append(e.secrets, name)
		}
	}
	if server.Disabled {
		return
	}
	if server.Transport == config.TransportStdio {
		e.commands = append(e.commands, used{server.Command, name})
	}
	e.keyrings = append(e.keyrings, server.Secrets()...)
}

// configuration checks the configuration file.
func (d *Doctor) configuration(_ context.Context, e *evidence, check *Check) {
	path := d.options.Location.Path
	e.read()
	switch {
	case e.err != nil:
		check.found(Wrong, words.New("doctor.config_unreadable", "Why", e.err))
		check.Advice = words.New("doctor.config_unreadable_advice")
	case !e.document.Valid():
		problems := e.document.Errors()
		check.found(Wrong, words.New("doctor.config_errors", "Path", path, "Count", len(problems), "Line", problems[0].Line,
			"Problem", problems[0].Message))
		check.Advice = words.New("doctor.config_errors_advice")
	case e.document.Source == nil:
		check.found(OK, words.New("doctor.config_none", "Path", path))
		return
	default:
		servers := 0
		for _, toolbox := range e.document.Config.Toolboxes {
			servers += len(toolbox.Servers)
		}
		check.found(OK, words.New("doctor.config_valid", "Path", path,
			"Toolboxes", words.New("doctor.toolboxes", "Count", len(e.document.Config.Toolboxes)), "Servers",
			words.New("doctor.servers", "Count", servers)))
		if warnings := len(slices.DeleteFunc(slices.Clone(e.document.Diagnostics), config.Diagnostic.IsNote)); warnings > 0 {
			check.State = Notice
			check.add(words.New("doctor.config_warnings", "Count", warnings))
			check.Advice = words.New("doctor.config_warnings_advice")
		}
		d.withheld(e.document.Config, check)
	}
	if e.err == nil && e.document.Source != nil && !writable(path) {
		check.State = graver(check.State, Notice)
		check.add(words.New("doctor.config_read_only"))
		check.Advice = words.New("doctor.config_read_only_advice")
	}
}

// maxWithheld is the largest number of servers without needed variables that are named.
const maxWithheld = 5

// withheld finds the servers that need variables and evidently do not get them.
func (d *Doctor) withheld(c *config.Config, check *Check) {
	here := Surroundings{Lookup: config.Lookup{Env: func(name string) (string, bool) {
		value := process.Getenv(d.options.Environment, name)
		return value, value != ""
	}}}
	named := 0
	for _, toolbox := range c.Toolboxes {
		for _, server := range toolbox.Enabled() {
			names := here.Withheld(server)
			if len(names) == 0 || named == maxWithheld {
				continue
			}
			named++
			check.State = Notice
			check.add(words.New("doctor.config_withheld", "Server", toolbox.Name+" › "+server.Name, "Names", names, "One",
				len(names) == 1))
			check.Advice = words.New("doctor.config_warnings_advice")
		}
	}
}

// graver returns the worse of two states.
func graver(a, b State) State { return Worst([]Check{{State: a}, {State: b}}) }

// permissions checks who can read the configuration. This matters when the file has secrets.
func (d *Doctor) permissions(_ context.Context, e *evidence, check *Check) {
	info, err := os.Stat(d.options.Location.Path)
	switch e.read(); {
	case err != nil:
		check.found(OK, words.New("doctor.secrets_no_file"))
	case info.Mode().Perm()&0o077 == 0:
		check.found(OK, words.New("doctor.secrets_only_you"))
		if len(e.secrets) > 0 {
			check.add(words.New("doctor.secrets_in_clear"))
		}
	case len(e.secrets) > 0:
		check.found(Wrong, words.New("doctor.secrets_readable", "Server", e.secrets[0]))
		check.Advice = words.New("doctor.secrets_readable_advice")
		check.Fix = &Fix{ID: FixPermissions, Title: words.New("doctor.fix_permissions")}
	default:
		check.found(OK, words.New("doctor.secrets_none"))
	}
}

// history checks the folder of the histories.
func (d *Doctor) history(_ context.Context, _ *evidence, check *Check) {
	d.privateFolder(d.options.History, words.New("doctor.the_history"), check)
	if check.State != OK && check.Fix == nil && runtime.GOOS != "windows" {
		check.Advice = words.New("doctor.history_advice")
	}
}

// endpoint checks the folder of the socket between the engines and the window.
func (d *Doctor) endpoint(_ context.Context, _ *evidence, check *Check) {
	d.privateFolder(filepath.Dir(d.options.Endpoint), words.New("doctor.the_link"), check)
	check.Fix = nil
	if check.State != OK {
		check.Advice = words.New("doctor.link_advice")
	}
}

// privateFolder checks whether a folder of ours can be used, and only by this user. A missing folder is fine,
// since it will be made.
func (d *Doctor) privateFolder(folder string, what words.Text, check *Check) {
	info, err := os.Stat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		parent := existing(folder)
		if writable(parent) {
			check.found(OK, words.New("doctor.folder_to_come", "What", what, "Folder", folder))
			return
		}
		check.found(Wrong, words.New("doctor.folder_impossible", "Folder", folder, "Parent", parent))
		return
	}
	switch {
	case err != nil:
		check.found(Wrong, words.New("doctor.folder_unusable", "Folder", folder, "Why", paths.Cause(err)))
	case !info.IsDir():
		check.found(Wrong, words.New("doctor.folder_is_file", "Path", folder))
	case !writable(folder):
		check.found(Wrong, words.New("doctor.folder_read_only", "Folder", folder))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		check.found(Notice, words.New("doctor.folder_open", "Folder", folder))
		check.Fix = &Fix{ID: FixHistory, Title: words.New("doctor.fix_history")}
		check.Advice = words.New("doctor.folder_open_advice")
	default:
		check.found(OK, words.New("doctor.folder_kept", "What", what, "Folder", folder))
	}
}

// existing returns the nearest parent folder of a path that exists.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

// Fix carries out a fix that a check offered and that is not a page. The error is [ErrNoFix] for an unknown
// id.
func (d *Doctor) Fix(_ context.Context, id string) error {
	switch {
	case id == FixPermissions && d.options.Location.Path != "":
		return restrict(d.options.Location.Path, 0o600)
	case id == FixHistory && d.options.History != "":
		return restrict(d.options.History, 0o700)
	}
	return ErrNoFix
}

// restrict removes the permissions of other users on a file or folder. Those of its owner stay.
func restrict(path string, most fs.FileMode) error {
	info, err := os.Stat(path)
	if err != nil {
		return words.NewError("doctor.not_restricted", "Path", path, "Why", paths.Cause(err))
	}
	if err := os.Chmod(path, info.Mode().Perm()&most); err != nil {
		return words.NewError("doctor.not_restricted", "Path", path, "Why", paths.Cause(err))
	}
	return nil
}
