package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

func TestResultsPassByteForByte(t *testing.T) {
	result := json.RawMessage(`{"zeta":9007199254740993,"content":[{"type":"hologram","x":1.50,"big":123456789012345678901234567890},{"type":"text","text":"<b>\u00e9 é \ud83d\ude00","annotations":{"odd":[]}}],"structuredContent":[1,2],"isError":false,"_meta":{"a/b":1e2},"content2":null}`)
	s := connect(t, options(t, fakeserver.Script{Tools: []json.RawMessage{fakeserver.Tool("odd")},
		Results: map[string]json.RawMessage{"odd": result}, Lines: map[string]string{
			"spaced":     ` { "result" : {  "a" : 1 } , "jsonrpc":"2.0" , "id": $ID.0 } `,
			"no version": `{"id":$ID,"result":{"b":2}}`,
		}}))
	for tool, want := range map[string]string{"odd": string(result), "spaced": `{"a":1}`, "no version": `{"b":2}`} {
		got, err := s.Call(t.Context(), Call{Tool: tool})
		if err != nil || whole(got) != want {
			t.Errorf("%s: %s, %v, want %s", tool, whole(got), err, want)
		}
	}
}

func TestArgumentsPassByteForByte(t *testing.T) {
	log := filepath.Join(t.TempDir(), "calls")
	s := connect(t, options(t, fakeserver.Script{CallLog: log}))
	progress := func(json.RawMessage) {}
	calls := []struct {
		call Call
		want string
	}{
		{Call{Tool: "echo"}, `{"name":"echo"}`},
		{Call{Tool: `e"<é`, Arguments: json.RawMessage(`{ "n":9007199254740993, "z":1, "a":"<\u0041>" }`)},
			`{"name":"e\"<é","arguments":{ "n":9007199254740993, "z":1, "a":"<\u0041>" }}`},
		{Call{Tool: "echo", Arguments: json.RawMessage("{\r\n\t\"a\": \"x y\",\n\"b\": [1, 2]\n}")},
			`{"name":"echo","arguments":{"a":"x y","b":[1,2]}}`},
		{Call{Tool: "echo", Arguments: json.RawMessage("null"),
			Meta: []jsonrpc.Member{{Name: "progressToken", Value: json.RawMessage("1")}}}, `{"name":"echo","arguments":null}`},
		{Call{Tool: "echo", Meta: []jsonrpc.Member{{Name: "a/b", Value: json.RawMessage("{}")},
			{Name: "progressToken", Value: json.RawMessage("1")}, {Name: "c", Value: json.RawMessage("1.0")}}},
			`{"name":"echo","_meta":{"a/b":{},"c":1.0}}`},
		{Call{Tool: "echo", Progress: progress, Meta: []jsonrpc.Member{{Name: "c", Value: json.RawMessage("1")}}},
			`{"name":"echo","_meta":{"progressToken":8,"c":1}}`},
		{Call{Tool: "echo", Progress: progress}, `{"name":"echo","_meta":{"progressToken":9}}`},
	}
	var want []string
	for _, c := range calls {
		if _, err := s.Call(t.Context(), c.call); err != nil {
			var refused *RPCError
			if !errors.As(err, &refused) {
				t.Fatal(err)
			}
		}
		want = append(want, c.want)
	}
	if got := lines(t, log); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the server got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCallErrors(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{
		Errors: map[string]json.RawMessage{
			"coded": json.RawMessage(`{"code":-32042,"message":"sign in \u001b[31mfirst","data":{"n":9007199254740993}}`),
			"odd":   json.RawMessage(`[]`),
			"empty": json.RawMessage(`{}`),
			"word":  json.RawMessage(`{"message":"it is closed","code":"E_CLOSED"}`),
		},
		Lines: map[string]string{
			"neither": `{"jsonrpc":"2.0","id":$ID}`,
			"string":  `{"jsonrpc":"2.0","id":$ID,"result":"done"}`,
			"null":    `{"jsonrpc":"2.0","id":$ID,"result":null,"error":null}`,
		},
	}))
	for tool, want := range map[string]string{
		"coded":   "sign in first (code -32042)",
		"odd":     "[]",
		"empty":   "the server answered with an error without a message",
		"word":    "E_CLOSED: it is closed",
		"unknown": "Unknown tool: unknown (code -32602)",
		"neither": "the server answered with neither result nor error",
		"string":  `the server answered with a result that is no object: "done"`,
		"null":    "the server answered with a result that is no object: null",
	} {
		if got, err := s.Call(t.Context(), Call{Tool: tool}); err == nil || err.Error() != want {
			t.Errorf("%s: %s, %v, want %s", tool, whole(got), err, want)
		}
	}
	_, err := s.Call(t.Context(), Call{Tool: "coded"})
	var refused *RPCError
	if !errors.As(err, &refused) || refused.Code != -32042 || refused.Message != "sign in \x1b[31mfirst" ||
		string(refused.Data) != `{"n":9007199254740993}` {
		t.Errorf("error %#v", err)
	}
	if s.Err() != nil {
		t.Errorf("the session ended: %v", s.Err())
	}
}

