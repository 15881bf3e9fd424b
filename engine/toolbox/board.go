package toolbox

import (
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// board has the current snapshot of the status and notifies subscribers when it changes. It is guarded by boxes.mu.
type board struct {
	snapshot    *status.Snapshot // nil when stale
	subscribers map[chan struct{}]bool
}

func newBoard() board { return board{subscribers: map[chan struct{}]bool{}} }

// touch discards the snapshot and notifies the subscribers.
func (b *board) touch() {
	b.snapshot = nil
	for changed := range b.subscribers {
		pause.Wake(changed)
	}
}
