package approval

import (
	"context"
	"os"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
)

// poll is how often the file is looked at where the system gives no notice of it, as while its folder does not exist.
const poll = 3 * time.Second

// Run calls changed, one call at a time, after the file has changed, whoever did it, after a keychain has answered that was too slow before,
// and when one that refused may be asked again.
// It returns when ctx ends, with its error.
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
