package engines

import (
	"context"
	"maps"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// memoryPause is the time between two measurements of memory while the window is visible.
const memoryPause = 30 * time.Second

// memory is what servers use that could be shared.
type memory struct {
	wanted   atomic.Pointer[map[int]int] // the processes to measure, see [process.UsesOf]
	measured atomic.Pointer[map[int]process.Use]
	wake     chan struct{}
}

// uses returns what was measured last.
func (m *memory) uses() map[int]process.Use {
	if measured := m.measured.Load(); measured != nil {
		return *measured
	}
	return nil
}

// want sets the processes to measure. If there are others than before, they are measured soon.
func (m *memory) want(processes map[int]int) {
	before := m.wanted.Swap(&processes)
	if len(processes) > 0 && (before == nil || !maps.Equal(*before, processes)) {
		m.look()
	}
}

// look makes RunMemory measure soon.
func (m *memory) look() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// measure measures, and reports whether the result differs enough to be shown.
func (m *memory) measure() bool {
	wanted := m.wanted.Load()
	if wanted == nil || len(*wanted) == 0 {
		return false
	}
	before, now := m.uses(), process.UsesOf(*wanted)
	if alike(before, now) {
		return false
	}
	m.measured.Store(&now)
	return true
}

// alike reports whether measurements are of the same processes, and none differs by more than a tenth: a number that
// changes all the time says no more, and disturbs.
func alike(before, now map[int]process.Use) bool {
	return maps.EqualFunc(before, now, func(a, b process.Use) bool {
		return a.Processes == b.Processes && max(a.Bytes, b.Bytes)-min(a.Bytes, b.Bytes) <= a.Bytes/10
	})
}

// RunMemory measures the memory of servers that several apps run and could share, while the window is visible. It
// returns when the context ends, with the context's error.
func (a *Aggregator) RunMemory(ctx context.Context) error {
	ticker := time.NewTicker(memoryPause)
	defer ticker.Stop()
	for {
		if a.options.Program.Visible() && a.memory.measure() {
			a.Again()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		case <-a.memory.wake:
		}
	}
}

// LookAtMemory makes RunMemory measure soon.
func (a *Aggregator) LookAtMemory() { a.memory.look() }
