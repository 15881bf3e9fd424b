package autostart

import "github.com/workbench-mcp/workbench-desktop/engine/paths"

func newSystem(env func(string) string) (system, error) {
	here := paths.Here(env)
	if here.Home == "" {
		return nil, here.NoHome()
	}
	return newAgent(here.Home), nil
}
