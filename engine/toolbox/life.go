package toolbox

import (
	"context"
	"log/slog"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// life is what the parts of a [Manager] share: its logger, its context, and its goroutines.
type life struct {
	log     *slog.Logger
	ctx     context.Context // ends with the Manager; servers outlive the calls that started them
	stop    context.CancelFunc
	running background.Group // Shutdown waits for these goroutines
}

func newLife(log *slog.Logger) *life {
	ctx, stop := context.WithCancel(context.Background())
	return &life{log: log, ctx: ctx, stop: stop}
}
