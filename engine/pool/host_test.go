package pool

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// patience is far longer than anything here takes.
const patience = 60 * time.Second

func TestMain(m *testing.M) {
	fakeserver.RunIfAsked()
	os.Exit(m.Run())
}

// testHost is a host in the process of the test.
type testHost struct {
	*Host
	endpoint string
	stop     context.CancelFunc
	ended    chan struct{}
}

func startTestHost(t testing.TB, o Options) *testHost {
	t.Helper()
	endpoint := `\\.\pipe\workbench-test-` + rand.Text()
	if runtime.GOOS != "windows" {
		folder, err := os.MkdirTemp("", "wb") // the path from t.TempDir is too long for a socket on some systems
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(folder) })
		endpoint = filepath.Join(folder, "run", "host-x.sock")
	}
	listener, release, err := ipc.Take(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	o.Build = "x"
	h := &testHost{Host: NewHost(o), endpoint: endpoint, ended: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop
	go func() {
		defer close(h.ended)
		defer release()
		_ = h.Run(ctx, listener)
	}()
	if runtime.GOOS == "windows" { // Wine gives the first client the handle that only keeps the name of the pipe
		if conn, err := ipc.Reach(ctx, endpoint); err == nil {
			_ = conn.Close()
		}
	}
	t.Cleanup(func() {
		stop()
		wait(t, "the end of the host", h.ended)
	})
	return h
}

// options returns the options of an engine for a server of a script.
func (h *testHost) options(t testing.TB, script fakeserver.Script) downstream.Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return downstream.Options{
		Server: &config.Server{Name: "fake", Transport: config.TransportStdio, Command: self,
			Env: []config.Variable{{Name: fakeserver.Variable, Value: script.String()}}},
		Environ: os.Environ(), HandshakeTimeout: patience,
	}
}

// connect connects an engine to a shared server. It leaves at the end of the test.
func (h *testHost) connect(t testing.TB, o downstream.Options) *downstream.Session {
	t.Helper()
	s, err := h.try(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { leave(t, s) })
	return s
}

func (h *testHost) try(ctx context.Context, o downstream.Options) (*downstream.Session, error) {
	return h.share(ctx, downstream.Sharing{Of: o})
}

func (h *testHost) share(ctx context.Context, wanted downstream.Sharing) (*downstream.Session, error) {
	client := NewClient(ClientOptions{Build: "x", Endpoint: h.endpoint})
	o := wanted.Of
	o.Attach = func(ctx context.Context) (downstream.Peer, error) { return client.Attach(ctx, wanted) }
	return downstream.Connect(ctx, o)
}

func leave(t testing.TB, s *downstream.Session) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
}

func wait(t testing.TB, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
	}
}

// await polls until the condition is true.
func await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// lines returns the lines of a file to which the fake server appends.
func lines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// whole returns the text of a result.
func whole(result []jsonrpc.Member) string { return string(jsonrpc.AppendObject(nil, result)) }

// echo calls the tool "echo".
func echo(ctx context.Context, s *downstream.Session, arguments string) (string, error) {
	answer, err := s.Call(ctx, downstream.Call{Tool: "echo", Arguments: json.RawMessage(arguments)})
	if err != nil {
		return "", err
	}
	var parsed struct{ StructuredContent json.RawMessage }
	err = json.Unmarshal([]byte(whole(answer)), &parsed)
	return string(parsed.StructuredContent), err
}

