package ipc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/process/underwine"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// deafApp accepts connections and does nothing with them.
func deafApp(t *testing.T, at string) (accepted <-chan net.Conn) {
	t.Helper()
	l, release, err := listen(at)
	if err != nil {
		t.Fatal(err)
	}
	freed, err := takeFirst(t, at)
	if err != nil {
		t.Fatal(err)
	}
	conns := make(chan net.Conn, 100)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conns <- conn
		}
	}()
	t.Cleanup(func() {
		freed()
		_ = l.Close()
		release()
	})
	return conns
}

// An app that sends hello and then never reads must not slow down the engine. Messages go into a bounded
// queue, and the agent ends when it is told to.
func TestAppThatHangs(t *testing.T) {
	at := endpoint(t)
	conns := deafApp(t, at)
	source := newEngine()
	_, stop := startAgent(t, at, source)
	conn := <-conns
	if _, err := fmt.Fprintf(conn, "{\"type\":\"hello\",\"version\":%d}\n", Version); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		if !source.watched() {
			return errors.New("the conversation did not begin")
		}
		return nil
	})
	text := strings.Repeat("x", 1000)
	slowest := time.Duration(0)
	for range 20_000 {
		begun := time.Now()
		source.say(text)
		slowest = max(slowest, time.Since(begun))
	}
	if slowest > 20*time.Second { // it would never end if it waited for the app
		t.Errorf("telling took %v", slowest)
	}
	begun := time.Now()
	stop()
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("the agent took %v to end", took)
	}
	t.Logf("slowest telling %v", slowest)
}

