// Package pause waits for a time, until a context ends, or for what may never end.
package pause

import (
	"context"
	"time"
)

// For waits, and reports whether ctx has not ended meanwhile.
func For(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
