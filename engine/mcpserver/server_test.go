package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

func TestMain(m *testing.M) {
	fakeserver.RunIfAsked()
	os.Exit(m.Run())
}

// echoToolbox returns a configuration with the toolbox "dev" and its server "s", which is the test binary.
func echoToolbox(script fakeserver.Script) *config.Config {
	return &config.Config{ToolMode: config.ModeAuto,
		Toolboxes: []*config.Toolbox{{Name: "dev", Servers: []*config.Server{{
			Name: "s", Transport: config.TransportStdio, Command: os.Args[0],
			Env: []config.Variable{{Name: fakeserver.Variable, Value: script.String()}},
		}}}}}
}

// connection is the client's end of the connection to a running engine.
type connection struct {
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Reader
	ended chan error
	stop  context.CancelFunc
}

// connect starts an engine and sends initialize.
func connect(t *testing.T, cfg *config.Config, options Options) *connection {
	t.Helper()
	c := dial(t, cfg, options)
	c.send(greeting)
	if m := c.receive(); m.Result == nil {
		t.Fatalf("initialize was answered with %s", m.Error)
	}
	return c
}

// greeting sends initialize.
const greeting = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// dial starts an engine.
func dial(t *testing.T, cfg *config.Config, options Options) *connection {
	t.Helper()
	options.Toolbox.Lookup = config.SystemLookup()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	c := &connection{t, inWrite, bufio.NewReader(outRead), make(chan error, 1), stop}
	server := New(cfg, options)
	go func() {
		err := server.Run(ctx, inRead, outWrite)
		outWrite.Close()
		c.ended <- err
	}()
	t.Cleanup(func() {
		stop()
		outRead.Close()
		inWrite.Close()
	})
	return c
}

func (c *connection) send(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
}

// receive returns the next message.
func (c *connection) receive() jsonrpc.Message {
	c.t.Helper()
	line, err := c.lines.ReadBytes('\n')
	if err != nil {
		c.t.Fatalf("reading: %v", err)
	}
	message, err := jsonrpc.Parse(line)
	if err != nil {
		c.t.Fatalf("%v: %s", err, line)
	}
	return message
}

func TestCallsSideBySide(t *testing.T) {
	c := connect(t, echoToolbox(fakeserver.Script{}), Options{})
	const calls = 200
	go func() {
		for i := range calls {
			fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"s","tool":"echo"},"arguments":{"i":%d}}}}`+"\n", i, i)
		}
	}()
	seen := map[string]bool{}
	for range calls {
		m := c.receive()
		id := string(m.ID)
		if seen[id] {
			t.Errorf("%s was answered twice", id)
		}
		seen[id] = true
		if want := `"structuredContent":{"i":` + id + `}`; !strings.Contains(string(m.Result), want) {
			t.Errorf("%s was answered with %s", id, m.Result)
		}
	}
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

// The answers of calls that come together are written together. No answer waits for a message that may never
// come.
func TestCallsInOneWrite(t *testing.T) {
	c := connect(t, echoToolbox(fakeserver.Script{}), Options{})
	call := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"s","tool":"echo"}}}}`, id)
	}
	c.send("%s", call(0)) // connects the server
	c.receive()
	for _, last := range []string{"\n" + `{"jsonrpc":"2.0","met`, "\n", "\n\n", "\n{}\n", "\n{\n",
		"\n" + `{"jsonrpc":"2.0","id":"ping","method":"ping"}` + "\n"} {
		var calls []string
		for id := range 100 {
			calls = append(calls, call(id+1))
		}
		written := make(chan error, 1)
		go func() { // the pipe has no buffer, and the server may want to write first
			_, err := io.WriteString(c.in, strings.Join(calls, "\n")+last)
			written <- err
		}()
		answered := map[string]bool{}
		for len(answered) < len(calls) {
			if m := c.receive(); m.Result != nil && m.ID[0] != '"' {
				answered[string(m.ID)] = true
			}
		}
		if err := <-written; err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(last, "met") {
			c.send(`hod":"notifications/unknown"}`)
		}
	}
}

func TestDrainHasALimit(t *testing.T) {
	c := connect(t, echoToolbox(fakeserver.Script{}), Options{Drain: 200 * time.Millisecond})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"s","tool":"echo"},"arguments":{"delayMs":600000}}}}`)
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

func TestSignalDoesNotWaitForCalls(t *testing.T) {
	c := connect(t, echoToolbox(fakeserver.Script{}), Options{Drain: time.Hour})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"s","tool":"echo"},"arguments":{"delayMs":600000}}}}`)
	c.stop()
	if err := <-c.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// brokenWriter is the output to a client that has gone.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestClientThatNoLongerReadsEndsTheRun(t *testing.T) {
	in, write := io.Pipe()
	defer write.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- New(echoToolbox(fakeserver.Script{}), Options{}).Run(t.Context(), in, brokenWriter{})
	}()
	fmt.Fprintln(write, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := <-ended; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("ended with %v", err)
	}
}