func TestOtherVersions(t *testing.T) {
	at := endpoint(t)
	h, stopHub := startHub(t, HubOptions{Endpoint: at})
	conn, err := dial(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// A newer engine sends messages and members that this version does not know.
	if _, err := fmt.Fprintf(conn, `{"type":"hello","version":%d,"about":{"pid":5,"program":"99","new":{}},"more":[1]}
{"type":"weather","snapshot":7}
{"type":"snapshot","snapshot":{"servers":"all well"}}
{"type":"snapshot","snapshot":{"open":["a"],"servers":[]}}
`, Version+1); err != nil {
		t.Fatal(err)
	}
	e := theEngine(t, h)
	if !e.OtherVersion || e.Program != "99" || e.Pid != 5 {
		t.Errorf("%+v", e)
	}
	if err := h.Restart(t.Context(), e.ID, "a", "b"); !errors.Is(err, ErrOtherVersion) {
		t.Errorf("got %v", err)
	}
	stopHub()

	// A newer app sends commands.
	at = endpoint(t)
	conns := deafApp(t, at)
	source := newEngine()
	startAgent(t, at, source)
	app := <-conns
	if _, err := fmt.Fprintf(app, "{\"type\":\"hello\",\"version\":%d}\n{\"type\":\"pause\",\"paused\":true}\n{\"type\":\"dance\"}\n", Version+1); err != nil {
		t.Fatal(err)
	}
	reader := newLineReader(app, maxFromEngine)
	if m, err := reader.next(); err != nil || m.Type != typeHello || m.Version != Version || m.About.Pid != 7 {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := reader.next(); err != nil || m.Type != typePing {
		t.Errorf("the agent continues with %+v, %v", m, err)
	}
	if source.done() != "" || source.watched() {
		t.Errorf("the engine has followed commands: %s", source.done())
	}
}

func TestUnknownMessagesArePassedOver(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at})
	conn, err := dial(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var lines bytes.Buffer
	fmt.Fprintf(&lines, "{\"type\":\"hello\",\"version\":%d,\"about\":{\"pid\":5}}\n", Version)
	lines.WriteString("\n{}\n[]\nnull\n7\nno " +
		"JSON\n{\"type\":7}\n{\"type\":\"new\",\"id\":{}}\n{\"type\":\"reply\",\"id\":12345}\n{\"type\":\"log\"}\n{\"type\":\"call\"}\n{\"type\":\"snapshot\"}\n")
	lines.WriteString(`{"type":"log","line":{"text":"` + strings.Repeat("x", maxFromEngine) + "\"}}\n")
	lines.WriteString("{\"type\":\"snapshot\",\"snapshot\":{\"open\":[\"dev\"],\"servers\":[]}}\n")
	go func() { _, _ = conn.Write(lines.Bytes()) }()
	eventually(t, func() error {
		if e := theEngine(t, h); len(e.Open) != 1 {
			return fmt.Errorf("%+v", e)
		}
		return nil
	})
}

func TestSlowReaderOfTheLogMissesLines(t *testing.T) {
	h, _ := startHub(t, HubOptions{Endpoint: endpoint(t)})
	lines, cancel := h.SubscribeLog()
	defer cancel()
	pass := func(text string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.passLine(LogLine{LogLine: status.LogLine{Text: text}})
	}
	for range logBuffer + 10 {
		pass("x")
	}
	<-lines
	pass("last")
	for range logBuffer - 1 {
		<-lines
	}
	if line := <-lines; line.Text != "last" || line.Missed != 10 {
		t.Errorf("%+v", line)
	}
}

func TestCallsAreBounded(t *testing.T) {
	var c callHistory
	for i := range 3 * maxCalls {
		c.add(Call{Engine: 1, Call: status.Call{ID: uint64(i), Outcome: status.Running}})
	}
	if n := len(c.all()); n != maxCalls || len(c.list) > maxCalls*5/4 || len(c.at) > maxCalls*5/4 {
		t.Errorf("%d calls, %d kept, %d running", n, len(c.list), len(c.at))
	}
	c.add(Call{Engine: 1, Call: status.Call{ID: 0, Outcome: status.Done}}) // it began too long ago
	c.add(Call{Engine: 1, Call: status.Call{ID: 3*maxCalls - 2, Outcome: status.Done}})
	all := c.all()
	if last := all[len(all)-1]; last.ID != 0 || last.Outcome != status.Done {
		t.Errorf("%+v", last)
	}
	if late := all[len(all)-3]; late.ID != 3*maxCalls-2 || late.Outcome != status.Done {
		t.Errorf("%+v", late)
	}
	c.abandon(1)
	for _, call := range c.all() {
		if call.Outcome == status.Running {
			t.Fatalf("%+v still runs", call)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"type\":\"hello\"}\n{}\nx\n{\"type\":\"ping\"}"), 20)
	f.Add([]byte("\n\n\n"), 1)
	f.Add([]byte(`{"type":"snapshot","snapshot":{"servers":[{"since":"x"}]}}`+"\n"), 100)
	f.Add([]byte(strings.Repeat("x", 40_000)+"\n{\"type\":\"a\"}\n"), 100)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = 1 + limit&0xffff
		r := newLineReader(bytes.NewReader(data), limit)
		for n := 0; ; n++ {
			m, err := r.next()
			if err != nil {
				break
			}
			if m.Type == "" || n > len(data) {
				t.Fatalf("%+v", m)
			}
		}
		if cap(r.line) > 2*limit+64<<10 {
			t.Errorf("a buffer of %d bytes for lines of %d", cap(r.line), limit)
		}
	})
}

