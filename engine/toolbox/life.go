package toolbox

import (
	"context"
	"log/slog"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// life is what the parts of a [Manager] share: what ends when it is shut down.
type life struct {
	log     *slog.Logger
	ctx     context.Context // ends with the Manager. Servers live under it, not under the call that started them.
	stop    context.CancelFunc
	running background.Group
}

func newLife(log *slog.Logger) *life {
	ctx, stop := context.WithCancel(context.Background())
	return &life{log: log, ctx: ctx, stop: stop}
}
