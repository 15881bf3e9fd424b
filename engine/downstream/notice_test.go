package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// TestAgreedVersionIsSent: after initialize, requests to a remote server name the agreed version; before that
// they do not.
func TestAgreedVersionIsSent(t *testing.T) {
	far := server.NewStreamableHTTPServer(realServer())
	var mu sync.Mutex
	sent := map[string]string{}
	agreed := ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if m, err := jsonrpc.Parse(body); err == nil && m.HasMethod {
			mu.Lock()
			sent[m.Method] = r.Header.Get("Mcp-Protocol-Version")
			if m.Method == "initialize" {
				agreed, _ = jsonrpc.String(jsonrpc.Lookup(m.Params, "protocolVersion"))
			}
			mu.Unlock()
		}
		far.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	s := connect(t, remoteOptions(config.TransportHTTP, web.URL+"/mcp"))
	if _, err := s.Call(t.Context(), Call{Tool: "greet", Arguments: json.RawMessage("{}")}); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if agreed == "" || sent["initialize"] != "" {
		t.Errorf("initialize came with the version %q, for %q", sent["initialize"], agreed)
	}
	for _, method := range []string{"notifications/initialized", "tools/list", "tools/call"} {
		if sent[method] != agreed {
			t.Errorf("%s came with the version %q, want %q", method, sent[method], agreed)
		}
	}
}

// TestHeadersOfOneOfSeveralSchemas: a marked argument is found only where it certainly exists, not in one of
// several alternative schemas.
func TestHeadersOfOneOfSeveralSchemas(t *testing.T) {
	const marked = `{"type":"string","x-mcp-header":"Region"}`
	for schema, ok := range map[string]bool{
		`{"properties":{"region":` + marked + `}}`:                     true,
		`{"properties":{"region":{"anyOf":[` + marked + `]}}}`:         false,
		`{"properties":{"regions":{"items":` + marked + `}}}`:          false,
		`{"allOf":[{"properties":{"region":` + marked + `}}]}`:         false,
		`{"properties":{"regions":{"anyOf":[],"not":` + marked + `}}}`: false,
	} {
		found, err := bindings(json.RawMessage(schema))
		if (err == nil) != ok || ok != (len(found) == 1) {
			t.Errorf("%s: %d are found, %v", schema, len(found), err)
		}
	}
}

// onceRefused has a token that the server refuses, and then another token or an error.
type onceRefused struct{ err error }

func (o onceRefused) Token(_ context.Context, _, refused string) (string, error) {
	if refused != "" {
		return "new", nil
	}
	return "old", o.err
}

func (onceRefused) Refused(string, int, []string) (string, bool, bool) { return "", false, false }

// TestTokenOfARequestWithoutABody: a request without a body, such as the one for a stream, is also repeated
// with a new token; without a token it is an error.
func TestTokenOfARequestWithoutABody(t *testing.T) {
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer new" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	server, _ := url.Parse(address)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, broken := range []error{nil, errors.New("broken")} {
			var body io.Reader
			if method == http.MethodPost {
				body = strings.NewReader("{}")
			}
			request, err := http.NewRequestWithContext(t.Context(), method, address, body)
			if err != nil {
				t.Fatal(err)
			}
			response, err := (&bearer{base: http.DefaultTransport, tokens: onceRefused{broken}, server: server,
				shown: func(string) {}}).RoundTrip(request)
			if (err == nil) != (broken == nil) || err == nil && response.StatusCode != http.StatusOK {
				t.Errorf("%s, when the sign-in is %v: %v, %v", method, broken, response, err)
			}
			if err == nil {
				_ = response.Body.Close()
			}
		}
	}
}

// TestHintsOfTools: hints of a tool count only if they are valid or careful, and a tool that may destroy
// something is not read-only.
func TestHintsOfTools(t *testing.T) {
	var tools []json.RawMessage
	said := map[string]string{}
	for i, annotations := range []string{`{}`, `{"readOnlyHint":true}`, `{"readOnlyHint":false}`,
		`{"readOnlyHint":"true"}`, `{"readOnlyHint":1}`,
		`{"destructiveHint":true}`, `{"destructiveHint":false}`, `{"readOnlyHint":true,"destructiveHint":true}`,
		`{"readOnlyHint":true,"destructiveHint":"true"}`} {
		name := fmt.Sprint("tool", i)
		said[name] = annotations
		tools = append(tools, json.RawMessage(`{"name":"`+name+`","inputSchema":{"type":"object"},"annotations":`+
			annotations+`}`))
	}
	for _, tool := range connect(t, options(t, fakeserver.Script{Tools: tools})).Tools() {
		annotations := said[tool.Name]
		destructive := strings.Contains(annotations, `"destructiveHint":true`) ||
			strings.Contains(annotations, `"destructiveHint":"true"`)
		says := strings.Contains(annotations, `"readOnlyHint":true`)
		if readOnly := says && !destructive; tool.ReadOnly != readOnly || tool.Destructive != destructive {
			t.Errorf("%s: read only %v, destructive %v", annotations, tool.ReadOnly, tool.Destructive)
		}
		delete(said, tool.Name)
	}
	if len(said) > 0 {
		t.Errorf("not listed: %v", said)
	}
}
