package ipc

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits on messages that wait for a slow app.
const (
	maxWaiting      = 2000    // log lines, and as many calls
	maxWaitingBytes = 2 << 20 // about the size of the log lines
)

// outbox holds an engine's messages until they are written. Adding a message never blocks: if the outbox is
// full, the oldest log lines are dropped, and calls lose parts, see [callQueue].
type outbox struct {
	wake chan struct{}

	mu      sync.Mutex
	replies []*message // limited by the running commands
	asks    []*message // questions, limited by [maxQuestions], and withdrawals
	calls   callQueue
	waiting []logItem // log lines
	bytes   int       // size of the log lines
	missed  int       // log lines dropped since the last one that was written
}

type logItem struct {
	toolbox, server string
	line            status.LogLine
}

func (i *logItem) size() int { return len(i.line.Text) + 200 }

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

func (o *outbox) addLine(toolbox, server string, line status.LogLine) {
	o.mu.Lock()
	i := logItem{toolbox: toolbox, server: server, line: line}
	o.waiting = append(o.waiting, i)
	o.bytes += i.size()
	drop := 0
	for len(o.waiting)-drop > maxWaiting || o.bytes > maxWaitingBytes && len(o.waiting)-drop > 1 {
		o.bytes -= o.waiting[drop].size()
		drop++
	}
	o.missed += drop
	o.waiting = slices.Delete(o.waiting, 0, drop)
	o.mu.Unlock()
	pause.Wake(o.wake)
}

func (o *outbox) addCall(call status.Call) {
	o.mu.Lock()
	o.calls.add(call)
	o.mu.Unlock()
	pause.Wake(o.wake)
}

func (o *outbox) addReply(m *message) {
	o.mu.Lock()
	o.replies = append(o.replies, m)
	o.mu.Unlock()
	pause.Wake(o.wake)
}

// addAsk adds a question.
func (o *outbox) addAsk(m *message) {
	o.mu.Lock()
	o.asks = append(o.asks, m)
	o.mu.Unlock()
	pause.Wake(o.wake)
}

// withdraw removes a question, or tells the app that it is withdrawn if it was written already.
func (o *outbox) withdraw(id uint64) {
	o.mu.Lock()
	written := len(o.asks)
	o.asks = slices.DeleteFunc(o.asks, func(m *message) bool { return m.ID == id })
	if written == len(o.asks) {
		o.asks = append(o.asks, &message{Type: typeWithdraw, ID: id})
	}
	o.mu.Unlock()
	pause.Wake(o.wake)
}

// answers reports whether replies are waiting.
func (o *outbox) answers() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.replies) > 0
}

// maxWrite is about how many bytes are written at once, so that one write does not take long if the app is slow.
const maxWrite = 64 << 10

// take removes and returns the next lines to write, or nil if there are none. more reports whether others are left.
func (o *outbox) take() (lines []byte, more bool) {
	o.mu.Lock()
	replies := o.replies
	o.replies = nil
	asks := o.asks
	o.asks = nil
	calls := o.calls.take(maxWrite / 2)
	n, size := 0, 0
	for n < len(o.waiting) && size < maxWrite/2 {
		size += o.waiting[n].size()
		n++
	}
	waiting := slices.Clone(o.waiting[:n])
	o.waiting = slices.Delete(o.waiting, 0, n)
	o.bytes -= size
	missed := o.missed
	if n > 0 {
		o.missed = 0
	}
	more = len(o.waiting) > 0 || !o.calls.empty()
	o.mu.Unlock()

	for _, m := range replies {
		lines = appendMessage(lines, shrunk(m))
	}
	for _, m := range asks {
		lines = appendMessage(lines, m)
	}
	for i := range calls {
		lines = appendMessage(lines, &message{Type: typeCall, Call: &calls[i]})
	}
	for i := range waiting {
		lines = appendMessage(lines, &message{Type: typeLog, Toolbox: waiting[i].toolbox, Server: waiting[i].server,
			Line: &waiting[i].line, Missed: missed})
		missed = 0
	}
	return lines, more
}

// appendMessage appends a message as a line. A message that cannot be encoded, for example because a tool's
// definition is not JSON, is left out.
func appendMessage(dst []byte, m *message) []byte {
	line, err := json.Marshal(m)
	if err != nil {
		if m.Type != typeReply {
			return dst
		}
		line, _ = json.Marshal(&message{Type: typeReply, ID: m.ID, Error: words.New("ipc.not_encoded", "Why", err)})
	}
	if m.Type == typeReply && len(line) >= maxFromEngine { // the app would skip it and wait for ever
		line, _ = json.Marshal(&message{Type: typeReply, ID: m.ID, Error: words.New("ipc.answer_too_large")})
	}
	return append(append(dst, line...), '\n')
}

// tooLarge is the problem of a tool whose definition was left out.
const tooLarge = words.Code("ipc.definition_too_large")

// shrunk returns a reply that fits into a line, without definitions of tools that are too large.
func shrunk(m *message) *message {
	const room = maxFromEngine / 2 // encoding may make it longer
	size := 0
	for i := range m.Tools {
		if size += len(m.Tools[i].Definition) + 200; size > room {
			size -= len(m.Tools[i].Definition)
			m.Tools[i].Definition, m.Tools[i].Problem = nil, tooLarge.Text()
		}
	}
	return m
}

// snapshotLine encodes a snapshot. If the line is too long, servers are left out.
func snapshotLine(s status.Snapshot) []byte {
	for {
		line := appendMessage(nil, &message{Type: typeSnapshot, Snapshot: &s})
		if len(line) <= maxFromEngine || len(s.Servers) == 0 {
			return line
		}
		s.Servers = s.Servers[:len(s.Servers)/2]
	}
}
