package toolbox

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// record keeps facts about a server from one link to the next. boxes.mu guards all of it but the journal, which has
// its own lock.
type record struct {
	journal *journal

	// problem is why the last attempt failed, for a server that has no link any more because its toolbox could not be
	// opened at all; nil when there was none, or the toolbox was closed since.
	problem *status.Problem
	failed  time.Time

	crashes int // how often in a row it ended by itself, without having stayed up

	mask func(string) string // masks what the server was given as a secret; nil if it was never connected
}
