package pause

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// Until calls wait and reports whether it has returned. It gives up after patience or when ctx ends; wait
// then continues in the background until it returns or the program ends.
func Until(ctx context.Context, wait func(), patience time.Duration) bool {
	done := make(chan struct{})
	background.Go(func() {
		defer close(done)
		wait()
	})
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
