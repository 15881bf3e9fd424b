package config

import (
	"os"
	"path/filepath"

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

// Location is the path of the configuration file, and what determined it.
type Location struct {
	Path string // absolute

	// Named is set if the file was named by --config or WORKBENCH_CONFIG. It is then an error if the file is
	// missing; a missing default file means that there are no toolboxes.
	Named bool

	Source string // one of SourceFlag, SourceEnv, SourceDefault
}

// Locate returns the path of the configuration file: flag, if it is not empty, else the file that WORKBENCH_CONFIG
// names, else the user's own file (contract.md, section 2). It does not check whether the file exists. A leading ~/ is
// replaced by the user's home folder, since the programs that start us do not use a shell.
func Locate(flag string, env func(string) string) (Location, error) {
	folders := paths.Here(env)
	for _, named := range []Location{{flag, true, SourceFlag}, {env(EnvConfig), true, SourceEnv}} {
		if named.Path == "" {
			continue
		}
		path := named.Path
		if len(path) > 1 && path[0] == '~' && os.IsPathSeparator(path[1]) && folders.Home != "" {
			path = filepath.Join(folders.Home, path[2:])
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
