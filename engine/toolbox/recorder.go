package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Reporting calls must not slow them down. A call is recorded only if there is a watcher, and with little work. One
// goroutine masks and reports the recorded calls at intervals. It reports no more calls than the app keeps, and counts
// the others.
const (
	callInterval  = 100 * time.Millisecond
	callBatch     = 2000    // new calls that are reported in an interval
	maxNotedBytes = 2 << 20 // of arguments and results that are copied in an interval

	maxNoted = 16 << 10 // of the arguments or the result of one call that are copied
)

// noted is a call to be reported.
type noted struct {
	call      status.Call
	arguments []byte
	result    []byte // only if the tool has failed
	err       error

	cut bool // arguments has only the beginning of the arguments

	queued bool // it is in recorder.queue; guarded by recorder.mu, as are the fields that end sets
}

// recorder reports calls to the watchers.
type recorder struct {
	life     *life
	watchers *watchers
	maskOf   func(ServerID) func(string) string // returns what masks the secrets of a server; nil if they are not known
	running  sync.Once                          // starts run
	lastID   atomic.Uint64
	wake     chan struct{}

	mu     sync.Mutex
	queue  []*noted
	begun  int    // new calls since the last report
	bytes  int    // of arguments and results that were copied since then
	last   *noted // the newest recorded call
	missed int    // calls since then that were not recorded
}

func newRecorder(life *life, w *watchers, maskOf func(ServerID) func(string) string) *recorder {
	return &recorder{life: life, watchers: w, maskOf: maskOf, wake: make(chan struct{}, 1)}
}

// watch is [Manager.Watch].
func (r *recorder) watch(w *watcher) (cancel func()) {
	if w.call != nil {
		r.running.Do(func() { r.life.begin(func() { background.Keep(r.life.ctx, func() { r.run(r.life.ctx) }) }) })
	}
	r.watchers.add(w)
	return func() { r.watchers.remove(w) }
}

// note records that a call has begun. It returns nil if there is no watcher, or if there were too many calls.
func (r *recorder) note(id ToolID, arguments json.RawMessage) *noted {
	if !r.watchers.calls.Load() {
		return nil
	}
	r.mu.Lock()
	if r.begun >= callBatch {
		r.missed++
		r.mu.Unlock()
		return nil
	}
	r.begun++
	n := &noted{call: status.Call{ID: r.lastID.Add(1), Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool,
		Started: time.Now(), Outcome: status.Running}}
	r.last = n
	size := r.room(min(len(arguments), maxNoted))
	n.arguments, n.cut = bytes.Clone(arguments[:size]), len(arguments) > size
	r.enqueue(n)
	r.mu.Unlock()
	pause.Wake(r.wake)
	return n
}

// room reserves size bytes for a copy and returns size, or 0 if there is not enough room. The caller holds r.mu.
func (r *recorder) room(size int) int {
	if r.bytes+size > maxNotedBytes {
		return 0
	}
	r.bytes += size
	return size
}

// end records how a call ended. waited is how long the person took to allow it. n may be nil. The result is not
// retained.
func (r *recorder) end(n *noted, result []jsonrpc.Member, waited time.Duration, failed bool, err error) {
	if n == nil {
		return
	}
	r.mu.Lock()
	n.call.Duration = max(time.Since(n.call.Started)-waited, 1)
	n.call.ResultBytes = sizeOf(result)
	n.err = err
	switch {
	case err == nil && failed:
		n.call.Outcome = status.ToolError
		if n.call.ResultBytes <= maxNoted && r.room(n.call.ResultBytes) > 0 {
			n.result = jsonrpc.AppendObject(nil, result)
		}
	case err == nil:
		n.call.Outcome = status.Done
	case errors.Is(err, context.Canceled):
		n.call.Outcome = status.Cancelled
	case words.Is(err, errRefused):
		n.call.Outcome = status.Refused
	case words.Is(err, errNotAnswered):
		n.call.Outcome = status.Unanswered
	default:
		n.call.Outcome = status.Error
	}
	r.enqueue(n)
	r.mu.Unlock()
	pause.Wake(r.wake)
}

// sizeOf returns the size of an object in bytes, 0 for none.
func sizeOf(members []jsonrpc.Member) int {
	if members == nil {
		return 0
	}
	size := len(`{}`)
	for i, m := range members {
		size += min(i, len(`,`)) + len(`"":`) + len(m.Name) + len(m.Value)
	}
	return size
}

// enqueue adds a call to the queue, unless it is there. The caller holds r.mu.
func (r *recorder) enqueue(n *noted) {
	if !n.queued {
		n.queued = true
		r.queue = append(r.queue, n)
	}
}

// run reports calls until ctx ends.
func (r *recorder) run(ctx context.Context) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
		pause.Reset(callInterval)
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
		for _, call := range r.take() {
			r.watchers.call(call)
		}
	}
}

// take empties the queue and returns its calls, masked.
func (r *recorder) take() []status.Call {
	r.mu.Lock()
	if r.missed > 0 { // reported with the newest call, since there may be no other
		r.last.call.MissedAfter = r.missed
		r.enqueue(r.last)
	}
	queue := make([]noted, len(r.queue))
	for i, n := range r.queue {
		n.queued = false
		queue[i] = *n
	}
	clear(r.queue)
	r.queue, r.begun, r.bytes, r.last, r.missed = r.queue[:0], 0, 0, nil, 0
	r.mu.Unlock()

	calls := make([]status.Call, len(queue))
	for i := range queue {
		n := &queue[i]
		call := n.call
		mask := r.maskOf(ServerID{call.Toolbox, call.Server})
		starts := mask == nil && call.Outcome == status.Running
		if mask == nil {
			mask = func(text string) string { return text }
		}
		call.Toolbox, call.Server = oneLine(call.Toolbox, maxName), oneLine(call.Server, maxName)
		call.Tool = oneLine(mask(call.Tool), maxName)
		if starts { // the server's secrets are not known yet, so its arguments cannot be shown
			n.arguments, n.cut = nil, n.cut || len(n.arguments) > 0
		}
		call.Arguments = maskArguments(n.arguments, n.cut, mask)
		switch call.Outcome {
		case status.ToolError:
			call.Problem = words.Foreign(oneLine(toolProblem(n.result), maxProblem)) // the session has masked it
		case status.Error:
			call.Problem = words.Of(causeOf(n.err)).Map(func(part string) string { return oneLine(mask(part), maxProblem) })
		}
		calls[i] = call
	}
	return calls
}

// causeOf returns the cause of an error without the sentence of the contract, which repeats the names of the call.
func causeOf(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Cause != nil {
		return e.Cause
	}
	return err
}

// toolProblem returns the first text of the result of a tool that has failed.
func toolProblem(result json.RawMessage) string {
	content, err := jsonrpc.Elements(jsonrpc.Lookup(result, "content"))
	if err != nil {
		return ""
	}
	for _, item := range content {
		if text, ok := jsonrpc.String(jsonrpc.Lookup(item, "text")); ok {
			return text
		}
	}
	return ""
}
