//go:build !windows && !darwin

package autostart

import "github.com/workbench-mcp/workbench-desktop/engine/paths"

func newSystem(env func(string) string) (system, error) {
	here := paths.Here(env)
	folder := here.ConfigHome()
	if folder == "" {
		return nil, here.NoHome()
	}
	return newDesktop(folder), nil
}
