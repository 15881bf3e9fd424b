//go:build !windows && !darwin

package autostart

import (
	"errors"
	"os"
	"path/filepath"
)

func newSystem(env func(string) string) (system, error) {
	// The XDG base directory specification wants relative paths ignored.
	if folder := env("XDG_CONFIG_HOME"); filepath.IsAbs(folder) {
		return newDesktop(folder), nil
	}
	home := env("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // the same, but for tests
	}
	if !filepath.IsAbs(home) {
		return nil, errors.New("the home folder is not known, because HOME is not set")
	}
	return newDesktop(filepath.Join(home, ".config")), nil
}
