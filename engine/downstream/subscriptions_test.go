package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// without returns the lines without the members that every request has.
func without(lines []string) []string {
	for i, line := range lines {
		if at := strings.Index(line, `"_meta":{"io.modelcontextprotocol/protocolVersion"`); at >= 0 {
			lines[i] = line[:at] + "…"
		}
	}
	return lines
}

// TestModernListsThatChange: changes of a list are reported through a stream.
func TestModernListsThatChange(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	o := options(t, fakeserver.Script{
		Modern: true, RequestLog: log,
		Capabilities: json.RawMessage(
			`{"tools":{"listChanged":true},"prompts":{"listChanged":false},"resources":{"listChanged":true}}`),
		Echo: true, ListChangedAfterCall: true, Tools2: []json.RawMessage{fakeserver.Tool("new")},
	})
	changed := make(chan Kind, 10)
	o.OnListChanged = func(kind Kind) { changed <- kind }
	s := connect(t, o)
	await(t, "the stream", func() bool {
		return strings.Contains(strings.Join(lines(t, log), "\n"), "subscriptions/listen")
	})
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
		t.Fatal(err)
	}
	if kind := <-changed; kind != Tools || names(s) != "new echo" {
		t.Errorf("%v changed, the tools are %q", kind, names(s))
	}
	found := false
	for _, line := range lines(t, log) {
		found = found || strings.Contains(line,
			`"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourcesListChanged":true},"_meta":{`)
	}
	if !found {
		t.Errorf("the server received\n%s", strings.Join(lines(t, log), "\n"))
	}
}

func TestModernSubscriptions(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	o := options(t, fakeserver.Script{
		Modern: true, RequestLog: log, Capabilities: json.RawMessage(`{"resources":{"subscribe":true}}`),
		OnListen: []string{
			`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1","_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"n":1e400}}`,
			`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:2"}}`,
			`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:3","_meta":{"io.modelcontextprotocol/subscriptionId":77}}}`,
			`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":77},"notifications":{}}}`,
			`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
			`{"jsonrpc":"2.0","id":"x","method":"sampling/createMessage","params":{}}`,
			`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:4","_meta":{"io.modelcontextprotocol/subscriptionId":"$ID","x":1}}}`,
		},
	})
	heard := make(chan string, 10)
	o.OnNotification = func(method string, params json.RawMessage) { heard <- method + " " + string(params) }
	s := connect(t, o)
	if err := errors.Join(s.Subscribe(t.Context(), "a:1"), s.Subscribe(t.Context(), "b:2"),
		s.Unsubscribe(t.Context(), "a:1"), s.Unsubscribe(t.Context(), "b:2")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`notifications/resources/updated {"uri":"a:1","n":1e400}`,
		`notifications/resources/updated {"uri":"a:4","_meta":{"x":1}}`}, []string{<-heard, <-heard}); diff != "" {
		t.Errorf("received (-want +got)\n%s", diff)
	}
	await(t, "the end of the last stream", func() bool {
		return strings.Contains(strings.Join(lines(t, log), "\n"), `"requestId":6`)
	})
	want := []string{
		`{"jsonrpc":"2.0","id":4,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a:1"]},…`,
		`{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a:1","b:2"]},…`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"the subscription is over"}}`,
		`{"jsonrpc":"2.0","id":6,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["b:2"]},…`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"the subscription is over"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6,"reason":"the subscription is over"}}`,
	}
	if diff := cmp.Diff(want, without(lines(t, log)[3:])); diff != "" {
		t.Errorf("the server received (-want +got)\n%s", diff)
	}
	said := ""
	for _, line := range s.Log() {
		said += line.String() + "\n"
	}
	for _, want := range []string{"notifications/resources/updated\n", "notifications/subscriptions/acknowledged\n",
		"notifications/tools/list_changed\n", "request sampling/createMessage\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("the log lacks %q:\n%s", want, said)
		}
	}
}

// TestModernSubscriptionsThatFail: a server refuses, accepts something else, or never answers.
func TestModernSubscriptionsThatFail(t *testing.T) {
	refusal := fakeserver.Script{Modern: true, Capabilities: json.RawMessage(`{"resources":{"subscribe":true}}`)}
	other, never := refusal, refusal
	refusal.AnswerErrors = map[string]json.RawMessage{
		"subscriptions/listen": json.RawMessage(`{"code":-32602,"message":"no such resource"}`)}
	other.NoAgreement, other.OnListen = true, []string{
		`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"notifications":{"resourceSubscriptions":["z:9",7]}}}`,
	}
	never.NoAgreement = true
	for name, c := range map[string]struct {
		script fakeserver.Script
		want   string
	}{
		"refuses": {refusal, "no such resource"}, "agrees to another": {other, "does not say when this resource changes"},
		"never agrees": {never, "deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			s := connect(t, options(t, c.script))
			ctx, cancel := context.WithCancel(t.Context())
			if name == "never agrees" {
				ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
			}
			defer cancel()
			if err := s.Subscribe(ctx, "a:1"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
			if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
				t.Errorf("a call after that: %v", err)
			}
		})
	}
}

// TestModernStreamsThatEnd: a stream that a server ends is requested again, however it ends, less and less
// often.
func TestModernStreamsThatEnd(t *testing.T) {
	for name, last := range map[string]string{
		"answered":  `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete"}}`,
		"cancelled": `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":$ID}}`,
		"an error":  `{"jsonrpc":"2.0","id":$ID,"error":{"code":1,"message":"enough"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "methods")
			s := connect(t, options(t, fakeserver.Script{Modern: true, MethodLog: log,
				Capabilities: json.RawMessage(`{"tools":{"listChanged":true},"resources":{"subscribe":true}}`),
				OnListen:     []string{last}}))
			if err := s.Subscribe(t.Context(), "a:1"); err != nil && name != "an error" && name != "answered" {
				t.Error(err)
			}
			count := func() (n int) {
				for _, method := range lines(t, log) {
					if method == "subscriptions/listen" {
						n++
					}
				}
				return n
			}
			await(t, "the stream to be asked for again", func() bool { return count() >= 4 })
			time.Sleep(50 * time.Millisecond)
			if n := count(); n > 6 {
				t.Errorf("asked for %d times at once", n)
			}
		})
	}
}
