package downstream

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// When a stream for the server's notifications ends, it is requested again.
const (
	// steadyStream is the duration from which the end of a stream does not count as early.
	steadyStream = 30 * time.Second
	// maxStreamPause is the longest pause before the next request.
	maxStreamPause = time.Minute
)

// pace determines the pause before a stream is requested again. The pause grows while streams end early.
type pace struct {
	mu    sync.Mutex
	early int // number of streams in a row that ended early
}

// wait waits until the stream may be requested again. It reports false if ctx has ended.
func (p *pace) wait(ctx context.Context) bool {
	p.mu.Lock()
	wait := time.Duration(0)
	if p.early > 1 {
		wait = min(time.Second<<min(p.early-2, 10), maxStreamPause)
	}
	p.mu.Unlock()
	return pause.For(ctx, wait)
}

// ended records how long a stream has lasted.
func (p *pace) ended(lived time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.early++
	if lived >= steadyStream {
		p.early = 0
	}
}

// maxAgain is the longest time that a server may ask to be left alone. What is longer is a mistake.
const maxAgain = 31 * 24 * time.Hour

// again returns the time of a Retry-After, which is a number of seconds or a date; nil if it is neither, or over.
func again(value string, now time.Time) *time.Time {
	at, err := http.ParseTime(value)
	if err != nil {
		seconds, err := strconv.ParseInt(strings.TrimSpace(value), 10, 32)
		if err != nil {
			return nil
		}
		at = now.Add(time.Duration(seconds) * time.Second)
	}
	if left := at.Sub(now); left <= 0 || left > maxAgain {
		return nil
	}
	at = at.Local()
	return &at
}
