package downstream

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// When a stream for the server's own messages ends, it is requested again.
const (
	// steadyStream is how long a stream must have lived for its end not to count as early.
	steadyStream = 30 * time.Second
	// maxStreamPause is the longest pause before the next request.
	maxStreamPause = time.Minute
)

// pace makes requests for streams that end early, or are refused, less and less frequent.
type pace struct {
	mu    sync.Mutex
	early int // streams in a row that ended early
}

// wait waits until the stream may be requested again, and reports whether ctx is still valid.
func (p *pace) wait(ctx context.Context) bool {
	p.mu.Lock()
	wait := time.Duration(0)
	if p.early > 1 {
		wait = min(time.Second<<min(p.early-2, 10), maxStreamPause)
	}
	p.mu.Unlock()
	return pause.For(ctx, wait)
}

// ended records how long a stream has lived.
func (p *pace) ended(lived time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.early++
	if lived >= steadyStream {
		p.early = 0
	}
}
