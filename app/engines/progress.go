package engines

import (
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// longestProgress is how many characters of a server's message about its progress go to the window.
const longestProgress = 200

// progress carries the progress of a call to the window. A server may send it far more often than the window can be drawn, and with
// texts of any length, so only the newest is kept, cut to the length that is shown.
type progress struct {
	do   func(func()) // runs on the goroutine of the window
	show func(done, total float64, message string)

	mu          sync.Mutex
	waits       bool // something is, and do knows
	done, total float64
	message     string
}

// tell takes up what the server says. It can be called on any goroutine.
func (p *progress) tell(done, total float64, message string) {
	message = message[:min(len(message), 8*longestProgress)]                            // the message may have megabytes
	message = strings.Clone(kit.Cut(strings.ToValidUTF8(message, ""), longestProgress)) // so that the rest of it can be forgotten
	p.mu.Lock()
	p.done, p.total = done, total
	if message != "" { // otherwise the last one still holds
		p.message = message
	}
	waited := p.waits
	p.waits = true
	p.mu.Unlock()
	if waited {
		return
	}
	p.do(func() {
		p.mu.Lock()
		p.waits = false
		done, total, message := p.done, p.total, p.message
		p.mu.Unlock()
		p.show(done, total, message)
	})
}
