package ipc

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// written returns the messages from an outbox.
func written(t *testing.T, o *outbox) []message {
	t.Helper()
	var all []message
	for more := true; more; {
		var lines []byte
		lines, more = o.take()
		for line := range bytes.Lines(lines) {
			var m message
			if err := json.Unmarshal(line, &m); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			all = append(all, m)
		}
	}
	return all
}

func TestOutboxIsBounded(t *testing.T) {
	for name, text := range map[string]string{"many": "x", "long": strings.Repeat("x", 4<<10)} {
		o := newOutbox()
		for range 3 * maxWaiting {
			o.addLine("t", "s", status.LogLine{Text: text})
		}
		if len(o.waiting) > maxWaiting || o.bytes > maxWaitingBytes {
			t.Errorf("%s: %d wait, %d bytes", name, len(o.waiting), o.bytes)
		}
		all := written(t, o)
		missed := 0
		for _, m := range all {
			missed += m.Missed
		}
		if missed+len(all) != 3*maxWaiting || all[0].Missed != missed {
			t.Errorf("%s: %d written, %d missed", name, len(all), missed)
		}
		if o.bytes != 0 {
			t.Errorf("%s: %d bytes are left", name, o.bytes)
		}
	}
}

func TestRepliesFitIntoALine(t *testing.T) {
	o := newOutbox()
	huge := json.RawMessage(`{"x":"` + strings.Repeat("x", maxFromEngine/3) + `"}`)
	o.addReply(&message{Type: typeReply, ID: 1,
		Tools: []status.Tool{{Name: "a", Definition: huge}, {Name: "b", Definition: huge},
			{Name: "c", Definition: json.RawMessage(`{}`)}}})
	o.addReply(&message{Type: typeReply, ID: 2, Tools: []status.Tool{{Name: "a", Definition: json.RawMessage(`{`)}}})
	all := written(t, o)
	if len(all) != 2 || len(all[0].Tools) != 3 || !all[0].Tools[0].Problem.IsZero() ||
		all[0].Tools[1].Problem.Code != tooLarge || !all[0].Tools[2].Problem.IsZero() {
		t.Fatalf("%d replies", len(all))
	}
	if all[1].ID != 2 || all[1].Error.IsZero() {
		t.Errorf("a definition that is not JSON: %+v", all[1])
	}
	many := make([]status.Server, 60_000)
	for i := range many {
		many[i].Name = strings.Repeat("x", 200)
	}
	if line := snapshotLine(status.Snapshot{Servers: many}); len(line) > maxFromEngine {
		t.Errorf("a snapshot of %d bytes", len(line))
	}
}

// TestRepliesThatGrowFitIntoALine: encoding can make a reply six times as long. The app would skip a line
// that is too long, and wait forever.
func TestRepliesThatGrowFitIntoALine(t *testing.T) {
	definition := json.RawMessage(`{"name":"` + strings.Repeat("<", maxFromEngine/3) + `"}`)
	o := newOutbox()
	o.addReply(&message{Type: typeReply, ID: 7,
		Tools: []status.Tool{{Name: "a", Definition: definition}, {Name: strings.Repeat("<", maxFromEngine/2)}}})
	lines, _ := o.take()
	if len(lines) > maxFromEngine {
		t.Errorf("the line has %d bytes", len(lines))
	}
	m, err := newLineReader(bytes.NewReader(lines), maxFromEngine).next()
	if err != nil || m.ID != 7 {
		t.Errorf("the app reads %+v, %v", m, err)
	}
}
