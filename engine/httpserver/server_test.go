package httpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
)

// rig is a server on a real port, with engines that do what the requests say.
type rig struct {
	t       *testing.T
	address string
	tokens  *token.Store
	token   string
	log     *buffer
	started chan *fakeEngine
	end     context.CancelFunc
	ended   chan error
}

// buffer is a log.
type buffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// fakeEngine answers each request with its params. A request "wait" is answered by the test.
type fakeEngine struct {
	Caller
	out  *jsonrpc.Writer
	said chan jsonrpc.Message // notifications, answers, and requests that are not answered
	over chan struct{}
}

func newRig(t *testing.T, limits Limits) *rig {
	t.Helper()
	r := &rig{t: t, tokens: token.Open(filepath.Join(t.TempDir(), "tokens.json")), log: &buffer{},
		started: make(chan *fakeEngine, 2000), ended: make(chan error, 1)}
	var err error
	if r.token, err = r.tokens.Add("app"); err != nil {
		t.Fatal(err)
	}
	server := New(Options{Tokens: r.tokens, Run: r.run, Limits: limits,
		Logger: slog.New(slog.NewTextHandler(r.log, nil))})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.address = "http://" + listener.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	r.end = cancel
	go func() { r.ended <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-r.ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

// run is a fake engine.
func (r *rig) run(ctx context.Context, c Caller, in io.Reader, out io.Writer) error {
	e := &fakeEngine{Caller: c, out: jsonrpc.NewWriter(out), said: make(chan jsonrpc.Message, 1000),
		over: make(chan struct{})}
	defer close(e.over)
	r.started <- e
	lines := jsonrpc.NewReader(in, maxLine)
	for {
		line, err := lines.Next()
		if err != nil {
			return nil
		}
		m, err := jsonrpc.Parse(line)
		switch {
		case err != nil:
			return err
		case m.Method == "notifications/end":
			return io.ErrUnexpectedEOF
		case m.Kind() != jsonrpc.Request || m.Method == "wait":
			e.said <- m
		case m.Method == "fail":
			e.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
		default:
			e.say(`{"jsonrpc":"2.0","id":%s,"result":{"got":%s}}`, m.ID, or(m.Params, "null"))
		}
	}
}

func or(raw json.RawMessage, other string) string {
	if raw == nil {
		return other
	}
	return string(raw)
}

// say writes a message of the engine. An error means that the session has ended.
func (e *fakeEngine) say(format string, args ...any) {
	_ = e.out.WriteLine(fmt.Appendf(nil, format, args...))
}

// request makes a request with the token. Headers are pairs.
func (r *rig) request(method, body string, headers ...string) *http.Request {
	r.t.Helper()
	made, err := http.NewRequestWithContext(r.t.Context(), method, r.address+Path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	made.Header.Set("Authorization", "Bearer "+r.token)
	if method == http.MethodPost {
		made.Header.Set("Content-Type", asJSON)
	}
	for i := 0; i < len(headers); i += 2 {
		made.Header.Set(headers[i], headers[i+1])
	}
	return made
}

// do makes a request and returns its answer, which the test closes.
func (r *rig) do(made *http.Request) *http.Response {
	r.t.Helper()
	answer, err := http.DefaultClient.Do(made)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// all makes a request and returns the status and the body.
func (r *rig) all(made *http.Request) (int, string) {
	r.t.Helper()
	answer := r.do(made)
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// begin begins a session and returns its id and its engine.
func (r *rig) begin() (string, *fakeEngine) {
	r.t.Helper()
	for {
		answer := r.do(r.request(http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`))
		switch answer.StatusCode {
		case http.StatusOK:
			return answer.Header.Get("Mcp-Session-Id"), <-r.started
		case http.StatusTooManyRequests: // a request that was answered still counts for a moment
		default:
			r.t.Fatalf("initialize: %s", answer.Status)
		}
	}
}

// TestRefusalsAreCounted: nobody can fill the log with requests that are refused.
func TestRefusalsAreCounted(t *testing.T) {
	r := newRig(t, Limits{})
	for range 3 * maxRefusals {
		if status, _ := r.all(r.request(http.MethodGet, "", "Authorization", "")); status != http.StatusUnauthorized {
			t.Errorf("the status is %d", status)
		}
	}
	if n := strings.Count(r.log.String(), "A request was refused"); n > 2*maxRefusals { // a minute may have ended
		t.Errorf("%d are in the log", n)
	}
}

// events reads the messages of a stream.
type events struct {
	t     *testing.T
	lines *bufio.Reader
}

func (r *rig) events(answer *http.Response) *events {
	if kind := answer.Header.Get("Content-Type"); kind != asEvents {
		body, _ := io.ReadAll(answer.Body)
		r.t.Fatalf("%s, %s: %s", answer.Status, kind, body)
	}
	return &events{r.t, bufio.NewReader(answer.Body)}
}

// next returns the next message, or "" at the end.
func (e *events) next() string {
	e.t.Helper()
	for {
		line, err := e.lines.ReadString('\n')
		if err != nil {
			return ""
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return strings.TrimSpace(data)
		}
	}
}

func (e *events) want(messages ...string) {
	e.t.Helper()
	for _, want := range messages {
		if got := e.next(); got != want {
			e.t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestSlashAtTheEnd: the address may end with a slash, as those of many other servers do.
func TestSlashAtTheEnd(t *testing.T) {
	r := newRig(t, Limits{})
	made := r.request(http.MethodGet, "")
	made.URL.Path = Path + "/"
	if status, body := r.all(made); status != http.StatusBadRequest || !strings.Contains(body, "begin with initialize") {
		t.Errorf("%d %s", status, body)
	}
}
