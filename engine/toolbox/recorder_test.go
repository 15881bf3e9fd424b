package toolbox

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestCallsAreTold(t *testing.T) {
	tools := []json.RawMessage{fakeserver.Tool("echo"), fakeserver.Tool("fails"), fakeserver.Tool("errs")}
	m := newManager(t, oneToolbox("dev", fake("s", fakeserver.Script{
		Tools: tools,
		Results: map[string]json.RawMessage{
			"fails": json.RawMessage(`{"isError":true,"content":[{"type":"text","text":"no such row"}]}`)},
		Errors: map[string]json.RawMessage{"errs": json.RawMessage(`{"code":-32000,"message":"broken"}`)},
	})), Options{})
	open(t, m, "dev")
	var mu sync.Mutex
	seen := map[uint64][]status.Call{}
	cancel := m.Watch(nil, func(c status.Call) {
		mu.Lock()
		defer mu.Unlock()
		seen[c.ID] = append(seen[c.ID], c)
	})
	defer cancel()

	call := func(tool, arguments string) {
		_, _ = m.Call(t.Context(), ToolID{"dev", "s", tool}, downstream.Call{Arguments: json.RawMessage(arguments)})
	}
	call("echo", `{"query":"x","api_key":"hunter2hunter2","list":[{"password":12345678901}],"big":12345678901234567890}`)
	call("echo", `{"delayMs":400}`)
	call("fails", `{}`)
	call("errs", `{}`)
	call("unknown", `{}`)
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, stop)
	if _, err := m.Call(ctx, ToolID{"dev", "s", "echo"},
		downstream.Call{Arguments: json.RawMessage(`{"delayMs":60000}`)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}

	want := []struct {
		outcome status.Outcome
		problem string
	}{{status.Done, ""}, {status.Done, ""}, {status.ToolError, "no such row"}, {status.Error, "broken (code -32000)"},
		{status.Error, "not found"}, {status.Cancelled, ""}}
	eventually(t, func() error {
		mu.Lock()
		defer mu.Unlock()
		for i, w := range want {
			calls := seen[uint64(i+1)]
			if len(calls) == 0 || calls[len(calls)-1].Outcome != w.outcome {
				return fmt.Errorf("call %d: %+v, want it to end with %s", i+1, calls, w.outcome)
			}
			if last := calls[len(calls)-1]; !strings.Contains(last.Problem.String(), w.problem) || last.Duration <= 0 ||
				last.Started.IsZero() {
				return fmt.Errorf("call %d: %+v", i+1, last)
			}
		}
		return nil
	})
	mu.Lock()
	defer mu.Unlock()
	if first := seen[1][len(seen[1])-1]; first.Arguments != `{"query":"x","api_key":"•••","list":[{"password":"•••"}],"big":12345678901234567890}` || first.ResultBytes == 0 {
		t.Errorf("%+v", first)
	}
	if slow := seen[2]; len(slow) != 2 || slow[0].Outcome != status.Running {
		t.Errorf("a slow call was reported as %+v", slow)
	}
}

// asItIs masks nothing.
func asItIs(text string) string { return text }

func unmasked(ServerID) func(string) string { return asItIs }

// Activity shows nothing that the server was given as a secret, in any spelling: not in arguments, nor in the text of
// a failure. While the secrets of a server are not known yet, it shows no arguments.
func TestActivityHasNoKnownSecrets(t *testing.T) {
	const value = "teal 7"
	spellings := []string{value, url.QueryEscape(value), url.PathEscape(value),
		base64.StdEncoding.EncodeToString([]byte("me:" + value))}
	all, _ := json.Marshal(strings.Join(spellings, " / "))
	server := fake("s", fakeserver.Script{
		Tools: []json.RawMessage{fakeserver.Tool("echo"), fakeserver.Tool("fails"), fakeserver.Tool("errs")},
		Results: map[string]json.RawMessage{
			"fails": json.RawMessage(`{"isError":true,"content":[{"type":"text","text":` + string(all) + `}]}`)},
		Errors: map[string]json.RawMessage{"errs": json.RawMessage(`{"code":-32000,"message":` + string(all) + `}`)},
	})
	server.Env = append(server.Env, config.Variable{Name: "COLOUR", Value: "${keyring:colour}"})
	unlock := make(chan struct{})
	m := NewManager(oneToolbox("dev", server), Options{Lookup: config.Lookup{Keyring: func(string) (string, error) {
		<-unlock
		return value, nil
	}}})
	t.Cleanup(func() { m.Shutdown(context.Background()) })
	calls := make(chan status.Call, 100)
	defer m.Watch(nil, func(c status.Call) { calls <- c })()

	ended := make(chan error, 1)
	go func() {
		var err error
		for _, tool := range []string{"echo", "fails", "errs", value} {
			arguments := json.RawMessage(`{"colour":` + string(all) + `,"list":[{"` + value + `":1}],"path":"notes/a.md"}`)
			if _, failed := m.Call(t.Context(), ToolID{"dev", "s", tool},
				downstream.Call{Arguments: arguments}); tool == "echo" {
				err = failed
			}
		}
		ended <- err
	}()
	if first := <-calls; first.Outcome != status.Running || first.Arguments != "…" {
		t.Errorf("while the server starts: %+v", first)
	}
	close(unlock)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for outcomes := map[status.Outcome]int{}; outcomes[status.Done]+outcomes[status.ToolError]+
		outcomes[status.Error] < 4; {
		call := <-calls
		outcomes[call.Outcome]++
		text := call.Arguments + call.Tool + call.Problem.String()
		for _, spelling := range spellings {
			if strings.Contains(text, spelling) {
				t.Errorf("%q is in %s", spelling, text)
			}
		}
		if call.Arguments != "…" && !strings.Contains(call.Arguments, "notes/a.md") {
			t.Errorf("the arguments are %q", call.Arguments)
		}
	}
}