// A program that pretends to be an engine cannot fill the memory of the app or slow it down: a line that no engine
// sends is left out, and what is kept of all calls, snapshots and questions together is limited.
func TestProgramThatPretendsToBeAnEngine(t *testing.T) {
	underwine.Skip(t, "a pipe that takes lines of megabytes from several programs at once")
	at := endpoint(t)
	asked := make(chan *Asked, 1000)
	h, err := Listen(HubOptions{Endpoint: at, OnAsk: func(q *Asked) { asked <- q }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = h.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	lines, stop := h.SubscribeLog()
	defer stop()

	const programs, calls = 5, 1000
	large := strings.Repeat("x", maxFromEngine-1000)
	odd, small := strings.Repeat("x", maxEvent), strings.Repeat("y", maxEvent-1000)
	var conns []net.Conn
	for i := range programs {
		conn, err := dial(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conns = append(conns, conn)
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		fmt.Fprintf(conn, "{\"type\":\"hello\",\"version\":%d,\"about\":{\"clientName\":\"%d\"}}\n", Version, i)
		fmt.Fprintf(conn, "{\"type\":\"hello\",\"version\":%d,\"about\":{\"clientName\":\"%s\"}}\n", Version, odd)
		fmt.Fprintf(conn, "{\"type\":\"snapshot\",\"snapshot\":{\"open\":[\"%s\"]}}\n", large)
		fmt.Fprintf(conn, "{\"type\":\"call\",\"call\":{\"id\":1,\"outcome\":\"running\",\"arguments\":\"%s\"}}\n", odd)
		fmt.Fprintf(conn, "{\"type\":\"ask\",\"id\":%d,\"question\":{\"tool\":\"%s\"}}\n", i+1, large)
		fmt.Fprintf(conn, "{\"type\":\"log\",\"line\":{\"text\":\"%s\"}}\n", odd)
		fmt.Fprint(conn, "{\"type\":\"log\",\"line\":{\"text\":\"that is all\"}}\n")
	}
	for range programs {
		if line := <-lines; line.Text != "that is all" {
			t.Errorf("a line of %d bytes was passed on", len(line.Text))
		}
	}
	for i := range calls {
		fmt.Fprintf(conns[0], "{\"type\":\"call\",\"call\":{\"id\":%d,\"outcome\":\"running\",\"arguments\":\"%s\"}}\n", i,
			small)
	}
	fmt.Fprint(conns[0], "{\"type\":\"log\",\"line\":{\"text\":\"the last\"}}\n")
	<-lines
	// One that begins with a greeting that no engine sends is not heard at all.
	conn, err := dial(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "{\"type\":\"hello\",\"version\":%d,\"about\":{\"clientName\":\"%s\"}}\n", Version, odd)
	_, _ = io.Copy(io.Discard, conn) // until the app has closed it
	if n := len(h.Engines()); n != programs {
		t.Errorf("there are %d engines, want %d", n, programs)
	}

	size, snapshots := 0, 0
	for _, call := range h.Calls() {
		size += len(call.Arguments)
	}
	for _, engine := range h.Engines() {
		for _, open := range engine.Open {
			snapshots += len(open)
		}
		if len(engine.ClientName) > 1 {
			t.Errorf("an engine says its client has a name of %d bytes", len(engine.ClientName))
		}
	}
	if n := len(h.Calls()) + h.OlderCalls(); n != calls || size > maxHistoryBytes || size == 0 {
		t.Errorf("of %d calls, %d are counted; %d bytes are kept", calls, n, size)
	}
	const short = 3 * maxCalls
	for i := range short {
		fmt.Fprintf(conns[0], "{\"type\":\"call\",\"call\":{\"id\":%d,\"outcome\":\"running\"}}\n", calls+i)
	}
	fmt.Fprint(conns[0], "{\"type\":\"log\",\"line\":{\"text\":\"the very last\"}}\n")
	<-lines
	h.mu.Lock()
	held := len(h.calls.list)
	h.mu.Unlock()
	if n := len(h.Calls()); n != maxCalls || held > 2*maxCalls || n+h.OlderCalls() != calls+short {
		t.Errorf("of %d calls, %d are told and %d kept; %d are older", calls+short, n, held, h.OlderCalls())
	}
	if snapshots > maxSnapshots || snapshots < maxSnapshots/2 {
		t.Errorf("the snapshots have %d bytes", snapshots)
	}
	if n := len(asked); n == 0 || n*len(large) > maxAsked {
		t.Errorf("%d questions of %d bytes wait", n, len(large))
	}
}
