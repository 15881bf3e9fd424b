package ipc

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// maxCallBytes is roughly the memory that waiting calls may take. Without arguments calls are small: 2,000
// fit.
const maxCallBytes = 2 << 20

// callQueue holds the calls that wait for a slow app, each once and in its latest state. If there are too
// many, it first drops arguments, then the oldest calls, since the app keeps only the newest anyway. The next
// call says how many were dropped. A call that the app knows as running is never dropped.
type callQueue struct {
	list  []status.Call
	bytes int
	first uint64            // the number of list[0], counted over the lifetime of the queue
	at    map[uint64]uint64 // the numbers of the calls in list, by ID
	bare  uint64            // calls below this number have no arguments any more

	// running calls that the app knows, by ID. Limited by the number of running calls, like the next two
	told map[uint64]bool
	ends []status.Call   // the ends of such calls
	gone map[uint64]bool // running calls that were dropped, by ID
}

// cutArguments replaces arguments that were left out.
const cutArguments = "…"

func callSize(call *status.Call) int { return len(call.Arguments) + call.Problem.Size() + 300 }

// add adds a call that is new or has ended.
func (q *callQueue) add(call status.Call) {
	if q.at == nil {
		q.at, q.told, q.gone = map[uint64]uint64{}, map[uint64]bool{}, map[uint64]bool{}
	}
	running := call.Outcome == status.Running
	if q.told[call.ID] {
		if !running {
			delete(q.told, call.ID)
		}
		q.ends = append(q.ends, call)
		return
	}
	if q.gone[call.ID] { // it was counted already
		if !running {
			delete(q.gone, call.ID)
		}
		return
	}
	if number, waits := q.at[call.ID]; waits {
		old := &q.list[number-q.first]
		call.Missed = old.Missed
		if number < q.bare {
			call.Arguments = old.Arguments
		}
		q.bytes += callSize(&call) - callSize(old)
		*old = call
	} else {
		q.at[call.ID] = q.first + uint64(len(q.list))
		q.list = append(q.list, call)
		q.bytes += callSize(&call)
	}
	for q.bare = max(q.bare, q.first); q.bytes > maxCallBytes && q.bare < q.first+uint64(len(q.list)); q.bare++ {
		bare := &q.list[q.bare-q.first]
		if len(bare.Arguments) > len(cutArguments) {
			q.bytes -= len(bare.Arguments) - len(cutArguments)
			bare.Arguments = cutArguments
		}
	}
	for len(q.list) > maxWaiting {
		q.drop()
	}
}

// drop removes the oldest call. There must be another.
func (q *callQueue) drop() {
	oldest := q.pop(1)[0]
	if oldest.Outcome == status.Running {
		q.gone[oldest.ID] = true
	}
	q.list[0].Missed += oldest.Missed + 1 + oldest.MissedAfter
}

// pop removes and returns the n oldest calls.
func (q *callQueue) pop(n int) []status.Call {
	popped := slices.Clone(q.list[:n])
	for i := range popped {
		delete(q.at, popped[i].ID)
		q.bytes -= callSize(&popped[i])
	}
	clear(q.list[:n]) // releases the arguments
	q.list = q.list[n:]
	q.first += uint64(n)
	return popped
}

// take returns the next calls to write: at least one, and together roughly most bytes.
func (q *callQueue) take(most int) []status.Call {
	size, n := 0, 0
	for n < len(q.ends) && size < most {
		size += callSize(&q.ends[n])
		n++
	}
	taken := slices.Clone(q.ends[:n])
	q.ends = slices.Delete(q.ends, 0, n)
	n = 0
	for n < len(q.list) && size < most {
		size += callSize(&q.list[n])
		n++
	}
	for _, call := range q.pop(n) {
		if call.Outcome == status.Running {
			q.told[call.ID] = true
		}
		taken = append(taken, call)
	}
	return taken
}

func (q *callQueue) empty() bool { return len(q.list) == 0 && len(q.ends) == 0 }
