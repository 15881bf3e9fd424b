package mcpserver

import (
	"context"
)

// listTools answers tools/list with one page, since some clients do not request a second.
func (s *Server) listTools(ctx context.Context, r *request) {
	era := eraOf(r.params)
	if r.refuseEra(era) {
		return
	}
	s.noteClient(era)
	s.roots.await(ctx)
	if s.opener.mustAwaitOpen() {
		s.opener.awaitOpen(ctx)
	}
	tools, change := s.announcer.markAnnounced(era.modern)
	result := append([]byte(`{"tools":`), tools...)
	if era.modern {
		result = append(result, `,"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":`...)
		result = s.identity.appendServerMeta(result, nil)
	}
	r.result(append(result, '}'))
	s.announcer.delivery.give(change)
}
