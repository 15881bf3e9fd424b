package filewatch

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// poll is the time between two checks of files if the system gives no notifications, for example while their folder
// does not exist.
const poll = 3 * time.Second

// Follow calls changed, one call at a time, whenever one of a few files has changed. It returns the error of ctx when
// that ends.
func Follow(ctx context.Context, changed func(), paths ...string) error {
	watch := New(Options{})
	defer watch.Close()
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
