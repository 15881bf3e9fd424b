package toolbox

import (
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// listReporter reports changed lists to [Options.Changed], one kind at a time.
type listReporter struct {
	mu   sync.Mutex
	tell func(downstream.Kind) // [Options.Changed]; may be nil
}

// changed reports that the lists of some kinds may have changed. The caller must hold no lock.
func (r *listReporter) changed(which [downstream.Kinds]bool) {
	if r.tell == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for kind := range downstream.Kinds {
		if which[kind] {
			r.tell(kind)
		}
	}
}

func toolsOnly() (which [downstream.Kinds]bool) {
	which[downstream.Tools] = true
	return which
}