// hang begins a call that is not answered before ctx ends.
func hang(ctx context.Context, s *downstream.Session) (sent <-chan struct{}, answer <-chan error) {
	begun, ended := make(chan struct{}), make(chan error, 1)
	once := sync.OnceFunc(func() { close(begun) })
	go func() {
		_, err := s.Call(ctx, downstream.Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":3600000}`), Sent: once})
		ended <- err
	}()
	return begun, ended
}

// TestOneProcess: engines share one process and one handshake, and each gets its own answers.
func TestOneProcess(t *testing.T) {
	methods := filepath.Join(t.TempDir(), "methods")
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{MethodLog: methods, Instructions: "Be kind."})
	sessions := make([]*downstream.Session, 5)
	for i := range sessions {
		sessions[i] = h.connect(t, o)
	}
	var all sync.WaitGroup
	for i, s := range sessions {
		if info := s.Info(); info.Pid == 0 || info.Pid == os.Getpid() || info.Pid != sessions[0].Info().Pid ||
			info.Instructions != "Be kind." || info.Name != "fake" || len(s.Tools()) != 1 {
			t.Errorf("engine %d sees %+v", i, info)
		}
		for call := range 20 {
			all.Go(func() {
				want := fmt.Sprintf(`{"engine":%d,"call":%d}`, i, call)
				if got, err := echo(t.Context(), s, want); got != want || err != nil {
					t.Errorf("got %s, %v, want %s", got, err, want)
				}
			})
		}
	}
	all.Wait()
	if got := strings.Join(lines(t, methods), "\n"); strings.Count(got+"\n", "initialize\n") != 1 {
		t.Errorf("the server got %s, want one handshake", got)
	}
}

// TestWhoShares: only engines that would start the same process share one, and they know that before.
func TestWhoShares(t *testing.T) {
	h := startTestHost(t, Options{})
	first := h.options(t, fakeserver.Script{})
	first.Server.Cwd = root()
	pid, key := h.connect(t, first).Info().Pid, Key(downstream.Sharing{Of: first})
	for what, c := range map[string]struct {
		change func(*downstream.Options)
		same   bool
	}{
		"another name":  {func(o *downstream.Options) { o.Server.Name = "other" }, true},
		"another order": {func(o *downstream.Options) { o.Environ = append(o.Environ[1:], o.Environ[0]) }, true},
		"other time limits": {func(o *downstream.Options) {
			o.Server.CallTimeout, o.Server.StartupTimeout = new(time.Duration), new(time.Hour)
		}, true},
		"an app with roots": {func(o *downstream.Options) { o.Capabilities = json.RawMessage(`{"roots":{}}`) }, true},
		"another terminal":  {func(o *downstream.Options) { o.Environ = append(o.Environ, "TERM=vt100", "NO_COLOR=1") }, true},
		"another session":   {func(o *downstream.Options) { o.Environ = append(o.Environ, "XDG_SESSION_ID=7") }, true},
		"folders of an agent": {func(o *downstream.Options) {
			of := func(folder ...string) string { return filepath.Join(append([]string{o.Server.Cwd}, folder...)...) }
			o.Environ = withPath(o.Environ, of(".codex", "tmp", "arg0", "codex-arg0y1dypj"),
				of("node_modules", "codex", "path"), of("Code", "globalStorage", "copilot"))
		}, true},
		"another argument": {func(o *downstream.Options) { o.Server.Args = []string{"a"} }, false},
		"another variable": {func(o *downstream.Options) { o.Environ = append(o.Environ, "A=b") }, false},
		"another PATH":     {func(o *downstream.Options) { o.Environ = append(o.Environ, "PATH=/nowhere") }, false},
		"another secret": {func(o *downstream.Options) {
			o.Server.Env = append(o.Server.Env, config.Variable{Name: "KEY"})
		}, false},
		"a folder of the user": {func(o *downstream.Options) {
			o.Environ = withPath(o.Environ, filepath.Join(o.Server.Cwd, "bin"))
		}, false},
		"another folder": {func(o *downstream.Options) { o.Server.Cwd = os.TempDir() }, false},
		"an app that answers": {func(o *downstream.Options) {
			o.Capabilities = json.RawMessage(`{"elicitation":{}}`)
		}, false},
		"an app that thinks": {func(o *downstream.Options) { o.Capabilities = json.RawMessage(`{"sampling":{}}`) }, false},
	} {
		o := h.options(t, fakeserver.Script{})
		o.Environ = append([]string(nil), o.Environ...)
		o.Server.Cwd = first.Server.Cwd
		c.change(&o)
		if got := h.connect(t, o).Info().Pid; (got == pid) != c.same {
			t.Errorf("with %s, the process is %d, and was %d", what, got, pid)
		}
		if got := Key(downstream.Sharing{Of: o}); (got == key) != c.same {
			t.Errorf("with %s, the key is %s, and was %s", what, got, key)
		}
	}
}

