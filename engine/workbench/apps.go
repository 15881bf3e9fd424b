package workbench

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// A toolbox can be for some AI apps only. For the others it does not exist: the manager gets a configuration without it, so no list, answer or
// error can tell of it.

// visible returns what an app sees of a configuration: cfg itself when that is everything. The ids are those by which the app is known; a toolbox
// has to be for all of them. An app that is not known sees the toolboxes that are for all apps.
func visible(cfg *config.Config, ids []string) *config.Config {
	hidden := func(t *config.Toolbox) bool {
		return t.Apps != nil && (len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return !t.SeenBy(id) }))
	}
	if !slices.ContainsFunc(cfg.Toolboxes, hidden) {
		return cfg
	}
	narrow := *cfg
	narrow.Toolboxes = slices.DeleteFunc(slices.Clone(cfg.Toolboxes), hidden)
	return &narrow
}

// SetConfig takes up a changed, valid configuration; see [toolbox.Manager.SetConfig].
func (s *Server) SetConfig(cfg *config.Config) {
	if s.catalogue.fit(cfg) {
		s.announcer.listChanged(downstream.Resources) // toolboxes are resources
	}
}