func TestProgressComesInOrderAndFirst(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{Progress: 50, PingOnCall: true}))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			seen := 0 // needs no lock: Call returns after the last notification
			_, err := s.Call(t.Context(), Call{Tool: "echo", Progress: func(params json.RawMessage) {
				seen++
				if got := string(jsonrpc.Lookup(params, "progress")); got != fmt.Sprint(seen) {
					t.Errorf("progress %s as number %d", got, seen)
				}
			}})
			if err != nil || seen != 50 {
				t.Errorf("%d notifications, %v", seen, err)
			}
		})
	}
	group.Wait()
	if _, err := s.Call(t.Context(), Call{Tool: "echo", Progress: func(json.RawMessage) {
		panic("a handler that fails")
	}}); err != nil {
		t.Errorf("with a failing handler: %v", err)
	}
}

func TestRequestsOfTheServer(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{AskOnCall: "roots/list"}))
	got, err := s.Call(t.Context(), Call{Tool: "echo"})
	if want := `{"content":[],"asked":{"error":{"code":-32601,"message":"method 'roots/list' is not supported by this client"}}}`; err != nil || whole(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	s = connect(t, options(t, fakeserver.Script{AskOnCall: "ping"}))
	got, err = s.Call(t.Context(), Call{Tool: "echo"})
	if want := `{"content":[],"asked":{"result":{}}}`; err != nil || whole(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestLogMessages(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{LogOnCall: "disk\nis full"}))
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
		t.Fatal(err)
	}
	log := s.Log()
	if len(log) != 1 || log[0].Source != SourceMessage || log[0].Level != "warning" || log[0].Text != "disk is full" {
		t.Errorf("log %+v", log)
	}
}

