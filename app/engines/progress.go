package engines

import (
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
)

// longestProgress is the most characters of a progress message that the window gets.
const longestProgress = 200

// progress passes the progress of a call to the window. A server may send it far more often than the window can be
// drawn, and with texts of any length. So only the newest is kept, cut to the visible length.
type progress struct {
	tasks *task.Tasks
	show  func(done, total float64, message string)

	mu          sync.Mutex
	waits       bool // a function waits for the goroutine of the window
	done, total float64
	message     string
}

// tell stores what the server reports. It can be called on any goroutine.
func (p *progress) tell(done, total float64, message string) {
	message = message[:min(len(message), 8*longestProgress)] // the message may have megabytes
	// a copy, so that the rest of the message can be freed
	message = strings.Clone(kit.Cut(strings.ToValidUTF8(message, ""), longestProgress))
	p.mu.Lock()
	p.done, p.total = done, total
	if message != "" { // otherwise the last message is still valid
		p.message = message
	}
	waited := p.waits
	p.waits = true
	p.mu.Unlock()
	if waited {
		return
	}
	p.tasks.Do(func() {
		p.mu.Lock()
		p.waits = false
		done, total, message := p.done, p.total, p.message
		p.mu.Unlock()
		p.show(done, total, message)
	})
}