func TestClientThatDoesNotReadIsLeftBehind(t *testing.T) {
	in, write := io.Pipe()
	defer write.Close()
	unread, out := io.Pipe()
	defer unread.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- New(echoToolbox(fakeserver.Script{}), Options{}).Run(ctx, in, out) }()
	fmt.Fprintln(write, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"},`+modernMeta+`}}`)
	fmt.Fprintln(write, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

func TestLongMessageIsRefusedAlone(t *testing.T) {
	c := connect(t, &config.Config{}, Options{MaxMessage: 1000})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"%s"}}`, strings.Repeat("y", 5000))
	if m := c.receive(); string(m.ID) != "1" || !strings.Contains(string(m.Error), "more than 1000") {
		t.Errorf("answered %s %s", m.ID, m.Error)
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if m := c.receive(); string(m.ID) != "2" || m.Result == nil {
		t.Errorf("the next message was answered %s %s", m.ID, m.Error)
	}
}

func TestCancelledCallInABatch(t *testing.T) {
	c := connect(t, echoToolbox(fakeserver.Script{Hang: "initialize"}), Options{})
	c.send(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}},{"jsonrpc":"2.0","id":2,"method":"ping"}]`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	line, err := c.lines.ReadString('\n')
	if want := `[{"jsonrpc":"2.0","id":2,"result":{}}]` + "\n"; err != nil || line != want {
		t.Errorf("got %q, %v; want the other answer alone", line, err)
	}
}

func TestProgressOfOpeningOnlyGrows(t *testing.T) {
	var written bytes.Buffer
	s := New(&config.Config{}, Options{})
	s.conn.out = jsonrpc.NewWriter(&written)
	last := -1.0
	for _, p := range []toolbox.Progress{{Done: 0, Total: 3, Fraction: 0.2}, {Done: 0, Total: 3, Fraction: 1},
		{Done: 1, Total: 3, Fraction: 0.1}, {Done: 3, Total: 3, Fraction: 0.1}} {
		written.Reset()
		s.conn.reportOpening(json.RawMessage(`"t"`), p)
		var message struct {
			Params struct{ Progress, Total float64 }
		}
		if err := json.Unmarshal(written.Bytes(), &message); err != nil {
			t.Fatal(err)
		}
		if message.Params.Progress <= last || message.Params.Progress > message.Params.Total {
			t.Errorf("%+v: progress %v of %v after %v", p, message.Params.Progress, message.Params.Total, last)
		}
		last = message.Params.Progress
	}
}

// FuzzLoop sends any bytes to the engine: it must end by itself, and write only whole lines that are valid
// JSON-RPC answers.
func FuzzLoop(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "{}", "[]", "null\n7\n\"x\"", "{\"jsonrpc\":\"2.0\"", "\xff\xfe",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`,
		`{"jsonrpc":"2.0","id":"a","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"a","server":"b","tool":"c"}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"a"},"_meta":{"progressToken":{}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"},[],{"id":null}]`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":7}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{},"elicitation":{},"roots":{"listChanged":true},"tasks":{}},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"cursor":7}}` + "\n" +
			`{"jsonrpc":"2.0","id":3,"method":"resources/templates/list","params":[]}` + "\n" +
			`{"jsonrpc":"2.0","id":4,"method":"prompts/list","params":{}}` + "\n" +
			`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"workbench://toolboxes/a"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{},"elicitation":{},"roots":{"listChanged":true},"tasks":{}},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"workbench://toolboxes"}}` + "\n" +
			`{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"x:"}}` + "\n" +
			`{"jsonrpc":"2.0","id":4,"method":"resources/unsubscribe","params":{"uri":"workbench://toolboxes"}}` + "\n" +
			`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"workbench://from/a/b/c"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{},"elicitation":{},"roots":{"listChanged":true},"tasks":{}},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"a__b__c","arguments":{}}}` + "\n" +
			`{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{}}}` + "\n" + `{"jsonrpc":"2.0","id":4,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"workbench://toolboxes/{name}"},"argument":{"name":"name","value":""}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{},"elicitation":{},"roots":{"listChanged":true},"tasks":{}},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}` + "\n" +
			`{"jsonrpc":"2.0","id":3,"method":"tasks/list","params":{}}` + "\n" +
			`{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"t"}}` + "\n" +
			`{"jsonrpc":"2.0","id":5,"method":"tasks/cancel","params":{"taskId":""}}` + "\n" +
			`{"jsonrpc":"2.0","id":6,"method":"tasks/result","params":{"taskId":7}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{},"elicitation":{},"roots":{"listChanged":true},"tasks":{}},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"workbench-1"}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t"}}` + "\n" +
			`{"jsonrpc":"2.0","id":"workbench-1","result":{}}` + "\n" + `{"jsonrpc":"2.0","id":"workbench-1","error":7}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x:","requestState":"y","inputResponses":{"question-1":{}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}},"io.modelcontextprotocol/logLevel":"debug"}}}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}},"io.modelcontextprotocol/logLevel":"debug"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["workbench://toolboxes","x:"],"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}},"io.modelcontextprotocol/logLevel":"debug"}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var out lockedBuffer
		cfg := &config.Config{Toolboxes: []*config.Toolbox{{Name: "a"}}}
		if err := New(cfg, Options{MaxMessage: 1 << 20, Drain: 50 * time.Millisecond}).Run(t.Context(),
			bytes.NewReader(input), &out); err != nil {
			t.Fatalf("ended with %v", err)
		}
		for line := range bytes.Lines(out.all.Bytes()) {
			if !bytes.HasSuffix(line, []byte("\n")) {
				t.Fatalf("not a whole line: %q", line)
			}
			if !json.Valid(line) {
				t.Fatalf("not JSON: %q", line)
			}
			if message, err := jsonrpc.Parse(bytes.TrimSpace(line)); err == nil {
				if kind := message.Kind(); kind == jsonrpc.Request {
					t.Fatalf("the engine asked something: %s", line)
				}
			}
		}
	})
}

type lockedBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.String()
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(p)
}
