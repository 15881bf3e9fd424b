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

// Reporting calls must not slow them down. While a call passes, little is noted, and only when somebody listens. One
// goroutine masks and reports the calls. It wakes up at intervals, looks at no more calls than the app keeps, and
// counts the others.
const (
	callInterval  = 100 * time.Millisecond
	callBatch     = 2000    // new calls in an interval that are told of
	maxNotedBytes = 2 << 20 // of arguments and results in an interval; further calls are reported without them

	maxNoted = 16 << 10 // bytes of arguments or a result that are looked at
)

// noted is one call to be reported to the watchers.
type noted struct {
	call      status.Call
	arguments []byte
	result    []byte // of a tool that failed
	err       error

	cut bool // the arguments are longer

	queued bool // guarded by recorder.mu, as is what changes of the others
}

// recorder reports calls to the watchers.
type recorder struct {
	life     *life
	watchers *watchers
	maskOf   func(ServerID) func(string) string // what masks the secrets of a server; nil if they are not known
	running  sync.Once                          // reports are made
	lastID   atomic.Uint64
	wake     chan struct{}

	mu     sync.Mutex
	queue  []*noted
	begun  int    // calls in the queue that are new
	bytes  int    // of arguments and results that were copied for them
	last   *noted // the newest of them
	missed int    // calls not noted since
}

func newRecorder(life *life, w *watchers, maskOf func(ServerID) func(string) string) *recorder {
	return &recorder{life: life, watchers: w, maskOf: maskOf, wake: make(chan struct{}, 1)}
}

// watch is [Manager.Watch].
func (r *recorder) watch(w *watcher) (cancel func()) {
	if w.call != nil {
		r.running.Do(func() { r.life.running.Go(func() { background.Keep(r.life.ctx, func() { r.run(r.life.ctx) }) }) })
	}
	r.watchers.add(w)
	return func() { r.watchers.remove(w) }
}

// note reports that a call is under way. It returns nil when nobody watches. It copies no more of the arguments than
// is reported.
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

// room reserves size bytes for a copy and returns size, or 0 when there is no room. The caller holds boxes.mu.
func (r *recorder) room(size int) int {
	if r.bytes+size > maxNotedBytes {
		return 0
	}
	r.bytes += size
	return size
}

// end reports how a call ended. thought is how long the person was asked first. n may be nil. The result is not kept.
func (r *recorder) end(n *noted, result json.RawMessage, waited time.Duration, failed bool, err error) {
	if n == nil {
		return
	}
	r.mu.Lock()
	n.call.Duration = max(time.Since(n.call.Started)-waited, 1)
	n.call.ResultBytes = len(result)
	n.err = err
	switch {
	case err == nil && failed:
		n.call.Outcome = status.ToolError
		if len(result) <= maxNoted && r.room(len(result)) > 0 {
			n.result = bytes.Clone(result)
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

// enqueue queues the report of a call. Every noted call gets its end, so the queue is no longer than the calls under
// way. The caller holds boxes.mu.
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

// take empties the queue.
func (r *recorder) take() []status.Call {
	r.mu.Lock()
	if r.missed > 0 { // since the newest; nobody knows whether another will come
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
		if starts { // the server's secrets are not known yet
			n.arguments, n.cut = nil, n.cut || len(n.arguments) > 0
		}
		call.Arguments = maskArguments(n.arguments, n.cut, mask)
		switch call.Outcome {
		case status.ToolError:
			call.Problem = words.Foreign(oneLine(toolProblem(n.result), maxProblem)) // its session has masked it
		case status.Error:
			call.Problem = words.Of(causeOf(n.err)).Map(func(part string) string { return oneLine(mask(part), maxProblem) })
		}
		calls[i] = call
	}
	return calls
}

// causeOf returns the cause of an error without the contract's sentence around it, which repeats the names of the
// call.
func causeOf(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Cause != nil {
		return e.Cause
	}
	return err
}

// toolProblem returns the first text of a result that says it is an error.
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
