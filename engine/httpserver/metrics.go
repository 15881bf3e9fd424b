package httpserver

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
)

// statuses counts responses by their status.
type statuses struct {
	mu       sync.Mutex
	byStatus map[int]int
}

// counting is a ResponseWriter that remembers the status.
type counting struct {
	http.ResponseWriter
	status int
}

// WriteHeader remembers the status and writes it.
func (c *counting) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (c *counting) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *statuses) count(status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byStatus == nil {
		c.byStatus = map[int]int{}
	}
	c.byStatus[status]++
}

// metrics answers with figures in the text format of Prometheus. The names of tokens are not among them.
func (s *Server) metrics(w http.ResponseWriter) {
	sessions, started, requests, unread := s.apps.figures()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	for _, one := range []struct {
		name, kind, about string
		value             int64
	}{
		{"workbench_sessions", "gauge", "Sessions that have an engine.", int64(sessions)},
		{"workbench_sessions_started_total", "counter", "Sessions that were begun.", int64(started)},
		{"workbench_requests", "gauge", "Requests under way, open streams included.", int64(requests)},
		{"workbench_unread_bytes", "gauge", "Bytes that clients have not read yet, and of requests under way.", unread},
	} {
		fmt.Fprintf(w, "# HELP %[1]s %[3]s\n# TYPE %[1]s %[2]s\n%[1]s %[4]d\n", one.name, one.kind, one.about, one.value)
	}
	const total = "workbench_responses_total"
	fmt.Fprintf(w, "# HELP %[1]s Answers by their HTTP status.\n# TYPE %[1]s counter\n", total)
	s.statuses.mu.Lock()
	defer s.statuses.mu.Unlock()
	for _, status := range slices.Sorted(maps.Keys(s.statuses.byStatus)) {
		fmt.Fprintf(w, "%s{status=\"%d\"} %d\n", total, status, s.statuses.byStatus[status])
	}
}

// figures returns what [Server.metrics] shows.
func (a *apps) figures() (sessions, started, requests int, unread int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, owner := range a.byToken {
		sessions += len(owner.sessions)
		requests += owner.requests
		unread += owner.unread.Load()
	}
	return sessions, a.started, requests, unread
}
