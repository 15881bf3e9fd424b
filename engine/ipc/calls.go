package ipc

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// How many calls are kept, and about how many bytes of them. What engines report is far smaller.
const (
	maxCalls        = 2000
	maxHistoryBytes = 32 << 20
)

// callHistory keeps the last calls of all engines.
type callHistory struct {
	list  []Call
	bytes int                // of list
	first uint64             // the number of list[0], counted over the lifetime of the history
	at    map[callKey]uint64 // the numbers of running calls
	copy  []Call             // the last result of all; nil if it is out of date
}

type callKey struct {
	engine EngineID
	id     uint64
}

// add adds a call that is new or has ended.
func (c *callHistory) add(call Call) {
	if c.at == nil {
		c.at = map[callKey]uint64{}
	}
	c.copy = nil
	key := callKey{call.Engine, call.ID}
	number, known := c.at[key]
	if known && number >= c.first {
		old := &c.list[number-c.first]
		call.Missed = old.Missed
		c.bytes -= sizeOf(old)
		*old = call
	} else {
		number = c.first + uint64(len(c.list))
		c.list = append(c.list, call)
	}
	c.bytes += sizeOf(&call)
	if call.Outcome == status.Running {
		c.at[key] = number
	} else {
		delete(c.at, key)
	}
	if over := len(c.list) - maxCalls; over > maxCalls/4 { // not for every call
		c.forget(over)
	}
	if c.bytes > maxHistoryBytes {
		c.forget(1 + len(c.list)/2)
	}
}

// sizeOf returns about how many bytes of memory a call takes.
func sizeOf(call *Call) int {
	return len(call.Client) + len(call.Toolbox) + len(call.Server) + len(call.Tool) + callSize(&call.Call)
}

func (c *callHistory) forget(n int) {
	for _, call := range c.list[:n] {
		c.bytes -= sizeOf(&call)
		if call.Outcome == status.Running {
			delete(c.at, callKey{call.Engine, call.ID})
		}
	}
	c.list = slices.Delete(c.list, 0, n)
	c.first += uint64(n)
}

// abandon ends the calls of an engine that is gone.
func (c *callHistory) abandon(engine EngineID) {
	for key, number := range c.at {
		if key.engine == engine {
			call := &c.list[number-c.first]
			call.Outcome, call.Problem = status.Error, words.New("ipc.ended_before_answer")
			delete(c.at, key)
			c.copy = nil
		}
	}
}

// older returns how many calls came before those that all returns.
func (c *callHistory) older() int { return int(c.first) + max(0, len(c.list)-maxCalls) }

// all returns the newest calls, the oldest of them first. The slice is not changed any more.
func (c *callHistory) all() []Call {
	if c.copy == nil {
		c.copy = slices.Clone(c.list[max(0, len(c.list)-maxCalls):])
	}
	return c.copy
}
