package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// unanswered starts a call that the fake server does not answer, and returns when the call waits.
func unanswered(t *testing.T, s *Session) <-chan error {
	t.Helper()
	s.mu.Lock()
	waiting := len(s.calls)
	s.mu.Unlock()
	failed := make(chan error, 1)
	go func() {
		_, err := s.Call(t.Context(), Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":100000}`)})
		failed <- err
	}()
	await(t, "the call", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.calls) == waiting+1 })
	return failed
}

func TestMisshapenAnswers(t *testing.T) {
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	s := connect(t, options(t, fakeserver.Script{Lines: map[string]string{
		"quoted id":          `{"jsonrpc":"2.0","id":"$ID","result":{"a":1}}`,
		"method":             `{"jsonrpc":"2.0","id":$ID,"method":"tools/call","result":{"a":2}}`,
		"method null":        `{"jsonrpc":"2.0","id":$ID,"method":null,"result":{"a":3}}`,
		"method and error":   `{"jsonrpc":"2.0","id":$ID,"method":"tools/call","error":{"code":5,"message":"no"}}`,
		"batch":              `[ {"jsonrpc":"2.0","method":"notifications/x"}, 1, [], {"jsonrpc":"2.0","id":$ID,"result":{"a":"],["}} , {"jsonrpc":"2.0","id":$ID,"result":{}}]`,
		"nan":                `{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"x":NaN}}`,
		"nan, id last":       `{"result":{"content":[],"x":-Infinity},"id":$ID,"jsonrpc":"2.0"}`,
		"quotes, id last":    `  {"result":{"text":"a "b c","id":1},"id":"$ID"}`,
		"nan in error":       `{"jsonrpc":"2.0","id":"$ID","error":{"code":1,"message":"x","data":NaN}}`,
		"cut off":            `{"jsonrpc":"2.0","id":$ID,"result":{"x":"`,
		"deep":               `{"jsonrpc":"2.0","id":$ID,"result":{"x":` + deep + `}}`,
		"error without id":   `{"jsonrpc":"2.0","error":{"code":-32700,"message":"cannot read that"}}`,
		"error with null id": `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"oh dear"}}`,
	}}))
	for tool, want := range map[string]string{
		"quoted id":          `{"a":1}`,
		"method":             `{"a":2}`,
		"method null":        `{"a":3}`,
		"method and error":   "no (code 5)",
		"batch":              `{"a":"],["}`,
		"nan":                "the server answered with invalid JSON: at byte",
		"nan, id last":       "the server answered with invalid JSON: at byte",
		"quotes, id last":    "the server answered with invalid JSON: at byte",
		"nan in error":       "the server answered with invalid JSON: at byte",
		"cut off":            "the server answered with invalid JSON: at byte",
		"deep":               "the server answered with invalid JSON: at byte",
		"error without id":   "cannot read that (code -32700)",
		"error with null id": "oh dear (code -32603)",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		got, err := s.Call(ctx, Call{Tool: tool})
		cancel()
		text := string(got)
		if err != nil {
			text = err.Error()
		}
		if (err == nil) != (want[0] == '{') || !strings.HasPrefix(text, want) {
			t.Errorf("%s: %s, want %s", tool, text, want)
		}
	}
	if s.Err() != nil {
		t.Errorf("the session ended: %v", s.Err())
	}
}

// TestUnattributableLines: lines that are no answers, or not to our calls, must not fail a call.
func TestUnattributableLines(t *testing.T) {
	noise := []string{
		`{"level":"info","id":3,"value":NaN}`,
		`{"jsonrpc":"2.0","method":"m","id":3,"result":{"x":NaN}}`,
		`{"jsonrpc":"2.0","id":99,"result":{"x":NaN}}`,
		`{"jsonrpc":"2.0","result":{"x":NaN}}`,
		`{"jsonrpc":"2.0","id":"x3","result":{}}`,
		`{"jsonrpc":"2.0","id":"3x","error":{}}`,
		`{"jsonrpc":"2.0","id":99,"method":"m","result":{}}`,
		`{"jsonrpc":"2.0","method":"log","error":"something"}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found: notifications/initialized"}}`,
		`{"jsonrpc":"2.0","id":null,"result":{}}`,
		`[[{"jsonrpc":"2.0","id":3,"result":{}}]]`,
		`[]`, `[{}]`, `[{"jsonrpc":"2.0","id":3,"result":{}}`, `{`, `[`,
	}
	s := connect(t, options(t, fakeserver.Script{StdoutNoiseOnCall: noise}))
	other := unanswered(t, s) // has id 3
	if got, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
		t.Errorf("%s, %v", got, err)
	}
	select {
	case err := <-other:
		t.Errorf("the other call has ended: %v", err)
	default:
	}
}

