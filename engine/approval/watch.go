package approval

import (
	"context"
	"os"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
)

// poll is the time between two checks of the file if the system gives no notifications, for example while its
// folder does not exist.
const poll = 3 * time.Second

// Run calls changed, one call at a time, whenever the file has changed, when a slow keychain has answered,
// and when one that refused may be asked again. It returns the error of ctx when that ends.
func (a *Approvals) Run(ctx context.Context, changed func()) error {
	watch := filewatch.New(filewatch.Options{})
	defer watch.Close()
	seen, _ := os.Stat(a.vault.path)
	_, complete := watch.Follow(a.vault.path)
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		ticks := ticker.C
		if complete {
			ticks = nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.woken:
			changed()
			continue
		case <-watch.Touched:
		case <-ticks:
		}
		_, complete = watch.Follow(a.vault.path)
		now, _ := os.Stat(a.vault.path)
		if !atomicfile.Unchanged(seen, now) {
			seen = now
			changed()
		}
	}
}
