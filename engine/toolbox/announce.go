package toolbox

import (
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// announcer tells that lists may have changed, of one kind after the other.
type announcer struct {
	mu   sync.Mutex
	tell func(downstream.Kind) // see [Options]; nil: nobody wants to know
}

// changed announces that the lists of some kinds may have changed. The caller holds no lock.
func (a *announcer) changed(which [downstream.Kinds]bool) {
	if a.tell == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for kind := range downstream.Kinds {
		if which[kind] {
			a.tell(kind)
		}
	}
}

func toolsOnly() (which [downstream.Kinds]bool) {
	which[downstream.Tools] = true
	return which
}