// A flood of calls must cost little: only a number of calls in each interval are recorded; the others are
// counted.
func TestFloodOfCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w watchers
		r := newRecorder(nil, &w, unmasked)
		if r.note(ToolID{}, nil) != nil {
			t.Error("a call was recorded although nobody watches")
		}
		var calls []status.Call
		w.add(&watcher{call: func(c status.Call) { calls = append(calls, c) }})
		ctx, cancel := context.WithCancel(t.Context())
		go r.run(ctx)
		one := func() {
			n := r.note(ToolID{"t", "s", "x"}, nil)
			r.end(n, nil, 0, false, nil)
		}
		for range callBatch + 900 {
			one()
		}
		time.Sleep(2 * callInterval)
		synctest.Wait()
		// The missed calls are reported although no other call follows.
		if len(calls) != callBatch || calls[callBatch-1].MissedAfter != 900 || calls[callBatch-1].Outcome != status.Done {
			t.Errorf("%d calls were reported, the last %+v", len(calls), calls[len(calls)-1])
		}
		one()
		time.Sleep(2 * callInterval)
		synctest.Wait()
		if last := calls[len(calls)-1]; len(calls) != callBatch+1 || last.Missed+last.MissedAfter != 0 ||
			last.Outcome != status.Done {
			t.Errorf("%d calls, the last %+v", len(calls), last)
		}
		// Many long calls are all reported, but some without their arguments.
		arguments := json.RawMessage(`{"text":"` + strings.Repeat("x", maxNoted-20) + `"}`)
		for range callBatch {
			n := r.note(ToolID{"t", "s", "x"}, arguments)
			r.end(n, nil, 0, false, nil)
		}
		time.Sleep(2 * callInterval)
		synctest.Wait()
		if len(calls) != 2*callBatch+1 || len(calls[callBatch+1].Arguments) < 4000 || calls[2*callBatch].Arguments != "…" {
			t.Errorf("%d calls, the last with %q", len(calls), calls[len(calls)-1].Arguments)
		}
		cancel()
	})
}

func FuzzMaskArguments(f *testing.F) {
	for _, seed := range []string{`{"a":"b"}`, `{"token":"abcdefghijkl"}`, `[1,{"password":"x"}]`, `{"a":`, "\xff",
		`"` + strings.Repeat("é", 5000) + `"`} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, raw []byte, cut bool) {
		text := maskArguments(raw, cut, asItIs)
		if len(text) > status.MaxArguments || !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r\x1b") {
			t.Errorf("%q", text)
		}
	})
}

func BenchmarkSnapshot1000(b *testing.B) {
	m := NewManager(manyServers(1000), Options{})
	b.ReportAllocs()
	for b.Loop() {
		m.boxes.mu.Lock()
		m.boxes.touch()
		m.boxes.mu.Unlock()
		m.Status()
	}
}

func BenchmarkNote(b *testing.B) {
	var w watchers
	r := newRecorder(nil, &w, unmasked)
	arguments := json.RawMessage(`{"path":"/srv/data/notes/2026/november/meeting.md","offset":1024}`)
	one := func() {
		n := r.note(ToolID{"t", "s", "x"}, arguments)
		r.end(n, jsonrpc.Split(arguments), 0, false, nil)
	}
	b.Run("nobody looks", func(b *testing.B) {
		for b.Loop() {
			one()
		}
	})
	w.add(&watcher{call: func(status.Call) {}})
	go r.run(b.Context())
	b.Run("somebody looks", func(b *testing.B) {
		for b.Loop() {
			one()
		}
	})
}

// A failed call is kept with its result if the result is not too long.
func TestResultOfExactlyTheSize(t *testing.T) {
	for size, want := range map[int]int{maxNoted: maxNoted, maxNoted + 1: 0} {
		var w watchers
		w.add(&watcher{call: func(status.Call) {}})
		r := newRecorder(nil, &w, unmasked)
		n := r.note(ToolID{"t", "s", "x"}, nil)
		r.end(n, []jsonrpc.Member{{Name: "x", Value: make([]byte, size-len(`{"x":}`))}}, 0, true, nil)
		if len(n.result) != want {
			t.Errorf("of a result of %d bytes %d are kept", size, len(n.result))
		}
	}
}
