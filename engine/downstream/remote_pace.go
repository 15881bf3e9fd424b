package downstream

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// A stream for what a server says of its own accord is asked for again when it ends.
const (
	// steadyStream is how long one must have lived for its end not to count.
	steadyStream = 30 * time.Second
	// maxStreamPause is the longest pause before it is asked for again.
	maxStreamPause = time.Minute
)

// pace has streams that end early, or that are not there, asked for less and less often.
type pace struct {
	mu    sync.Mutex
	early int // streams in a row that ended early
}

// wait waits until the next stream may be asked for, and reports whether ctx has not ended meanwhile.
func (p *pace) wait(ctx context.Context) bool {
	p.mu.Lock()
	wait := time.Duration(0)
	if p.early > 1 {
		wait = min(time.Second<<min(p.early-2, 10), maxStreamPause)
	}
	p.mu.Unlock()
	return pause.For(ctx, wait)
}

// ended takes up how long a stream has lived.
func (p *pace) ended(lived time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.early++
	if lived >= steadyStream {
		p.early = 0
	}
}
