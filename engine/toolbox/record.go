package toolbox

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// record is what is kept about a server when its link is replaced or removed. It is guarded by boxes.mu, except for
// the journal, which has its own lock.
type record struct {
	journal *journal

	// problem is why the last attempt failed, for a server without a link. It is nil if there was none, or if the
	// toolbox was closed since.
	problem *status.Problem
	failed  time.Time // when the last attempt failed

	crashes int // how often in a row the server has ended by itself within a minute

	mask func(string) string // masks the server's secrets; nil if it was never connected
}
