package ipc

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// told counts the calls that were written, and those that were reported as missing.
func told(t *testing.T, o *outbox) (calls []status.Call, missed int) {
	t.Helper()
	for _, m := range written(t, o) {
		if m.Call != nil {
			calls = append(calls, *m.Call)
			missed += m.Call.Missed + m.Call.MissedAfter
		}
	}
	return calls, missed
}

// TestBurstOfCalls: a burst of as many calls as the app keeps arrives completely, each call once, whatever
// servers log meanwhile.
func TestBurstOfCalls(t *testing.T) {
	o := newOutbox()
	for i := range maxWaiting {
		o.addCall(status.Call{ID: uint64(i), Outcome: status.Running, Arguments: strings.Repeat("x", status.MaxArguments)})
		o.addLine("t", "s", status.LogLine{Text: strings.Repeat("x", 4<<10)})
	}
	for i := range maxWaiting {
		o.addCall(status.Call{ID: uint64(i), Outcome: status.Done, Arguments: strings.Repeat("x", status.MaxArguments)})
	}
	if o.calls.bytes > maxCallBytes {
		t.Errorf("%d bytes wait", o.calls.bytes)
	}
	calls, missed := told(t, o)
	if len(calls) != maxWaiting || missed != 0 {
		t.Fatalf("%d calls are written, %d missed", len(calls), missed)
	}
	for i, call := range calls {
		if call.ID != uint64(i) || call.Outcome != status.Done {
			t.Fatalf("%d is %+v", i, call)
		}
	}
	if calls[0].Arguments != cutArguments || calls[maxWaiting-1].Arguments == cutArguments {
		t.Error("the oldest have to give up their arguments")
	}
	if o.calls.bytes != 0 || len(o.calls.at)+len(o.calls.told)+len(o.calls.gone) != 0 {
		t.Errorf("something is left: %+v", o.calls)
	}
}

// TestDroppedCallsAreCounted: a dropped call is counted once, even if it ends later. The end of a call that
// the app knows as running is always sent.
func TestDroppedCallsAreCounted(t *testing.T) {
	o := newOutbox()
	o.addCall(status.Call{ID: 1, Outcome: status.Running})
	if calls, _ := told(t, o); len(calls) != 1 {
		t.Fatalf("%+v", calls)
	}
	o.addCall(status.Call{ID: 2, Outcome: status.Running, Missed: 3, MissedAfter: 4})
	o.addCall(status.Call{ID: 1, Outcome: status.Done})
	const more = 2*maxWaiting + 5
	for i := range more {
		o.addCall(status.Call{ID: uint64(10 + i), Outcome: status.Done})
	}
	o.addCall(status.Call{ID: 2, Outcome: status.Done})
	calls, missed := told(t, o)
	if len(calls) != 1+maxWaiting || missed != 3+1+4+more-maxWaiting || calls[1].Missed != missed {
		t.Errorf("%d calls, %d missed, first %+v", len(calls), missed, calls[1])
	}
	if calls[0].ID != 1 || calls[0].Outcome != status.Done {
		t.Errorf("the call that ran is %+v", calls[0])
	}
	if len(o.calls.at)+len(o.calls.told)+len(o.calls.gone) != 0 {
		t.Errorf("something is left: %+v", o.calls)
	}
}

// TestBurstOverTheLink: over a real connection, the app gets each call of a burst once, although it was busy.
func TestBurstOverTheLink(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at})
	source := newEngine()
	startAgent(t, at, source)
	theEngine(t, h)
	eventually(t, func() error {
		if !source.watched() {
			return errors.New("the conversation did not begin")
		}
		return nil
	})
	h.mu.Lock() // the app is busy
	for i := range maxWaiting {
		source.tell(status.Call{ID: uint64(1 + i), Outcome: status.Running, Arguments: strings.Repeat("x", 1000)})
		source.say(strings.Repeat("x", 1000))
	}
	h.mu.Unlock()
	for i := range maxWaiting {
		source.tell(status.Call{ID: uint64(1 + i), Outcome: status.Done})
	}
	eventually(t, func() error {
		calls, done := h.Calls(), 0
		for _, call := range calls {
			if call.Missed+call.MissedAfter > 0 {
				return fmt.Errorf("%+v", call)
			}
			if call.Outcome == status.Done {
				done++
			}
		}
		if len(calls) != maxWaiting || done != maxWaiting || h.OlderCalls() != 0 {
			return fmt.Errorf("%d calls, %d are done", len(calls), done)
		}
		return nil
	})
	source.tell(status.Call{ID: maxWaiting + 1, Outcome: status.Done})
	eventually(t, func() error {
		if h.OlderCalls() != 1 {
			return fmt.Errorf("%d older calls are reported", h.OlderCalls())
		}
		return nil
	})
}
