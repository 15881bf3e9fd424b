package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// note takes down what the checks want to know of a server.
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
	// Expanding a server asks for every reference in it. Nothing is looked up; the names are what is wanted.
	_, _ = server.Expand(config.Lookup{
		Env:     func(string) (string, bool) { return "x", true },
		Keyring: func(name string) (string, error) { e.keyrings = append(e.keyrings, name); return "x", nil },
	})
}

// configuration looks at the configuration file.
func (d *Doctor) configuration(_ context.Context, e *evidence, check *Check) {
	path := d.options.Location.Path
	e.read()
	switch {
	case e.err != nil:
		check.State, check.Detail = Wrong, sentence(e.err.Error())
		check.Advice = "Without it there are no toolboxes."
	case !e.document.Valid():
		problems := e.document.Errors()
		check.State = Wrong
		check.Detail = fmt.Sprintf("%s has %s. The first, in line %d: %s.", path, count(len(problems), "error"), problems[0].Line, problems[0].Message)
		check.Advice = "Open it on the screen for toolboxes, which offers corrections, or run: workbench-desktop validate --fix"
	default:
		if e.document.Source == nil {
			check.State, check.Detail = OK, fmt.Sprintf("There is none yet. It will be %s.", path)
			return
		}
		servers := 0
		for _, toolbox := range e.document.Config.Toolboxes {
			servers += len(toolbox.Servers)
		}
		check.State = OK
		check.Detail = fmt.Sprintf("%s is valid, with %s and %s.", path, countOf(len(e.document.Config.Toolboxes), "toolbox", "toolboxes"), count(servers, "server"))
		if warnings := len(e.document.Diagnostics); warnings > 0 {
			check.State = Notice
			check.Detail += fmt.Sprintf(" There is something to know about it (%s).", count(warnings, "warning"))
			check.Advice = "Open it on the screen for toolboxes, or run: workbench-desktop validate"
		}
	}
	if e.err == nil && e.document.Source != nil && !writable(path) {
		check.State = graver(check.State, Notice)
		check.Detail += " It cannot be written."
		check.Advice = "Give yourself permission to change this file; until then Workbench cannot save."
	}
}

// graver is the graver of two states.
func graver(a, b State) State { return Worst([]Check{{State: a}, {State: b}}) }

// permissions looks at who can read the configuration, which matters when secrets are in it.
func (d *Doctor) permissions(_ context.Context, e *evidence, check *Check) {
	info, err := os.Stat(d.options.Location.Path)
	switch e.read(); {
	case err != nil:
		check.State, check.Detail = OK, "There is no configuration file yet."
	case info.Mode().Perm()&0o077 == 0:
		check.State, check.Detail = OK, "Only you."
		if len(e.secrets) > 0 {
			check.Detail = "Only you. It holds values that look like secrets; the keychain would be a better place."
		}
	case len(e.secrets) > 0:
		check.State = Wrong
		check.Detail = fmt.Sprintf("Others who use this computer can read it, and it holds values that look like secrets, for example of %s.", e.secrets[0])
		check.Advice = "Let only yourself read it. Even better, move the values to the keychain."
		check.Fix = &Fix{ID: FixPermissions, Title: "Let only me read it"}
	default:
		check.State, check.Detail = OK, "Others who use this computer can, which does no harm: it holds no secrets."
	}
}

// history looks at the folder of the histories.
func (d *Doctor) history(_ context.Context, _ *evidence, check *Check) {
	d.privateFolder(d.options.History, "The history of your configuration", check)
	if check.State != OK && check.Fix == nil && runtime.GOOS != "windows" {
		check.Advice = "Make sure that the folder is yours and that you may write into it. Until then changes cannot be undone after a restart."
	}
}

// link looks at the folder of the socket between engines and the window.
func (d *Doctor) link(_ context.Context, _ *evidence, check *Check) {
	d.privateFolder(filepath.Dir(d.options.Endpoint), "It", check)
	check.Fix = nil
	if check.State != OK {
		check.Advice = "Make sure that the folder is yours alone. Until then the window does not see what AI apps do with your servers; the servers work all the same."
	}
}

// privateFolder looks whether a folder of ours can be used, and by nobody else. A folder that is not there will be made.
func (d *Doctor) privateFolder(folder, what string, check *Check) {
	info, err := os.Stat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		parent := existing(folder)
		if writable(parent) {
			check.State, check.Detail = OK, fmt.Sprintf("%s will be kept in %s, which is made when it is first needed.", what, folder)
			return
		}
		check.State, check.Detail = Wrong, fmt.Sprintf("%s cannot be made, since %s cannot be written.", folder, parent)
		return
	}
	switch {
	case err != nil:
		check.State, check.Detail = Wrong, fmt.Sprintf("%s cannot be used: %s.", folder, cause(err))
	case !info.IsDir():
		check.State, check.Detail = Wrong, fmt.Sprintf("%s is a file, where a folder should be.", folder)
	case !writable(folder):
		check.State, check.Detail = Wrong, fmt.Sprintf("%s cannot be written.", folder)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		check.State, check.Detail = Notice, fmt.Sprintf("Others who use this computer can look into %s.", folder)
		check.Fix = &Fix{ID: FixHistory, Title: "Make it private"}
		check.Advice = "Let only yourself use it."
	default:
		check.State, check.Detail = OK, fmt.Sprintf("%s is kept in %s.", what, folder)
	}
}

// existing is the nearest folder above a path that is there.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

// Fix carries out a fix that a check offered, if that is not a page to be opened. The error is [ErrNoFix] for one that nobody
// knows.
func (d *Doctor) Fix(_ context.Context, id string) error {
	switch {
	case id == FixPermissions && d.options.Location.Path != "":
		return restrict(d.options.Location.Path, 0o600)
	case id == FixHistory && d.options.History != "":
		return restrict(d.options.History, 0o700)
	}
	return ErrNoFix
}

// restrict takes away what others may do with a file or folder. What its owner may do stays.
func restrict(path string, most fs.FileMode) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("changing who may read %s: %w", path, cause(err))
	}
	if err := os.Chmod(path, info.Mode().Perm()&most); err != nil {
		return fmt.Errorf("changing who may read %s: %w", path, cause(err))
	}
	return nil
}

// cause drops operation and path from an error, since our texts name them.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
