package toolbox

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// watcher has the functions of a call of [Manager.Watch].
type watcher struct {
	line func(toolbox, server string, line status.LogLine)
	call func(status.Call)
}

// watchers has all watchers. Checking whether there are any costs one atomic load.
type watchers struct {
	list  atomic.Pointer[[]*watcher]
	calls atomic.Bool // at least one watcher wants calls

	mu sync.Mutex // held while list changes
}

func (w *watchers) add(one *watcher) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set(append(slices.Clone(w.all()), one))
}

func (w *watchers) remove(old *watcher) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set(slices.DeleteFunc(slices.Clone(w.all()), func(other *watcher) bool { return other == old }))
}

func (w *watchers) set(list []*watcher) {
	w.list.Store(&list)
	w.calls.Store(slices.ContainsFunc(list, func(one *watcher) bool { return one.call != nil }))
}

func (w *watchers) all() []*watcher {
	if list := w.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (w *watchers) line(toolbox, server string, line status.LogLine) {
	for _, one := range w.all() {
		if one.line != nil {
			one.line(toolbox, server, line)
		}
	}
}

func (w *watchers) call(call status.Call) {
	for _, one := range w.all() {
		if one.call != nil {
			one.call(call)
		}
	}
}