// TestProgressAndCancelling: engines use the same ids and tokens, and get only what belongs to their own calls.
func TestProgressAndCancelling(t *testing.T) {
	folder := t.TempDir()
	cancels, calls := filepath.Join(folder, "cancels"), filepath.Join(folder, "calls")
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{Progress: 3, CancelFile: cancels, CallLog: calls})
	a, b := h.connect(t, o), h.connect(t, o)
	var all sync.WaitGroup
	for _, s := range []*downstream.Session{a, b} {
		all.Go(func() {
			var told []string
			_, err := s.Call(t.Context(), downstream.Call{Tool: "echo", Progress: func(params json.RawMessage) {
				told = append(told, string(params))
			}})
			if err != nil || len(told) != 3 || !strings.Contains(told[2], `"progress":3`) {
				t.Errorf("%v, %s", err, told)
			}
		})
	}
	all.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	_, cancelled := hang(ctx, a)
	lasting, stop := context.WithCancel(t.Context())
	_, lasts := hang(lasting, b)
	await(t, "both calls", func() bool { return len(lines(t, calls)) == 4 })
	cancel()
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	await(t, "the cancellation", func() bool { return lines(t, cancels)[0] != "" })
	select {
	case err := <-lasts:
		t.Errorf("the call of the other engine ended with %v", err)
	default:
	}
	stop()
	<-lasts
	await(t, "the other cancellation", func() bool { return len(lines(t, cancels)) == 2 })
}

// TestQuestions: what a server asks goes to the app whose call it works on. With two of them it is refused.
func TestQuestions(t *testing.T) {
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{AskOnCall: "elicitation/create",
		AskParams: json.RawMessage(`{"message":"Yes?"}`)})
	o.Capabilities = json.RawMessage(`{"elicitation":{}}`)
	heard := make(chan string, 10)
	hold := make(chan struct{})
	engine := func(name string) *downstream.Session {
		own := o
		own.OnRequest = func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			heard <- name + " " + method + " " + string(params)
			<-hold
			return json.RawMessage(`{"action":"accept","content":{"by":"` + name + `"}}`), nil
		}
		return h.connect(t, own)
	}
	a, b := engine("a"), engine("b")
	first := make(chan string, 1)
	go func() {
		answer, err := a.Call(t.Context(), downstream.Call{Tool: "echo"})
		first <- fmt.Sprintf("%s, %v", answer, err)
	}()
	if got := <-heard; got != `a elicitation/create {"message":"Yes?"}` {
		t.Errorf("asked was %s", got)
	}
	// While the first one waits for its person, the second one calls, too.
	answer, err := b.Call(t.Context(), downstream.Call{Tool: "echo"})
	if err != nil || !strings.Contains(whole(answer), "several apps share this server") {
		t.Errorf("got %s, %v", answer, err)
	}
	close(hold)
	if got := <-first; !strings.Contains(got, `"by":"a"`) {
		t.Errorf("the first call got %s", got)
	}
	if answer, err := b.Call(t.Context(), downstream.Call{Tool: "echo"}); err != nil ||
		!strings.Contains(whole(answer), `"by":"b"`) {
		t.Errorf("alone, the second one got %s, %v", answer, err)
	}
}

// TestQuestionToOneThatLeaves: a server whose question nobody can answer any more is told so.
func TestQuestionToOneThatLeaves(t *testing.T) {
	messages := filepath.Join(t.TempDir(), "messages")
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{AskOnCall: "elicitation/create", RequestLog: messages})
	o.Capabilities = json.RawMessage(`{"elicitation":{}}`)
	h.connect(t, o) // stays
	asked := make(chan struct{})
	o.OnRequest = func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		close(asked)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	b, err := h.try(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = b.Call(context.Background(), downstream.Call{Tool: "echo"}) }()
	wait(t, "the question", asked)
	leave(t, b)
	await(t, "the refusal", func() bool { return strings.Contains(strings.Join(lines(t, messages), "\n"), "has left") })
}

