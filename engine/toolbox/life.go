package toolbox

import (
	"context"
	"log/slog"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// life is what the parts of a [Manager] share: its logger, its context, and its goroutines.
type life struct {
	log     *slog.Logger
	ctx     context.Context // ends with the Manager; servers outlive the calls that started them
	cancel  context.CancelFunc
	running background.Group // Shutdown waits for these goroutines

	mu sync.Mutex // held by begin and stop
}

func newLife(log *slog.Logger) *life {
	ctx, cancel := context.WithCancel(context.Background())
	return &life{log: log, ctx: ctx, cancel: cancel}
}

// begin runs work in a goroutine that Shutdown waits for. Unlike running.Go it may be called at any time: it does
// nothing once the Manager has ended.
func (l *life) begin(work func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() == nil {
		l.running.Go(work)
	}
}

// stop ends ctx.
func (l *life) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cancel()
}
