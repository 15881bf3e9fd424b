package config

import (
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
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
	folders := paths.Here(env)
	for _, named := range []Location{{flag, true, SourceFlag}, {env(EnvConfig), true, SourceEnv}} {
		if named.Path == "" {
			continue
		}
		path := named.Path
		if rest, ok := strings.CutPrefix(path, "~/"); ok && folders.Home != "" {
			path = filepath.Join(folders.Home, rest)
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return Location{}, words.NewError("config.locate_failed", "File", named.Path, "Why", err)
		}
		named.Path = path
		return named, nil
	}
	path, err := folders.Config(FileName)
	if err != nil {
		return Location{}, words.NewError("config.no_home", "Why", err, "Variable", EnvConfig)
	}
	return Location{path, false, SourceDefault}, nil
}
