package pause

import (
	"context"
	"time"
)

// Until waits until wait has returned, but no longer than the patience and until ctx ends, and reports whether it has. A wait that never
// returns goes on in the background until the program ends.
func Until(ctx context.Context, wait func(), patience time.Duration) bool {
	done := make(chan struct{})
	go func() {
		wait()
		close(done)
	}()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
