package toolbox

import (
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// board has the snapshot of the status, and tells those who want to know that there is another one. boxes.mu guards
// it.
type board struct {
	snapshot    *status.Snapshot // nil when stale
	subscribers map[chan struct{}]bool
}

func newBoard() board { return board{subscribers: map[chan struct{}]bool{}} }

// touch makes the snapshot stale and wakes the subscribers.
func (b *board) touch() {
	b.snapshot = nil
	for changed := range b.subscribers {
		pause.Wake(changed)
	}
}
