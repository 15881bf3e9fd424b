package filewatch

import "time"

// Pace determines how long to wait until changing files have come to rest.
type Pace struct {
	Quiet time.Duration // how long nothing must change
	Most  time.Duration // the longest wait for files that keep changing

	since time.Time // when the changes began; zero at rest
}

// Wait records a change, and returns how long to wait from then if nothing else changes.
func (p *Pace) Wait(now time.Time) time.Duration {
	if p.since.IsZero() {
		p.since = now
	}
	return max(0, min(p.Quiet, p.since.Add(p.Most).Sub(now)))
}

// Rest records that the wait is over.
func (p *Pace) Rest() { p.since = time.Time{} }