func TestCancel(t *testing.T) {
	cancels := filepath.Join(t.TempDir(), "cancels")
	s := connect(t, options(t, fakeserver.Script{CancelFile: cancels}))
	ctx, cancel := context.WithCancelCause(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := s.Call(ctx, Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":100000}`)})
		failed <- err
	}()
	await(t, "the call", func() bool { s.conn.mu.Lock(); defer s.conn.mu.Unlock(); return len(s.conn.calls) == 1 })
	cancel(errors.New("the client changed its \"mind\""))
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	await(t, "the notification", func() bool { return lines(t, cancels)[0] != "" })
	if got, want := lines(t, cancels)[0], `{"requestId":3,"reason":"the client changed its \"mind\""}`; got != want {
		t.Errorf("params %s, want %s", got, want)
	}
	// The answer may have been on its way already, which is no fault of the server.
	for _, faults := range []int{0, 1} {
		s.receive([]byte(`{"jsonrpc":"2.0","id":3,"result":{"content":[]}}`))
		if n := strings.Count(fmt.Sprint(s.Log()), "no longer open"); n != faults {
			t.Errorf("%d faults, want %d: %v", n, faults, s.Log())
		}
	}
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
		t.Errorf("the next call: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Call(ended, Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":100000}`)}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestCallTimeout(t *testing.T) {
	cancels := filepath.Join(t.TempDir(), "cancels")
	o := options(t, fakeserver.Script{Hang: "tools/call", CancelFile: cancels})
	limit := 50 * time.Millisecond
	o.Server.CallTimeout = &limit
	s := connect(t, o)
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); !errors.Is(err, ErrTimeout) ||
		err.Error() != "timed out after 50ms" {
		t.Errorf("error %v", err)
	}
	await(t, "the notification", func() bool { return strings.Contains(lines(t, cancels)[0], "timed out after 50ms") })
}

func TestCallsOutOfOrder(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{}))
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			arguments := fmt.Sprintf(`{"delayMs":%d,"n":%d}`, (64-i)%16, i)
			got, err := s.Call(t.Context(), Call{Tool: "echo", Arguments: json.RawMessage(arguments)})
			if err != nil || string(jsonrpc.ValueOf(got, "structuredContent")) != arguments {
				t.Errorf("call %d: %s, %v", i, whole(got), err)
			}
		})
	}
	group.Wait()
}

// TestServerThatDoesNotRead: a server that does not read must not block callers whose time is over, the
// reading of its output, or the end of the session.
func TestServerThatDoesNotRead(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{Hang: "reading", IgnoreEnd: true}))
	big := json.RawMessage(`{"x":"` + strings.Repeat("x", 1<<20) + `"}`)
	ctx, cancel := context.WithCancel(t.Context())
	// more than the queue takes, but not too many to wait for room
	failed := make(chan error, (maxQueued+maxWaiting)/2>>20)
	for range cap(failed) {
		go func() {
			_, err := s.Call(ctx, Call{Tool: "echo", Arguments: big})
			failed <- err
		}()
	}
	await(t, "a full queue", func() bool {
		s.conn.out.mu.Lock()
		defer s.conn.out.mu.Unlock()
		return s.conn.out.bytes > maxQueued-2<<20
	})
	for range 10 * maxPosted {
		s.conn.out.post([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"))
	}
	cancel()
	for range cap(failed) {
		select {
		case err := <-failed:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		case <-time.After(patience):
			t.Fatal("a call doesn't return")
		}
	}
	s.conn.out.mu.Lock()
	queued := s.conn.out.bytes
	s.conn.out.mu.Unlock()
	if queued > 3<<20 {
		t.Errorf("%d bytes are queued although no caller waits for them", queued)
	}
	ended, end := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer end()
	if err := s.Close(ended); err != nil {
		t.Error(err)
	}
}

func TestOverlongAnswers(t *testing.T) {
	o := options(t, fakeserver.Script{Sizes: map[string]int{"first": 50_000}, Fill: 50_000, Lines: map[string]string{
		"last":         `{"result":{"content":[],"id":1,"x":"$FILL"},"id" : $ID }`,
		"last but one": `{"result":{"content":[],"x":"$FILL","id":7},"id":$ID,"jsonrpc":"2.0"}`,
		"hidden":       `{"result":{"x":"$FILL"},"id":$ID,"z":"$FILL"}`,
		"text":         "$FILL",
		"notification": `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"$FILL"}}`,
	}})
	o.MaxMessage = 32 << 10
	s := connect(t, o)
	background := make(chan error, 1)
	go func() {
		_, err := s.Call(t.Context(), Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":100000}`)})
		background <- err
	}()
	await(t, "the call", func() bool { s.conn.mu.Lock(); defer s.conn.mu.Unlock(); return len(s.conn.calls) == 1 })
	for _, tool := range []string{"first", "last", "last but one"} {
		_, err := s.Call(t.Context(), Call{Tool: tool})
		if !errors.Is(err, ErrTooLarge) || !strings.HasPrefix(err.Error(), "the answer is larger than 32 KiB (50") {
			t.Errorf("%s: %v", tool, err)
		}
	}
	for _, tool := range []string{"text", "notification"} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if _, err := s.Call(ctx, Call{Tool: tool}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, want no answer", tool, err)
		}
		cancel()
	}
	select {
	case err := <-background:
		t.Errorf("another call failed too: %v", err)
	default:
	}
	if _, err := s.Call(t.Context(), Call{Tool: "hidden"}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("hidden: %v", err)
	}
	if err := <-background; !errors.Is(err, ErrTooLarge) ||
		!strings.Contains(err.Error(), "may have been meant for this call") {
		t.Errorf("the other call: %v", err)
	}
	if got, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
		t.Errorf("afterwards: %s, %v", got, err)
	}
}

func TestHundredMegabytes(t *testing.T) {
	if testing.Short() {
		t.Skip("moves 100 MB")
	}
	s := connect(t, options(t, fakeserver.Script{Sizes: map[string]int{"huge": 100_000_000, "big": 8 << 20}}))
	_, err := s.Call(t.Context(), Call{Tool: "huge"})
	if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "the answer is larger than 64 MiB (1000000") {
		t.Errorf("error %v", err)
	}
	got, err := s.Call(t.Context(), Call{Tool: "big"})
	if text := whole(got); err != nil || len(text) < 8<<20 || !strings.HasSuffix(text, `xxx"}]}`) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func BenchmarkCall(b *testing.B) {
	for _, size := range []int{10, 64 << 10, 8 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := connect(b, options(b, fakeserver.Script{Sizes: map[string]int{"text": size}}))
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Call(b.Context(), Call{Tool: "text", Arguments: json.RawMessage(`{"a":1}`)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
