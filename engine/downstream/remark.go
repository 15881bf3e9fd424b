package downstream

import (
	"fmt"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits on a server's requests and notifications: a number at once, then a number per second.
const (
	// Requests that need work by a model or a person.
	workBurst, workRate = 20, 1
	// Other requests.
	askBurst, askRate = 100, 10
	// Notifications, except updates of resources, which are merged.
	tellBurst, tellRate = 2_000, 500

	// maxNotice is the largest size, in bytes, of the params of a notification that is passed on to the
	// client.
	maxNotice = 1 << 20
	// maxNested is the deepest nesting of a server's requests, notifications and definitions. Some clients
	// read at most 128 levels; more would cost them the connection, or the lists of all servers.
	maxNested = 100
)

// remark reports a fault of the server in its log and in ours. Each code is reported once in a session.
func (s *Session) remark(text words.Text) {
	if _, said := s.remarked.LoadOrStore(text.Code, true); said {
		return
	}
	s.lines.say(text)
	s.log.Warn("The server breaks the protocol", "problem", clean(s.lines.hide(text.String()), 400))
}

// mayTell reports whether a notification may be passed on to the client.
func (s *Session) mayTell(m jsonrpc.Message) bool {
	switch {
	case len(m.Params) > maxNotice:
		s.remark(words.New("downstream.notification_too_large", "Method", clean(m.Method, 100), "Size", len(m.Params), "Limit", inWords(maxNotice)))
	case jsonrpc.Depth(m.Params) > maxNested:
		s.remark(words.New("downstream.notification_too_deep", "Method", clean(m.Method, 100), "Limit", maxNested))
	case m.Method != ResourceUpdated && !s.told.take(time.Now(), tellBurst, tellRate):
		s.remark(words.New("downstream.notifications_too_many", "Rate", tellRate))
	default:
		return true
	}
	return false
}

// mayAsk returns why the server may not send a request to the client now; nil if it may.
func (s *Session) mayAsk(method string, params []byte) error {
	pace, burst, rate := &s.asks, askBurst, askRate
	if method == "sampling/createMessage" || method == "elicitation/create" {
		pace, burst, rate = &s.work, workBurst, workRate
	}
	switch {
	case jsonrpc.Depth(params) > maxNested:
		s.remark(words.New("downstream.params_too_deep", "Method", clean(method, 100), "Limit", maxNested))
		return &RPCError{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("params are nested deeper than %d levels", maxNested)}
	case !pace.take(time.Now(), burst, rate):
		s.remark(words.New("downstream.asks_too_often", "Method", clean(method, 100), "Burst", burst, "Rate", rate))
		return words.NewError("downstream.asked_too_often", "Method", clean(method, 100), "Burst", burst, "Rate", rate)
	}
	return nil
}

// bucket is a rate limit: it lets a number of things pass at once, and then a number per second. The zero
// bucket is full.
type bucket struct {
	mu    sync.Mutex
	spent float64
	last  time.Time
}

// take reports whether one more thing may pass.
func (b *bucket) take(now time.Time, burst, rate int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(0, b.spent-now.Sub(b.last).Seconds()*float64(rate))
	b.last = now
	if b.spent+1 > float64(burst) {
		return false
	}
	b.spent++
	return true
}
