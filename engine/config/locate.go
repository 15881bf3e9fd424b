package config

import (
	"errors"
	"fmt"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
)

// FileName is the usual name of the configuration file.
const FileName = "workbench-config.json"

// EnvConfig is the environment variable that names the configuration file.
const EnvConfig = "WORKBENCH_CONFIG"

// Values of [Location.Source].
const (
	SourceFlag    = "--config"
	SourceEnv     = EnvConfig
	SourceDefault = "default"
)

// Location is where the configuration file is, and who says so.
type Location struct {
	Path string // absolute

	// Named is set when somebody named the file, by --config or WORKBENCH_CONFIG. It is then an
	// error when the file is missing; a missing default file means no toolboxes.
	Named bool

	Source string // one of SourceFlag, SourceEnv, SourceDefault
}

// Locate finds the file that is in force: flag, unless it is empty, else the one that
// WORKBENCH_CONFIG names, else the user's own (contract.md, section 2). It does not look whether
// there is such a file. A leading ~/ is the user's home folder, since the programs that start us
// don't pass what they set through a shell.
func Locate(flag string, env func(string) string) (Location, error) {
	home := userHome(runtime.GOOS, env)
	for _, named := range []Location{{flag, true, SourceFlag}, {env(EnvConfig), true, SourceEnv}} {
		if named.Path == "" {
			continue
		}
		path := named.Path
		if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
			path = filepath.Join(home, rest)
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return Location{}, fmt.Errorf("finding the configuration file %s: %w", named.Path, err)
		}
		named.Path = path
		return named, nil
	}
	path, err := defaultPath(runtime.GOOS, home, env)
	if err != nil {
		return Location{}, err
	}
	return Location{path, false, SourceDefault}, nil
}

// defaultPath returns the file that the desktop app edits, by the rules of an operating system.
func defaultPath(goos, home string, env func(string) string) (string, error) {
	if goos != "windows" && goos != "darwin" {
		// The XDG base directory specification wants relative paths ignored.
		if folder := env("XDG_CONFIG_HOME"); strings.HasPrefix(folder, "/") {
			return join("/", folder, "workbench", FileName), nil
		}
	}
	if home == "" {
		variable := "HOME"
		if goos == "windows" {
			variable = "USERPROFILE"
		}
		return "", errors.New("the home folder is not known, because " + variable + " is not set; name the configuration file with --config or " + EnvConfig)
	}
	switch goos {
	case "windows":
		return join(`\`, home, ".workbench", FileName), nil
	case "darwin":
		return join("/", home, "Library", "Application Support", "Workbench", FileName), nil
	default:
		return join("/", home, ".config", "workbench", FileName), nil
	}
}

func userHome(goos string, env func(string) string) string {
	if goos == "windows" {
		if home := env("USERPROFILE"); home != "" {
			return home
		}
	} else if home := env("HOME"); strings.HasPrefix(home, "/") {
		return home
	}
	// Programs started by the system itself may have no such variable.
	if current, err := user.Current(); err == nil {
		return current.HomeDir
	}
	return ""
}

// join is filepath.Join for any operating system, whichever this one is.
func join(separator, folder string, names ...string) string {
	return strings.Join(append([]string{strings.TrimRight(folder, separator)}, names...), separator)
}
