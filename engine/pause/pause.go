// Package pause waits for a time, or until a context ends.
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
