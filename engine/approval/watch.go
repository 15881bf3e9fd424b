package approval

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
)

// poll is the time between two checks of the file if the system gives no notifications, for example while its
// folder does not exist.
const poll = 3 * time.Second

// Run calls changed, one call at a time, whenever the record has changed. It returns the error of ctx when that ends.
func (a *Approvals) Run(ctx context.Context, changed func()) error {
	watch := filewatch.New(filewatch.Options{})
	defer watch.Close()
	paths := []string{a.here.path}
	if a.account.path != "" {
		paths = append(paths, a.account.path)
	}
	look := func() []os.FileInfo {
		seen := make([]os.FileInfo, len(paths))
		for i, path := range paths {
			seen[i], _ = os.Stat(path)
		}
		return seen
	}
	seen := look()
	_, complete := watch.Follow(paths...)
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
		case <-watch.Touched:
		case <-ticks:
		}
		_, complete = watch.Follow(paths...)
		if now := look(); !slices.EqualFunc(seen, now, atomicfile.Unchanged) {
			seen = now
			changed()
		}
	}
}