func TestErrorWithoutIDFailsAllThatItMayMean(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{Lines: map[string]string{"bad": `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"cannot read that"}}`}}))
	other := unanswered(t, s)
	for i, failed := range []func() error{
		func() error { _, err := s.Call(t.Context(), Call{Tool: "bad"}); return err },
		func() error { return <-other },
	} {
		var refused *RPCError
		if err := failed(); !errors.As(err, &refused) || refused.Message != "cannot read that" {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

// TestErrorWithoutIDWhileConnecting: simple servers answer notifications/initialized with an error without an
// id.
func TestErrorWithoutIDWhileConnecting(t *testing.T) {
	const line = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad request"}}`
	if _, err := Connect(t.Context(), options(t, fakeserver.Script{StdoutNoise: []string{line}})); err == nil || err.Error() != "the server refused 'initialize': bad request (code -32600)" {
		t.Errorf("in answer to initialize: %v", err)
	}
	o := options(t, fakeserver.Script{})
	s := connect(t, o)
	s.ready.Store(false) // as before the list has arrived
	other := unanswered(t, s)
	s.receive([]byte(line))
	select {
	case err := <-other:
		t.Errorf("in answer to a notification: %v", err)
	default:
	}
}

func TestOverlongLineAfterWhitespace(t *testing.T) {
	o := options(t, fakeserver.Script{Fill: 50_000, Lines: map[string]string{
		"spaced": " \t {\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"x\":\"$FILL\"}}",
		"last":   " {\"result\":{\"x\":\"$FILL\"},\"id\":\"$ID\"}",
		"blank":  strings.Repeat(" ", 40_000) + "x",
	}})
	o.MaxMessage = 32 << 10
	s := connect(t, o)
	other := unanswered(t, s)
	for _, tool := range []string{"spaced", "last"} {
		if _, err := s.Call(t.Context(), Call{Tool: tool}); !errors.Is(err, ErrTooLarge) || !strings.HasPrefix(err.Error(), "the answer is larger than 32 KiB (50") {
			t.Errorf("%s: %v", tool, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := s.Call(ctx, Call{Tool: "blank"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("blank: %v, want no answer", err)
	}
	select {
	case err := <-other:
		t.Errorf("another call failed too: %v", err)
	default:
	}
}

func TestOverlongLineWhileConnecting(t *testing.T) {
	const told = "a line of 3000 bytes on its stdout was skipped, since it is longer than 2 KiB"
	for name, script := range map[string]fakeserver.Script{
		"hangs": {StdoutNoise: []string{strings.Repeat("a", 3000)}, Hang: "tools/list"},
		"exits": {StdoutNoise: []string{strings.Repeat("a", 3000)}, Initialize: json.RawMessage(`{"protocolVersion":"2025-11-25"}`), Exit: "tools/list", Stderr: []string{"hello"}},
	} {
		o := options(t, script)
		o.MaxMessage = 2 << 10
		if name == "hangs" {
			o.HandshakeTimeout = 3 * time.Second
		}
		_, err := Connect(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), told) || strings.Contains(err.Error(), strings.Repeat("a", maxLongShown+1)) {
			t.Errorf("%s: %v, want that %s", name, err, told)
		}
	}
}

func TestBatchOfMillionsEndsWithTheSession(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{}))
	failed := unanswered(t, s)
	received := make(chan struct{})
	go func() {
		defer close(received)
		s.receive([]byte("[" + strings.Repeat("{},", 3_000_000) + "{}]"))
	}()
	s.end(ErrClosed)
	if err := <-failed; !errors.Is(err, ErrClosed) {
		t.Errorf("error %v", err)
	}
	select {
	case <-received:
	case <-time.After(patience):
		t.Error("the batch has not ended")
	}
}

func TestBegin(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{}))
	outcomes := make(chan string, 1)
	cancel, begun := s.Begin(Call{Tool: "echo", Arguments: json.RawMessage(`{"a":1}`)}, func(o Outcome) { outcomes <- fmt.Sprint(string(o.Result), o.Err) })
	if got := <-outcomes; !begun || !strings.Contains(got, `"structuredContent":{"a":1}`) {
		t.Errorf("%s, begun %v", got, begun)
	}
	cancel(context.Canceled)
	cancel, begun = s.Begin(Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":100000}`)}, func(o Outcome) { outcomes <- fmt.Sprint(o.Err) })
	cancel(context.Canceled)
	if got := <-outcomes; !begun || got != "context canceled" {
		t.Errorf("cancelled: %s, begun %v", got, begun)
	}
}

// TestBeginHeld: a call that others follow is written together with them, and the results of answers that
// were read together can be written together.
func TestBeginHeld(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{}))
	outcomes := make(chan Outcome, 3)
	done := func(o Outcome) { outcomes <- o }
	var flushes []func()
	hold := func(flush func()) { flushes = append(flushes, flush) }
	for range 2 {
		if _, begun := s.Begin(Call{Tool: "echo", Hold: hold}, done); !begun {
			t.Fatal("not begun")
		}
	}
	s.out.mu.Lock()
	held := strings.Count(string(s.out.held), "\n")
	s.out.mu.Unlock()
	if held != 2 || len(flushes) != 1 {
		t.Errorf("%d lines are held, with %d to flush them", held, len(flushes))
	}
	flushes[0]()
	for range 2 {
		if o := <-outcomes; o.Err != nil {
			t.Error(o.Err)
		}
	}
	flushes[0]() // nothing is held

	s.Begin(Call{Tool: "echo", Hold: hold}, done)
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil { // also sends the held requests
		t.Error(err)
	}
	if o := <-outcomes; o.Err != nil {
		t.Error(o.Err)
	}

	s.Begin(Call{Tool: "echo", Hold: hold}, done)
	s.end(ErrClosed)
	if o := <-outcomes; !errors.Is(o.Err, ErrClosed) {
		t.Errorf("at the end: %v", o.Err)
	}
}

