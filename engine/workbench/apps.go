package workbench

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
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

// appIDs returns the ids of the app that talks to us: the one of --client, else the one of its greeting. It returns both when they
// differ, because an app may start an entry that registration wrote for another app.
func appIDs(id, greeting string) []string {
	var ids []string
	if own := client.Find(id, greeting).ID; own != "" {
		ids = append(ids, own)
	}
	if greeted := client.Find("", greeting).ID; id != "" && greeted != "" && !client.Matches(id, greeting) {
		ids = append(ids, greeted)
	}
	return ids
}

// fit hands the manager what the app sees of cfg, or of the configuration in force when cfg is nil: then it looks for another app. It reports whether the app sees other toolboxes than before.
func (s *Server) fit(cfg *config.Config) (others bool) {
	s.fitting.Lock()
	defer s.fitting.Unlock()
	s.mu.Lock()
	ids := appIDs(s.options.ClientID, s.clientName)
	s.mu.Unlock()
	if cfg == nil {
		if cfg = s.whole; slices.Equal(ids, s.apps) {
			return false
		}
	}
	s.whole, s.apps = cfg, ids
	old, next := s.manager.Config(), visible(cfg, ids)
	if old == next {
		return false
	}
	s.manager.SetConfig(next)
	return !slices.EqualFunc(old.Toolboxes, next.Toolboxes, func(a, b *config.Toolbox) bool {
		return a.Name == b.Name && a.Description == b.Description
	})
}

// SetConfig takes up a changed, valid configuration; see [toolbox.Manager.SetConfig].
func (s *Server) SetConfig(cfg *config.Config) {
	if s.fit(cfg) {
		s.listChanged(downstream.Resources) // toolboxes are resources
	}
}
