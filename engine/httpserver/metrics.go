package httpserver

import (
	"fmt"
	"net/http"

	"github.com/VictoriaMetrics/metrics"
)

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

// register makes the figures, for all tokens together: names of tokens are not among them.
func (a *apps) register(set *metrics.Set) {
	sum := func(of func(owner *app) int64) func() float64 {
		return func() float64 {
			a.mu.Lock()
			defer a.mu.Unlock()
			var sum int64
			for _, owner := range a.byToken {
				sum += of(owner)
			}
			return float64(sum)
		}
	}
	set.NewGauge("workbench_sessions", sum(func(owner *app) int64 { return int64(len(owner.sessions)) }))
	set.NewGauge("workbench_requests", sum(func(owner *app) int64 { return int64(owner.requests) }))
	set.NewGauge("workbench_unread_bytes", sum(func(owner *app) int64 { return owner.unread.Load() }))
	a.started = set.NewCounter("workbench_sessions_started_total")
	metrics.ExposeMetadata(true) // which of them are counters
}

// count counts an answer.
func (s *Server) count(status int) {
	s.figures.GetOrCreateCounter(fmt.Sprintf(`workbench_responses_total{status="%d"}`, status)).Inc()
}

// metrics answers with the figures, for Prometheus.
func (s *Server) metrics(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.figures.WritePrometheus(w)
}
