// Package pause waits for a time, for the end of a context, or for functions that may never return.
package pause

import (
	"context"
	"time"
)

// For waits for a time. It returns false if ctx ends first.
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
