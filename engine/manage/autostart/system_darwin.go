package autostart

import (
	"errors"
	"path/filepath"
)

func newSystem(env func(string) string) (system, error) {
	home := env("HOME")
	if !filepath.IsAbs(home) {
		return nil, errors.New("the home folder is not known, because HOME is not set")
	}
	return newAgent(home), nil
}
