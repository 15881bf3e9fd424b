package store

import (
	"bytes"
	"strings"
)

// Limits for the remembered secrets.
const (
	maxRemembered      = 1000
	maxRememberedBytes = 1 << 20
)

// memory holds, by hash, the secrets that have left the file while the store was open, so that a version that
// had them can be restored (docs/adr/020-history-and-secrets.md). It is never written to disk. When it is
// full, the oldest are removed.
type memory struct {
	byHash map[string]hidden
	order  []string // the oldest first
	bytes  int
}

// add remembers a secret. It copies the text, so that nothing else of the source stays in memory.
func (m *memory) add(hash string, h hidden) {
	old, known := m.byHash[hash]
	if known && (old.raw != nil || h.raw == nil) {
		return
	}
	if m.byHash == nil {
		m.byHash = map[string]hidden{}
	}
	h = hidden{value: strings.Clone(h.value), raw: bytes.Clone(h.raw)}
	m.byHash[hash] = h
	m.bytes += h.size() - old.size()
	if !known {
		m.order = append(m.order, hash)
	}
	for len(m.order) > maxRemembered || m.bytes > maxRememberedBytes {
		m.bytes -= m.byHash[m.order[0]].size()
		delete(m.byHash, m.order[0])
		m.order = m.order[1:]
	}
}

func (h hidden) size() int { return len(h.value) + len(h.raw) }

// remember keeps the secrets of texts that the store is about to drop. The caller must hold the queue.
func (s *Store) remember(sources ...[]byte) {
	type found struct {
		hash string
		hidden
	}
	var all []found
	for _, source := range sources {
		for _, h := range findSecrets(source) {
			all = append(all, found{s.history.hasher.secret(h.value), h})
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range all {
		s.memory.add(one.hash, one.hidden)
	}
}
