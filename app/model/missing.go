package model

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Missing is what has to be filled in before servers can work.
type Missing map[Choice][]foreign.Missing

// MissingIn returns what has to be filled in in a configuration. It takes a while if there are many servers.
func MissingIn(cfg *config.Config) Missing {
	all := Missing{}
	for _, toolbox := range cfg.Toolboxes {
		for _, server := range toolbox.Servers {
			if missing := foreign.MissingIn(server); len(missing) > 0 {
				all[Choice{Toolbox: toolbox.Name, Server: server.Name}] = missing
			}
		}
	}
	return all
}

// Without adds what has to be filled in because variables are not set, as the warnings about the configuration say.
func (m Missing) Without(cfg *config.Config, warnings []config.Diagnostic) Missing {
	unset := slices.DeleteFunc(slices.Clone(warnings), func(d config.Diagnostic) bool { return d.Unset() == "" })
	if len(unset) == 0 {
		return m
	}
	all := maps.Clone(m)
	for _, toolbox := range cfg.Toolboxes {
		for _, server := range toolbox.Servers {
			var names []string
			entry := config.ServerPath(toolbox.Name, server.Name) + "."
			for _, d := range unset {
				if strings.HasPrefix(d.Path, entry) {
					names = append(names, d.Unset())
				}
			}
			if missing := foreign.MissingWithout(server, names); len(missing) > 0 {
				at := Choice{Toolbox: toolbox.Name, Server: server.Name}
				all[at] = slices.Concat(all[at], missing)
			}
		}
	}
	return all
}

// ToFill returns what the user has to fill in before the server can work, or nothing. A server that works has what it
// needs. A server that is switched off has to be filled in only if it was switched off for that: an import does so.
func (s Server) ToFill() []foreign.Missing {
	problem := s.Problem
	switch {
	case s.Changed, s.State == status.Connected, s.State == status.Starting, s.State == status.SignIn:
		return nil
	case s.State == status.Disabled:
		if len(s.Missing) > 0 && s.Missing[0].Blank {
			return s.Missing
		}
		return nil
	case len(s.Missing) > 0:
		return s.Missing
	case problem != nil && (problem.Kind == status.KindVariable || problem.Kind == status.KindKey):
		return []foreign.Missing{{Field: cmp.Or(problem.Field, "env"), Name: problem.Name,
			Key: problem.Kind == status.KindKey || secret.Key(problem.Name)}}
	}
	return nil
}
