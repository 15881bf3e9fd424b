package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

var update = flag.Bool("update", false, "write docs/hostile.md again")

// TestHostile runs the engine between a client that can do everything and two servers of one toolbox. The first server
// breaks the protocol in one of the ways of hostileWays. The second server is a good one. The good server must still
// answer at once, the client must get only valid messages, and the log must say what was wrong.
func TestHostile(t *testing.T) {
	for _, way := range hostileWays() {
		t.Run(way.name, func(t *testing.T) { playHostile(t, way, false) })
	}
}

// TestHostileAlwaysOpen does the same with a toolbox that is always open: its servers start with the first lists.
func TestHostileAlwaysOpen(t *testing.T) {
	for _, way := range hostileWays() {
		t.Run(way.name, func(t *testing.T) { playHostile(t, way, true) })
	}
}

func playHostile(t *testing.T, way hostileWay, alwaysOpen bool) {
	script := way.script()
	script.RequestLog = filepath.Join(t.TempDir(), "log")
	c := besideIn(t, &config.Toolbox{Name: "dev", Open: alwaysOpen}, script, Options{AskLimit: way.askLimit})
	c.mute = way.mute
	if alwaysOpen {
		for _, method := range []string{"tools/list", "prompts/list", "resources/list"} {
			if m := c.ask(method, `{}`); m.Error != nil || method == "tools/list" &&
				!strings.Contains(string(m.Result), "dev__good__") {
				t.Errorf("%s: %.500s %s", method, m.Result, m.Error)
			}
		}
	} else {
		c.open()
	}
	if way.act == nil {
		way.act = func(t *testing.T, c *capable) { c.use("bad", "go") }
	}
	way.act(t, c)
	c.goodAnswers(t)
	begun := time.Now()
	c.goodAnswers(t) // the second time, the engine knows which servers are slow
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("the good server's answers took %v", took)
	}
	c.awaitLog(t, way.says)
	c.bounded(t)
	if way.then != nil {
		way.then(t, c, heard(t, script))
	}
	c.stop(t)
}

