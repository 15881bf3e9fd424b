package engines

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// usagePause is how long after the last look the store of the usage is looked at again, while the window can be seen.
const usagePause = 5 * time.Second

// UsageSource says where engines record the calls.
type UsageSource struct {
	Folder      usage.Folder
	Preferences string // the file that says whether they do
}

// RunUsage reads the recorded calls whenever they have changed while the window is visible. It returns when the context ends, with
// the context's error.
func (a *Aggregator) RunUsage(ctx context.Context, source UsageSource) error {
	if source.Folder == "" {
		return nil
	}
	ticker := time.NewTicker(usagePause)
	defer ticker.Stop()
	var seen [2]state
	var day int
	for {
		if now := time.Now(); a.options.Visible == nil || a.options.Visible() {
			files := [2]state{stateOf(filepath.Join(string(source.Folder), usage.File)), stateOf(source.Preferences)}
			if files != seen || day != now.YearDay() || a.usage.Load() == nil {
				report, err := usage.Read(source.Folder, source.Preferences, a.options.Path, now)
				if !errors.Is(err, usage.ErrBusy) || a.usage.Load() == nil { // when it is busy, the last report stays
					a.usage.Store(&model.Usage{Report: report, Err: err})
					a.Again()
				}
				if seen, day = files, now.YearDay(); err != nil {
					seen = [2]state{} // it may be better the next time
				}
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		case <-a.usageWake:
		}
	}
}

// LookAtUsage makes RunUsage read the recorded calls soon, if they have changed.
func (a *Aggregator) LookAtUsage() {
	select {
	case a.usageWake <- struct{}{}:
	default:
	}
}

// state tells one content of a file from others.
type state struct {
	size    int64
	changed time.Time
}

func stateOf(path string) state {
	info, err := os.Stat(path)
	if err != nil {
		return state{}
	}
	return state{info.Size(), info.ModTime()}
}
