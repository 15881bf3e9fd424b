package downstream

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

func TestSettings(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s := connect(t, options(t, fakeserver.Script{
		RequestLog:   log,
		Capabilities: json.RawMessage(`{"tools":{},"resources":{"subscribe":true},"logging":{}}`),
		Answers: map[string]json.RawMessage{
			"resources/subscribe": json.RawMessage(`{}`), "resources/unsubscribe": json.RawMessage(`{}`),
			"logging/setLevel": json.RawMessage(`{}`),
		},
		AnswerErrors: map[string]json.RawMessage{
			"resources/subscribe b:2": json.RawMessage(`{"code":-32002,"message":"no such resource"}`)},
	}))
	if err := errors.Join(s.Subscribe(t.Context(), `a:"1"`), s.Unsubscribe(t.Context(), `a:"1"`),
		s.SetLevel(t.Context(), "warning")); err != nil {
		t.Fatal(err)
	}
	said := lines(t, log)
	if diff := cmp.Diff([]string{
		`{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"a:\"1\""}}`,
		`{"jsonrpc":"2.0","id":4,"method":"resources/unsubscribe","params":{"uri":"a:\"1\""}}`,
		`{"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"warning"}}`,
	}, said[len(said)-3:]); diff != "" {
		t.Errorf("the server received (-want +got)\n%s", diff)
	}
	var refused *RPCError
	if err := s.Subscribe(t.Context(), "b:2"); !errors.As(err, &refused) || refused.Code != -32002 {
		t.Errorf("a resource that is not there: %v", err)
	}
}

func TestSettingsThatAServerDoesNotHave(t *testing.T) {
	log := filepath.Join(t.TempDir(), "methods")
	s := connect(t, options(t, fakeserver.Script{Capabilities: json.RawMessage(`{"resources":{"subscribe":false}}`),
		MethodLog: log}))
	var refused *RPCError
	if err := s.Subscribe(t.Context(), "a:1"); !errors.As(err, &refused) || refused.Code != jsonrpc.CodeMethodNotFound {
		t.Errorf("subscribing: %v", err)
	}
	if err := s.Unsubscribe(t.Context(), "a:1"); !errors.As(err, &refused) {
		t.Errorf("unsubscribing: %v", err)
	}
	if err := s.SetLevel(t.Context(), "info"); err != nil {
		t.Errorf("setting the level: %v", err)
	}
	if diff := cmp.Diff([]string{"initialize", "notifications/initialized", "tools/list"}, lines(t, log)); diff != "" {
		t.Errorf("the server received (-want +got)\n%s", diff)
	}
}