// TestWhatServersTell: changed lists are for all, updates for those who have subscribed, messages for those who want
// their level.
func TestWhatServersTell(t *testing.T) {
	methods := filepath.Join(t.TempDir(), "methods")
	h := startTestHost(t, Options{})
	update := `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a/b"}}`
	message := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":"careful"}}`
	o := h.options(t, fakeserver.Script{
		Capabilities: json.RawMessage(`{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}}`),
		Answers: map[string]json.RawMessage{"resources/subscribe": json.RawMessage("{}"),
			"resources/unsubscribe": json.RawMessage("{}"), "logging/setLevel": json.RawMessage("{}"),
			"prompts/get": json.RawMessage(`{"messages":[]}`)},
		SayOn:                map[string][]string{"prompts/get": {update}, "resources/templates/list": {message}},
		ListChangedAfterCall: true, Tools2: []json.RawMessage{fakeserver.Tool("new")}, MethodLog: methods})
	type heard struct {
		mu    sync.Mutex
		lines []string
		lists chan downstream.Kind
	}
	engine := func() (*downstream.Session, *heard) {
		own, got := o, &heard{lists: make(chan downstream.Kind, 10)}
		own.OnNotification = func(method string, params json.RawMessage) {
			got.mu.Lock()
			defer got.mu.Unlock()
			got.lines = append(got.lines, method+" "+string(params))
		}
		own.OnListChanged = func(kind downstream.Kind) { got.lists <- kind }
		return h.connect(t, own), got
	}
	has := func(h *heard, text string) bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return strings.Contains(strings.Join(h.lines, "\n"), text)
	}
	a, heardA := engine()
	b, heardB := engine()
	if err := errors.Join(a.Subscribe(t.Context(), "file:///a"), b.Subscribe(t.Context(), "file:///other"),
		a.SetLevel(t.Context(), "error"), b.SetLevel(t.Context(), "info")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Call(t.Context(), downstream.Call{Method: "prompts/get"}); err != nil {
		t.Fatal(err)
	}
	await(t, "the update", func() bool { return has(heardA, "file:///a/b") })
	if has(heardB, "file:///a/b") {
		t.Error("an engine got an update to which it has not subscribed")
	}
	for _, s := range []*downstream.Session{a, b} {
		_, _ = s.Call(t.Context(), downstream.Call{Method: "resources/templates/list"}) // it has no such list
	}
	await(t, "the messages", func() bool { return has(heardB, "careful") })
	// The second subscription to a resource is not told to the server, and its first end is not, either.
	if err := errors.Join(b.Subscribe(t.Context(), "file:///a"), a.Unsubscribe(t.Context(), "file:///a")); err != nil {
		t.Fatal(err)
	}
	if has(heardA, "careful") {
		t.Error("an engine got a message below the level that it wants")
	}
	if got := lines(t, methods); strings.Count(strings.Join(got, "\n"), "resources/subscribe") != 2 ||
		strings.Contains(strings.Join(got, "\n"), "unsubscribe") {
		t.Errorf("the server got %q", got)
	}
	if _, err := echo(t.Context(), a, "{}"); err != nil {
		t.Fatal(err)
	}
	for _, lists := range []chan downstream.Kind{heardA.lists, heardB.lists} {
		select {
		case kind := <-lists:
			if kind != downstream.Tools {
				t.Errorf("list %v has changed", kind)
			}
		case <-time.After(patience):
			t.Fatal("an engine was not told of the new tools")
		}
	}
	if tools := b.Tools(); len(tools) != 1 || tools[0].Name != "new" {
		t.Errorf("the tools are %v", tools)
	}
}
