package engines

import (
	"context"
	"os"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// usagePause is the time between two looks at the recorded calls while the window is visible.
const usagePause = 5 * time.Second

// UsageSource says where engines record the calls.
type UsageSource struct {
	Folder      usage.Folder // empty if engines record nothing
	Preferences string       // the path of the preferences, which say whether engines record calls
}

// RunUsage reads the recorded calls when they have changed, while the window is visible. It returns when the context
// ends, with the context's error. If the source has no folder, it returns nil at once.
func (a *Aggregator) RunUsage(ctx context.Context, source UsageSource) error {
	if source.Folder == "" {
		return nil
	}
	ticker := time.NewTicker(usagePause)
	defer ticker.Stop()
	var seen [3]state
	var day int
	for {
		if now := time.Now(); a.options.Program.Visible() {
			files := [3]state{stateOf(string(source.Folder)), stateOf(source.Folder.File(now)), stateOf(source.Preferences)}
			if files != seen || day != now.YearDay() || a.usage.Load() == nil {
				report, err := usage.Read(source.Folder, source.Preferences, a.options.Path, now)
				a.usage.Store(&model.Usage{Report: report, Err: err})
				a.Again()
				if seen, day = files, now.YearDay(); err != nil {
					seen = [3]state{} // read again at the next look
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

// state changes when the content of a file changes.
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
