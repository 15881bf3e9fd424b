package mcpserver

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// SetConfig applies a new valid configuration; see [toolbox.Manager.SetConfig].
func (s *Server) SetConfig(cfg *config.Config) {
	s.applyVisible(cfg)
	s.askRoots(false)
}

// applyVisible is [catalogue.applyVisible], and announces what has changed.
func (s *Server) applyVisible(cfg *config.Config) {
	if s.catalogue.applyVisible(cfg) {
		s.announcer.listChanged(downstream.Resources) // toolboxes are resources
	}
}

// askRoots asks the client for its roots if it has any, a toolbox depends on them, and they are not known or have
// changed. It does not wait.
func (s *Server) askRoots(changed bool) {
	q := question{askable: askableOf("roots/list")}
	if !s.catalogue.limitsFolders() || s.roots.isKnown() && !changed || !s.peer.legacy.Load() ||
		q.refusal(s.peer.declared()) != nil {
		return
	}
	pending := s.roots.begin()
	if pending == nil {
		return
	}
	background.Go(func() {
		defer close(pending)
		for again := true; again; again = s.roots.answered() {
			limited, cancel := context.WithTimeout(s.lifetime, q.limit)
			result, err := s.asking.askLegacy(limited, q)
			cancel()
			if err != nil {
				s.log.Info("The client does not tell its roots", "error", err)
				continue
			}
			s.roots.tell(foldersOf(result))
			s.applyVisible(nil)
		}
	})
}