// spoken is a peer whose whole output exists from the beginning.
type spoken struct {
	peer
	out io.Reader
}

func (p spoken) Stdout() io.Reader { return p.out }

// TestHeldOutcomesAreLetGo: results that are held because another message was read are released when that
// message has been handled, whatever it is.
func TestHeldOutcomesAreLetGo(t *testing.T) {
	reply := func(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id) + "\n" }
	for name, last := range map[string]string{"an answer": reply(2), "something else": `{"x":1}` + "\n", "nonsense": "{\n", "too long": `{"x":"` + strings.Repeat("x", 300) + "\"}\n"} {
		s := &Session{
			o: Options{MaxMessage: 256}, log: slog.New(slog.DiscardHandler), lines: newServerLog(nil, strings.Clone), out: newOutbox(io.Discard),
			calls: map[int64]*pending{}, relist: make(chan struct{}, 1), readDone: make(chan struct{}), peer: spoken{out: strings.NewReader(reply(1) + last)},
		}
		s.lastID.Store(2)
		var said []string
		s.calls[1] = &pending{answer: func(o Outcome) {
			said = append(said, "first")
			if o.Hold == nil {
				t.Fatalf("%s: the first answer does not know of the hold", name)
			}
			o.Hold(func() { said = append(said, "flush") })
		}}
		s.calls[2] = &pending{answer: func(o Outcome) {
			if o.Hold != nil {
				t.Errorf("%s: the last answer is to wait", name)
			}
		}}
		s.readLoop()
		if !slices.Equal(said, []string{"first", "flush"}) {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// TestBeginWithoutRoom: a call that cannot be sent is not begun, and leaves nothing behind.
func TestBeginWithoutRoom(t *testing.T) {
	o := options(t, fakeserver.Script{Hang: "reading", IgnoreEnd: true})
	limit := patience
	o.Server.CallTimeout = &limit
	s := connect(t, o)
	big := json.RawMessage(`{"x":"` + strings.Repeat("x", 1<<20) + `"}`)
	outcomes := make(chan error, 100)
	var cancels []func(error)
	refused := 0
	for range cap(outcomes) {
		cancel, begun := s.Begin(Call{Tool: "echo", Arguments: big}, func(o Outcome) { outcomes <- o.Err })
		if cancel == nil {
			t.Fatal("no cancel")
		}
		if !begun {
			refused++
			cancel(context.Canceled)
			continue
		}
		cancels = append(cancels, cancel)
	}
	s.mu.Lock()
	waiting := len(s.calls)
	s.mu.Unlock()
	if refused == 0 || waiting != len(cancels) || len(outcomes) > 0 {
		t.Errorf("%d not begun, %d begun, %d wait, %d ended", refused, len(cancels), waiting, len(outcomes))
	}

	s.out.fail(errors.New("broken pipe"))
	never := func(o Outcome) { t.Errorf("done was called with %v", o.Err) }
	if _, begun := s.Begin(Call{Tool: "echo"}, never); begun {
		t.Error("begun though nothing can be written")
	}
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); !errors.Is(err, ErrStopped) || err.Error() != "the server cannot be written to: broken pipe" {
		t.Errorf("error %v", err)
	}
	cancels[0](context.Canceled)
	if err := <-outcomes; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s.end(ErrClosed)
	for range cancels[1:] {
		if err := <-outcomes; !errors.Is(err, ErrClosed) {
			t.Errorf("at the end: %v", err)
		}
	}
	if _, begun := s.Begin(Call{Tool: "echo"}, never); begun {
		t.Error("begun after the end")
	}
}

// TestBeginTimeout: however short the limit is, it does not end before there is a call to end.
func TestBeginTimeout(t *testing.T) {
	cancels := filepath.Join(t.TempDir(), "cancels")
	o := options(t, fakeserver.Script{Hang: "tools/call", CancelFile: cancels})
	limit := time.Nanosecond
	o.Server.CallTimeout = &limit
	s := connect(t, o)
	outcomes := make(chan error, 1)
	for i := range 500 {
		if _, begun := s.Begin(Call{Tool: "echo"}, func(o Outcome) { outcomes <- o.Err }); !begun {
			continue // the queue may be full, since the server is slow
		}
		select {
		case err := <-outcomes:
			if !errors.Is(err, ErrTimeout) || err.Error() != "timed out after 1ns" {
				t.Fatalf("call %d: %v", i, err)
			}
		case <-time.After(patience):
			t.Fatalf("call %d doesn't time out", i)
		}
	}
	await(t, "a notification", func() bool { return strings.Contains(lines(t, cancels)[0], "timed out after 1ns") })
}
