package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// FuzzReceive feeds streams of hostile bytes to a session that waits for the answers to three calls. Nothing
// may panic or block, each call gets at most one answer, and results are objects. Everything that is passed
// on to the client or sent to the server is valid.
func FuzzReceive(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":2.0,"error":{"code":1e3,"message":"x","data":[]}}`,
		`{"jsonrpc":"2.0","id":3,"result":[]}` + "\n[]\n{\n\x00",
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"x","data":{"a":"\ud800"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`{"jsonrpc":"2.0","id":"s","method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":5,"method":"roots/list"}`,
		`{"jsonrpc":"2.0","id":2,"result":{"x":"` + strings.Repeat("y", 300) + `"}}`,
		`{"result":{"x":"` + strings.Repeat("y", 9000) + `"},"id":2}`,
		`{"a":"` + strings.Repeat("y", 300),
		`{"jsonrpc":"2.0","id":"3","result":{}}` + "\n" + `{"id":1,"method":"x","result":{}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}` + "\n" + `{"result":{"x":"a"b"},"id":"2"}`,
		`[{"jsonrpc":"2.0","id":1,"result":{}},[],{"id":2,"error":0}]` + "\n" + `{"id":null,"error":{"code":1}}`,
		`   {"id":1,"result":"` + strings.Repeat("y", 300) + "\n" + strings.Repeat(" ", 300) + "x",
		`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3},"notifications":{}}}`,
		`{"method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"3","a":[]},"uri":7}}`,
		`{"jsonrpc":"2.0","id":"a","method":"sampling/createMessage","params":{"x":1e400}}` + "\n" +
			`{"jsonrpc":"2.0","id":"a","method":"elicitation/create"}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`,
		`{"jsonrpc":"2.0","id":1e3,"method":"tasks/get","params":{"x":` + strings.Repeat("[", 101) +
			strings.Repeat("]", 101) + `}}` + "\n" + `{"jsonrpc":"2.0","id":{},"method":"roots/list"}` + "\n" +
			`{"jsonrpc":"2.0","id":null,"method":"\xff"}`,
		`{"jsonrpc":"2.0","id":"\xc3","method":"tasks/\xff","params":["\xed\xa0\x80"]}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"\xff"}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":` + strings.Repeat("[", 110) + strings.Repeat("]", 110) +
			`}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":7}`,
		`{"jsonrpc":"2.0","id":2,"result":{},"error":{}}` + "\n" +
			`{"jsonrpc":"1.0","method":"notifications/resources/updated","params":{"uri":"\u0000"}}`,
		`{"method":"notifications/cancelled","params":{"requestId":3}}` + "\n" +
			`{"method":"notifications/prompts/list_changed","params":[]}`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, said []byte, modern bool) {
		s := newSession(Options{MaxMessage: 256,
			Logger: slog.New(slog.NewTextHandler(failing{t}, &slog.HandlerOptions{Level: slog.LevelError}))})
		s.conn.out = newOutbox(io.Discard)
		fit := func(method string, params json.RawMessage) {
			if params != nil && (!json.Valid(params) || !utf8.Valid(params) || jsonrpc.Depth(params) > maxNested) {
				t.Errorf("%s %q", method, params)
			}
		}
		s.conn.o.OnNotification = fit
		s.conn.o.OnRequest = func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			fit(method, params)
			if params == nil {
				return nil, errors.New(method)
			}
			return params, nil
		}
		if modern { // the third call is a stream
			s.conn.era.Store(newEra(Options{Capabilities: json.RawMessage("{}")}, ""))
			s.subs.streams = map[int64]*stream{3: {id: 3, accepted: make(chan json.RawMessage, 1), ended: make(chan error, 1)}}
		}
		var calls []*pending
		var answers [3]chan outcome
		for id := int64(1); id <= 3; id++ {
			given := make(chan outcome, 1)
			answers[id-1] = given
			p := &pending{answer: func(o outcome) {
				given <- o
			}, progress: func(params json.RawMessage) { fit("progress", params) }}
			calls = append(calls, p)
			s.conn.calls[id] = p
		}
		s.conn.lastID.Store(3)
		reader := jsonrpc.NewReader(strings.NewReader(string(said)), s.conn.o.MaxMessage)
		for {
			data, err := reader.Next()
			if long, ok := err.(*jsonrpc.TooLongError); ok {
				s.receiveTooLong(long)
			} else if err != nil {
				break
			} else {
				s.receive(data)
			}
		}
		s.conn.group.Wait()
		if len(s.questions.asked) > 0 {
			t.Errorf("%d requests are still to be answered", len(s.questions.asked))
		}
		for i, p := range calls {
			select {
			case a := <-answers[i]:
				if s.conn.calls[int64(i+1)] != nil {
					t.Errorf("call %d was answered and still waits", i+1)
				}
				if a.err != nil && a.result != nil || !json.Valid([]byte(whole(a.result))) {
					t.Errorf("call %d got %q and %v", i+1, whole(a.result), a.err)
				}
			default:
				if s.conn.calls[int64(i+1)] != p {
					t.Errorf("call %d is forgotten", i+1)
				}
			}
		}
		for _, queued := range s.conn.out.queue {
			if !json.Valid(queued.data) || !utf8.Valid(queued.data) || queued.data[len(queued.data)-1] != '\n' {
				t.Errorf("sent %q", queued.data)
			}
		}
	})
}

// failing fails the test if anything is written to it, since a recovered panic is logged as an error.
type failing struct{ t *testing.T }

func (f failing) Write(p []byte) (int, error) {
	f.t.Errorf("%s", p)
	return len(p), nil
}