// TestHostileDocument checks that docs/hostile.md says for each way what the engine does, and has the time limits for
// requests of servers.
func TestHostileDocument(t *testing.T) {
	var text strings.Builder
	text.WriteString("# Servers that break the protocol\n\nA server that breaks the protocol harms only its own " +
		"entry: the other servers answer as before, and the client gets only valid messages.\n" +
		"`TestHostile` and `TestHostileAlwaysOpen` in `engine/mcpserver` play each case of this table against the whole " +
		"engine, with a good server in the same toolbox,\n" +
		"which is opened or always open, and a client that can do everything. The message is in the log of the server, " +
		"which the window shows, or in the log of the engine. This file is written by\n" +
		"`go test ./engine/mcpserver -run TestHostileDocument -update`.\n\n" +
		"| A server … | The engine … | Message in the log |\n|---|---|---|\n")
	for _, way := range hostileWays() {
		says := "none, because it is harmless"
		if way.says != "" {
			says = "`" + way.says + "`"
		}
		fmt.Fprintf(&text, "| %s | %s | %s |\n", way.name, way.does, says)
	}
	text.WriteString("\n## A client that does not answer\n\nThe engine waits this long for the client's answer to a " +
		"request of a server. Then the server gets an error, and the client is notified that the request\nis cancelled.\n\n" +
		"| request | time limit |\n|---|---|\n")
	for _, ask := range askables {
		fmt.Fprintf(&text, "| `%s` | %v |\n", ask.method, ask.limit)
	}
	name := filepath.Join("..", "..", "docs", "hostile.md")
	if *update {
		if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(name); err != nil || string(have) != text.String() {
		t.Errorf("%s is out of date (%v); run this test with -update", name, err)
	}
}

// TestClientThatAnswersNothing checks that no call waits longer than the limit for a client that declares all
// capabilities and answers nothing.
func TestClientThatAnswersNothing(t *testing.T) {
	const limit = 300 * time.Millisecond
	for _, ask := range askables {
		if ask.capability == "tasks" && ask.method != "tasks/list" {
			continue // there is no task yet, because the client would have to answer a request first
		}
		script := badServer()
		script.AskOnCall, script.AskParams = ask.method,
			json.RawMessage(`{"taskId":"x","message":"?","requestedSchema":{"type":"object"}}`)
		c := beside(t, script, Options{AskLimit: limit})
		c.mute = func(string) bool { return true }
		c.open()
		begun := time.Now()
		m := c.use("bad", "go")
		if took := time.Since(begun); !strings.Contains(string(m.Result), "did not answer within") || took < limit ||
			took > 200*limit {
			t.Errorf("%s: after %v: %s %s", ask.method, took, m.Result, m.Error)
		}
		c.stop(t)
	}
}

// everything has all capabilities of a client.
const everything = `{"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true},"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}`

// capable is a client that can do everything. It checks each line that it receives.
type capable struct {
	t      *testing.T
	server *Server
	in     io.WriteCloser
	ended  chan error
	log    *lockedBuffer
	mute   func(method string) bool // the methods that it does not answer; may be nil
	idle   int                      // number of goroutines before

	mu      sync.Mutex
	lastID  int
	waiting map[string]chan jsonrpc.Message
	got     map[string]int // number of messages by method
}

// beside starts an engine with a bad server and a good one.
func beside(t *testing.T, bad fakeserver.Script, options Options) *capable {
	t.Helper()
	return besideIn(t, &config.Toolbox{Name: "dev"}, bad, options)
}

// besideIn is beside with the toolbox of both servers.
func besideIn(t *testing.T, box *config.Toolbox, bad fakeserver.Script, options Options) *capable {
	t.Helper()
	c := &capable{t: t, ended: make(chan error, 1), log: &lockedBuffer{}, waiting: map[string]chan jsonrpc.Message{},
		got: map[string]int{}, idle: runtime.NumGoroutine()}
	options.Logger = slog.New(slog.NewTextHandler(c.log, nil))
	options.Toolbox = toolbox.Options{Lookup: config.SystemLookup()}
	good := rich(t)
	good.RequestLog = ""
	good.Tools = append(good.Tools,
		json.RawMessage(`{"name":"long","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`))
	good.Results["long"] = json.RawMessage(`{"task":{"taskId":"task-1","status":"working"}}`)
	box.Servers = []*config.Server{serverEntry("bad", bad), serverEntry("good", good)}
	cfg := &config.Config{Toolboxes: []*config.Toolbox{box}}
	c.server = New(cfg, options)
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	c.in = inWrite
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		err := c.server.Run(ctx, inRead, outWrite)
		outWrite.Close()
		c.ended <- err
	}()
	go c.read(outRead)
	t.Cleanup(func() {
		stop()
		inWrite.Close()
	})
	c.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":`+everything+
		`,"clientInfo":{"name":"x","version":"1"}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// read reads what the engine sends, answers its requests, and checks each line.
func (c *capable) read(from io.Reader) {
	lines := bufio.NewReaderSize(from, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		m, err := jsonrpc.Parse(line)
		if err != nil || !utf8.Valid(line) {
			c.t.Errorf("the client received an invalid line: %v: %.300q", err, line)
			continue
		}
		if m.HasMethod && (len(line) > 2<<20 || jsonrpc.Depth(line) > 110) {
			c.t.Errorf("the client received %s with %d bytes, nested %d levels deep", m.Method, len(line), jsonrpc.Depth(line))
		}
		c.mu.Lock()
		c.got[m.Method]++
		waiting := c.waiting[string(m.ID)]
		delete(c.waiting, string(m.ID))
		c.mu.Unlock()
		switch {
		case m.Kind() == jsonrpc.Request && (c.mute == nil || !c.mute(m.Method)):
			c.send(`{"jsonrpc":"2.0","id":%s,"result":{"mine":1}}`, m.ID)
		case m.Kind() == jsonrpc.Response && waiting != nil:
			waiting <- m
		case m.Kind() == jsonrpc.Response:
			c.t.Errorf("the client received an answer to no open request: %.300s", line)
		}
	}
}

func (c *capable) send(format string, args ...any) {
	line := fmt.Appendf(nil, format+"\n", args...)
	if _, err := c.in.Write(line); err != nil {
		c.t.Log(err)
	}
}

// begin sends a request.
func (c *capable) begin(method, params string) (id string, answer chan jsonrpc.Message) {
	answer = make(chan jsonrpc.Message, 1)
	c.mu.Lock()
	c.lastID++
	id = fmt.Sprint(c.lastID)
	c.waiting[id] = answer
	c.mu.Unlock()
	c.send(`{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}`, id, method, params)
	return id, answer
}

// ask sends a request and returns its answer.
func (c *capable) ask(method, params string) jsonrpc.Message {
	c.t.Helper()
	_, answer := c.begin(method, params)
	select {
	case m := <-answer:
		return m
	case <-time.After(time.Minute):
		c.t.Fatalf("%s %s is not answered; the log of the server:\n%s", method, params, c.journal())
		return jsonrpc.Message{}
	}
}

func (c *capable) open() {
	c.t.Helper()
	if m := c.ask("tools/call", `{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`); !strings.Contains(string(m.Result), "servers_connected") {
		c.t.Fatalf("opening: %s %s", m.Result, m.Error)
	}
}

func useOf(server, tool string) string {
	return `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"` + server + `","tool":"` + tool +
		`"},"arguments":{}},"_meta":{"progressToken":"p"}}`
}

func (c *capable) use(server, tool string) jsonrpc.Message {
	c.t.Helper()
	return c.ask("tools/call", useOf(server, tool))
}

// giveUp makes a request that is never answered, and cancels it when the log says that the server has received it.
func (c *capable) giveUp(t *testing.T, method, params, says string) {
	id, _ := c.begin(method, params)
	c.awaitLog(t, says)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
}

// goodAnswers sends the good server one request of each kind.
func (c *capable) goodAnswers(t *testing.T) {
	t.Helper()
	for _, want := range []struct{ method, params, part string }{
		{"tools/list", `{}`, `open_toolbox`},
		{"tools/call", useOf("good", "echo"), `"structuredContent":{}`},
		{"prompts/list", `{}`, `dev__good__ask`},
		{"prompts/get", `{"name":"dev__good__ask"}`, `"odd":12345678901234567890`},
		{"resources/list", `{}`, `a:1"`},
		{"resources/templates/list", `{}`, `t:{id}`},
		{"resources/read", `{"uri":"workbench://from/dev/good/a:1"}`, `"text":"A"`},
		{"resources/read", `{"uri":"t:7"}`, `"text":"T"`},
		{"tools/call", useOf("good", "link"), `far:1`},
		{"resources/read", `{"uri":"far:1"}`, `"text":"F"`},
		{"resources/subscribe", `{"uri":"t:7"}`, `{}`},
		{"resources/unsubscribe", `{"uri":"t:7"}`, `{}`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"dev__good__ask"},"argument":{"name":"n","value":""}}`,
			`"values":["v"]`},
		{"logging/setLevel", `{"level":"debug"}`, `{}`},
		{"tasks/list", `{}`, `tasks`},
	} {
		if m := c.ask(want.method, want.params); !strings.Contains(string(m.Result), want.part) {
			t.Errorf("the good server: %s %s was answered with %.300s %s, want %s", want.method, want.params, m.Result, m.Error,
				want.part)
		}
	}
}

func (c *capable) journal() string {
	var text strings.Builder
	for _, line := range c.server.Toolboxes().Log("dev", "bad") {
		fmt.Fprintf(&text, "%s: %s\n", line.Source, line.Words())
	}
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	text.Write(bytes.ReplaceAll(c.log.all.Bytes(), []byte(`\"`), []byte(`"`)))
	return text.String()
}

// awaitLog waits until the log contains a text.
func (c *capable) awaitLog(t *testing.T, says string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(c.journal(), says); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("no message in the log has %q:\n%.4000s", says, c.journal())
			return
		}
	}
	if text := c.journal(); strings.Contains(text, "panic") || strings.Contains(text, "bug") {
		t.Errorf("something panicked:\n%s", text)
	}
}

// bounded checks that the engine uses little memory and few goroutines.
func (c *capable) bounded(t *testing.T) {
	t.Helper()
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	if memory.HeapAlloc > 96<<20 {
		t.Errorf("%d MiB are in use", memory.HeapAlloc>>20)
	}
	if n := runtime.NumGoroutine() - c.idle; n > 100 {
		t.Errorf("%d goroutines run", n)
	}
}

// stop ends the engine and checks that nothing is left.
func (c *capable) stop(t *testing.T) {
	t.Helper()
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
	deadline := time.Now().Add(time.Minute)
	for runtime.NumGoroutine() > c.idle+3 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > c.idle+3 {
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines are left of the engine:\n%s", n-c.idle, stacks[:runtime.Stack(stacks, true)])
	}
}

// seen returns the number of messages of a method that the client has received.
func (c *capable) seen(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got[method]
}
