package engines

import (
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/app/tryit"
)

// longestProgress is how many characters of a server's message about its progress go to the window.
const longestProgress = 200

// progress is on its way from a server's call to the window. A server may tell of it far more often than a window can be drawn, and at any
// length, so only the newest waits, cut to what is shown.
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
	message = message[:min(len(message), 8*longestProgress)]                              // of megabytes it is not looked at
	message = strings.Clone(tryit.Cut(strings.ToValidUTF8(message, ""), longestProgress)) // so that the rest of it can be forgotten
	p.mu.Lock()
	p.done, p.total = done, total
	if message != "" { // without one, that of before is still true
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
