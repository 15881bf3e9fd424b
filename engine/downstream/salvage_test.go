package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// unanswered starts a call that the fake server does not answer, and returns when the call waits.
func unanswered(t *testing.T, s *Session) <-chan error {
	t.Helper()
	s.conn.mu.Lock()
	waiting := len(s.conn.calls)
	s.conn.mu.Unlock()
	failed := make(chan error, 1)
	go func() {
		_, err := s.Call(t.Context(), Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":100000}`)})
		failed <- err
	}()
	await(t, "the call", func() bool {
		s.conn.mu.Lock()
		defer s.conn.mu.Unlock()
		return len(s.conn.calls) == waiting+1
	})
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
		text := whole(got)
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
	s := connect(t, options(t, fakeserver.Script{
		Lines: map[string]string{"bad": `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"cannot read that"}}`}}))
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
	if _, err := Connect(t.Context(), options(t, fakeserver.Script{StdoutNoise: []string{line}})); err == nil ||
		err.Error() != "the server refused 'initialize': bad request (code -32600)" {
		t.Errorf("in answer to initialize: %v", err)
	}
	o := options(t, fakeserver.Script{})
	s := connect(t, o)
	s.conn.ready.Store(false) // as before the list has arrived
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
		if _, err := s.Call(t.Context(), Call{Tool: tool}); !errors.Is(err, ErrTooLarge) ||
			!strings.HasPrefix(err.Error(), "the answer is larger than 32 KiB (50") {
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
		"exits": {StdoutNoise: []string{strings.Repeat("a", 3000)},
			Initialize: json.RawMessage(`{"protocolVersion":"2025-11-25"}`), Exit: "tools/list", Stderr: []string{"hello"}},
	} {
		o := options(t, script)
		o.MaxMessage = 2 << 10
		if name == "hangs" {
			o.HandshakeTimeout = 3 * time.Second
		}
		_, err := Connect(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), told) ||
			strings.Contains(err.Error(), strings.Repeat("a", maxLongShown+1)) {
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
