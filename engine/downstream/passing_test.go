package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

func TestItems(t *testing.T) {
	log := filepath.Join(t.TempDir(), "methods")
	s := connect(t, options(t, fakeserver.Script{
		Capabilities: json.RawMessage(`{"resources":{},"prompts":false}`), MethodLog: log,
		Answers: map[string]json.RawMessage{"resources/list": json.RawMessage(
			`{"resources":[{"uri":"a:1","title":"A","n":1e1},{"uri":"a:1"},7,{"name":"no uri"}]}`)},
	}))
	for range 2 {
		items, err := s.Items(t.Context(), Resources)
		want := []Item{{Name: "a:1", Title: "A",
			Definition: json.RawMessage(`{"uri":"a:1","title":"A","n":1e1,"name":"A"}`)}}
		if diff := cmp.Diff(want, items); err != nil || diff != "" {
			t.Errorf("%v (-want +got)\n%s", err, diff)
		}
	}
	if items, err := s.Items(t.Context(), Prompts); items != nil || err != nil {
		t.Errorf("prompts that are not declared: %v, %v", items, err)
	}
	asked := strings.Join(lines(t, log), " ")
	if want := "initialize notifications/initialized tools/list resources/list"; asked != want {
		t.Errorf("the server was asked %q, want %q", asked, want)
	}
	want := []string{
		"a:1: the resource was set aside: another one has the same uri",
		"the resource was set aside: it is no object",
		"the resource was set aside: it has no uri",
	}
	if diff := cmp.Diff(want, diagnosed(s)); diff != "" {
		t.Errorf("diagnostics (-want +got)\n%s", diff)
	}
}

// TestListsThatChange: after the server's notification, a list is requested again, and only if somebody wants
// it.
func TestListsThatChange(t *testing.T) {
	o := options(t, fakeserver.Script{
		Capabilities: json.RawMessage(`{"tools":{},"resources":{}}`),
		Answers:      map[string]json.RawMessage{"resources/list": json.RawMessage(`{"resources":[{"uri":"a:1"}]}`)},
		SayOn:        map[string][]string{"tools/call": {`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`}},
	})
	changed := make(chan Kind, 10)
	o.OnListChanged = func(kind Kind) { changed <- kind }
	s := connect(t, o)
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
		t.Fatal(err)
	}
	if kind := <-changed; kind != Prompts {
		t.Errorf("%v has changed, want the prompts", kind)
	}
}

func TestRequestsThatAreAnswered(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	script := fakeserver.Script{AskOnCall: "sampling/createMessage", AskParams: json.RawMessage(`{"n":1e400}`),
		RequestLog: log}
	o := options(t, script)
	o.Capabilities = json.RawMessage(`{"sampling":{"x":1.50}}`)
	for _, c := range []struct {
		result json.RawMessage
		err    error
		want   string
	}{
		{json.RawMessage(`{"role":"assistant","n":1e400}`), nil,
			`{"content":[],"asked":{"result":{"role":"assistant","n":1e400}}}`},
		{nil, &RPCError{Code: -7, Message: "no", Data: json.RawMessage(`[1]`)},
			`{"content":[],"asked":{"error":{"code":-7,"message":"no","data":[1]}}}`},
		{nil, errors.New("odd"), `{"content":[],"asked":{"error":{"code":-32603,"message":"odd"}}}`},
	} {
		o.OnRequest = func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			if method != "sampling/createMessage" || string(params) != `{"n":1e400}` {
				t.Errorf("the server asked for %s %s", method, params)
			}
			return c.result, c.err
		}
		s := connect(t, o)
		result, err := s.Call(t.Context(), Call{Tool: "echo"})
		if err != nil || whole(result) != c.want {
			t.Errorf("%s, %v, want %s", result, err, c.want)
		}
	}
	if first := lines(t, log)[0]; !strings.Contains(first, `"capabilities":{"sampling":{"x":1.50}}`) {
		t.Errorf("the server received %s", first)
	}
	o.OnRequest = nil
	result, err := connect(t, o).Call(t.Context(), Call{Tool: "echo"})
	if err != nil || !strings.Contains(whole(result), `"code":-32601`) {
		t.Errorf("without anybody to answer: %s, %v", result, err)
	}
}

// TestRequestsThatNobodyWaitsFor: if a server ends or cancels its request, the handler's context ends.
func TestRequestsThatNobodyWaitsFor(t *testing.T) {
	o := options(t, fakeserver.Script{AskOnCall: "elicitation/create"})
	begun, ended := make(chan bool, 1), make(chan bool, 1)
	o.OnRequest = func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		begun <- true
		<-ctx.Done()
		ended <- true
		return nil, ctx.Err()
	}
	s := connect(t, o)
	go s.Call(context.Background(), Call{Tool: "echo"})
	<-begun
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	<-ended
}

func TestTooManyRequests(t *testing.T) {
	s := newSession(Options{})
	for i := range maxRequests {
		if problem := s.questions.admit(json.RawMessage{byte('0' + i)}, func(error) {}); !problem.IsZero() {
			t.Fatal(problem)
		}
	}
	if problem := s.questions.admit(json.RawMessage(`"one more"`), nil); !strings.Contains(problem.String(),
		"not answered yet") {
		t.Errorf("one too many: %q", problem)
	}
	if problem := s.questions.admit(json.RawMessage("0"), nil); !strings.Contains(problem.String(),
		"another request with this id") {
		t.Errorf("an id twice: %q", problem)
	}
}

func TestOtherRequestsAndNotifications(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	o := options(t, fakeserver.Script{
		RequestLog: log,
		Answers:    map[string]json.RawMessage{"resources/read a:1": json.RawMessage(`{"contents":[]}`)},
		SayOn: map[string][]string{"resources/read": {
			`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1"}}`,
			`{"jsonrpc":"2.0","method":"notifications/odd"}`,
		}},
	})
	var mu sync.Mutex
	var heard []string
	o.OnNotification = func(method string, params json.RawMessage) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, method+" "+string(params))
	}
	s := connect(t, o)
	s.Notify("notifications/roots/list_changed", nil)
	result, err := s.Call(t.Context(),
		Call{Method: "resources/read", Params: []jsonrpc.Member{{Name: "uri", Value: json.RawMessage(`"a:1"`)}}})
	if err != nil || whole(result) != `{"contents":[]}` {
		t.Errorf("%s, %v", result, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]string{`notifications/resources/updated {"uri":"a:1"}`}, heard); diff != "" {
		t.Errorf("notifications (-want +got)\n%s", diff)
	}
	said := lines(t, log)
	if diff := cmp.Diff([]string{
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"a:1"}}`,
	}, said[len(said)-2:]); diff != "" {
		t.Errorf("the server received (-want +got)\n%s", diff)
	}
}
