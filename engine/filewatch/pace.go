package filewatch

import "time"

// Pace says how long to wait until files that change have come to rest.
type Pace struct {
	Quiet time.Duration // how long nothing must happen
	Most  time.Duration // how long is waited at most for files that never come to rest

	since time.Time // when the change began; zero at rest
}

// Wait notes that something happened at a time, and returns how long to wait from then if nothing else happens.
func (p *Pace) Wait(now time.Time) time.Duration {
	if p.since.IsZero() {
		p.since = now
	}
	return max(0, min(p.Quiet, p.since.Add(p.Most).Sub(now)))
}

// Rest notes that the waiting is over.
func (p *Pace) Rest() { p.since = time.Time{} }
