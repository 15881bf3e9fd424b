package fakeserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// RunIfAsked runs the fake and exits if [Variable] is set. Otherwise it sets GORACE, so that fakes end at once: with
// the race detector, a program waits for a second before it exits.
func RunIfAsked() {
	if script, ok := os.LookupEnv(Variable); ok && script != "" {
		Main(script)
	}
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
}

// Main runs the fake on stdin and stdout until they end, and exits.
func Main(script string) {
	s := &server{
		out:      jsonrpc.NewWriter(os.Stdout),
		asked:    map[string]chan json.RawMessage{},
		cancels:  map[string]chan struct{}{},
		rounds:   map[string]int{},
		stopRead: make(chan struct{}),
	}
	if name, ok := strings.CutPrefix(script, "@"); ok {
		source, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "fake server: the script that %s names: %v\n", Variable, err)
			os.Exit(64)
		}
		script = string(source)
	}
	decoder := json.NewDecoder(strings.NewReader(script))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s.script); err != nil {
		fmt.Fprintf(os.Stderr, "fake server: the script in %s is wrong: %v\n", Variable, err)
		os.Exit(64)
	}
	s.run()
	os.Exit(0)
}

type server struct {
	script Script
	out    *jsonrpc.Writer

	mu       sync.Mutex
	lastAsk  int
	asked    map[string]chan json.RawMessage // our requests, by id
	cancels  map[string]chan struct{}        // calls, by raw id
	changed  bool                            // the list of tools is Tools2
	expanded int                             // number of expanded texts
	rounds   map[string]int                  // number of calls by tool
	streams  []string                        // raw ids of the requested streams
	stopRead chan struct{}
}

func (s *server) run() {
	script := &s.script
	if script.IgnoreEnd || script.Sleep {
		signal.Ignore(syscall.SIGTERM)
	}
	appendTo(script.PidFile, strconv.Itoa(os.Getpid()))
	if script.Sleep {
		time.Sleep(time.Hour)
	}
	if script.SpawnGrandchild {
		s.spawn()
	}
	pause(script.StartDelayMs)
	if script.ByteOrderMark {
		_, _ = os.Stdout.WriteString("\ufeff")
	}
	for _, text := range script.Stderr {
		fmt.Fprintln(os.Stderr, text)
	}
	s.flood()
	if script.Exit == "start" {
		os.Exit(script.ExitStatus)
	}
	s.read()
	if script.IgnoreEnd {
		time.Sleep(time.Hour)
	}
}

// read handles messages until stdin ends.
func (s *server) read() {
	reader := jsonrpc.NewReader(os.Stdin, 1<<30)
	for {
		line, err := reader.Next()
		if err != nil {
			return
		}
		m, err := jsonrpc.Parse(line)
		if err != nil {
			fmt.Fprintf(os.Stderr, "fake server: not a message: %v: %.200q\n", err, line)
			continue
		}
		appendTo(s.script.MethodLog, m.Method)
		appendTo(s.script.RequestLog, string(line))
		if s.script.Hang == "start" {
			continue
		}
		if m.HasMethod && s.script.Exit == m.Method {
			os.Exit(s.script.ExitStatus)
		}
		if m.HasMethod && s.script.Hang == m.Method {
			continue
		}
		switch m.Kind() {
		case jsonrpc.Request:
			s.request(m)
		case jsonrpc.Notification:
			if m.Method == "notifications/cancelled" {
				s.cancelled(m.Params)
			}
		case jsonrpc.Response:
			s.answered(m)
		}
		select {
		case <-s.stopRead:
			time.Sleep(time.Hour)
		default:
		}
	}
}

func (s *server) request(m jsonrpc.Message) {
	for _, key := range keys(m) {
		for range max(1, s.script.Times) {
			for _, text := range s.script.SayOn[key] {
				s.line(s.expand(text, m.ID))
			}
		}
	}
	if s.script.AskOn != "" && slices.Contains(keys(m), s.script.AskOn) {
		go func() {
			s.ask(s.script.AskOnCall, s.script.AskParams)
			s.scripted(m)
		}()
		return
	}
	if s.scripted(m) {
		return
	}
	if s.script.Modern && s.modern(m) {
		return
	}
	switch m.Method {
	case "initialize":
		pause(s.script.InitializeDelayMs)
		for _, text := range s.script.StdoutNoise {
			s.line(text)
		}
		if s.script.InitializeError != nil {
			s.fail(m.ID, s.script.InitializeError)
			return
		}
		s.succeed(m.ID, s.initializeResult(m.Params))
	case "tools/list":
		pause(s.script.ListDelayMs)
		if s.script.ListError != nil {
			s.fail(m.ID, s.script.ListError)
			return
		}
		s.succeed(m.ID, s.page(m.Params))
		if s.script.Hang == "reading" {
			close(s.stopRead)
		}
	case "tools/call":
		cancel := make(chan struct{})
		s.mu.Lock()
		s.cancels[string(m.ID)] = cancel
		s.mu.Unlock()
		go s.call(m, cancel)
	case "ping":
		s.succeed(m.ID, []byte("{}"))
	default:
		s.fail(m.ID, []byte(`{"code":-32601,"message":"Method not found"}`))
	}
}

// scripted answers a request from RawAnswers, Answers or AnswerErrors. It reports whether they have its key.
func (s *server) scripted(m jsonrpc.Message) bool {
	for _, key := range keys(m) {
		if lines, ok := s.script.RawAnswers[key]; ok {
			for _, text := range lines {
				s.line(s.expand(text, m.ID))
			}
			return true
		}
		if result := s.script.Answers[key]; result != nil {
			s.succeed(m.ID, []byte(s.expand(string(result), m.ID)))
			return true
		}
		if failure := s.script.AnswerErrors[key]; failure != nil {
			s.fail(m.ID, failure)
			return true
		}
	}
	return false
}

// expand replaces the placeholders in a text of the script.
func (s *server) expand(text string, id json.RawMessage) string {
	if !strings.Contains(text, "$") {
		return text
	}
	s.mu.Lock()
	s.expanded++
	n := strconv.Itoa(s.expanded)
	s.mu.Unlock()
	text = strings.NewReplacer("$ID", string(id), "$N", n, "$BYTES", "\xff\xc3").Replace(text)
	if strings.Contains(text, "$FILL") {
		text = strings.ReplaceAll(text, "$FILL", strings.Repeat("x", s.script.Fill))
	}
	return strings.ReplaceAll(text, `"$DEEP"`, strings.Repeat("[", s.script.Deep)+strings.Repeat("]", s.script.Deep))
}

// keys returns the keys of a request in the script, the most specific first.
func keys(m jsonrpc.Message) []string {
	var keys []string
	for _, member := range []string{"name", "uri", "taskId"} {
		if text, ok := jsonrpc.String(jsonrpc.Lookup(m.Params, member)); ok {
			keys = append(keys, m.Method+" "+text)
		}
	}
	return append(keys, m.Method)
}

func (s *server) initializeResult(params json.RawMessage) []byte {
	if s.script.Initialize != nil {
		return s.script.Initialize
	}
	version := jsonrpc.AppendString(nil, s.script.ProtocolVersion)
	if s.script.ProtocolVersion == "" {
		version = jsonrpc.Lookup(params, "protocolVersion")
	}
	capabilities := s.script.Capabilities
	if capabilities == nil {
		capabilities = json.RawMessage(`{"tools":{"listChanged":true}}`)
	}
	result := fmt.Appendf(nil, `{"protocolVersion":%s,"capabilities":%s,"serverInfo":{"name":`, version, capabilities)
	result = jsonrpc.AppendString(result, orElse(s.script.Name, "fake"))
	result = append(result, `,"version":`...)
	result = jsonrpc.AppendString(result, orElse(s.script.Version, "1.0.0"))
	result = append(result, '}')
	if s.script.Instructions != "" {
		result = append(result, `,"instructions":`...)
		result = jsonrpc.AppendString(result, s.script.Instructions)
	}
	return append(result, '}')
}

// tools returns the current definitions.
func (s *server) tools() []json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	tools := s.script.Tools
	if s.changed {
		tools = s.script.Tools2
	} else if tools == nil {
		return []json.RawMessage{Tool("echo")}
	}
	if s.script.Echo {
		tools = append(tools[:len(tools):len(tools)], Tool("echo"))
	}
	return tools
}

// page returns a page of tools. A cursor is the index of the first tool.
func (s *server) page(params json.RawMessage) []byte {
	tools := s.tools()
	cursor, _ := jsonrpc.String(jsonrpc.Lookup(params, "cursor"))
	start, _ := strconv.Atoi(cursor)
	if given := jsonrpc.Lookup(params, "cursor"); given != nil && string(given) == s.script.Cursor {
		start = s.script.Pages
	}
	end := len(tools)
	if s.script.Pages > 0 {
		end = min(start+s.script.Pages, end)
	}
	var names [][]byte
	for _, tool := range tools[min(start, end):end] {
		names = append(names, tool)
	}
	result := append([]byte(`{"tools":[`), bytes.Join(names, []byte(","))...)
	result = append(result, ']')
	next := ""
	switch {
	case end < len(tools):
		next = strconv.Itoa(end)
	case s.script.Cursor == "repeat":
		next = strconv.Itoa(s.script.Pages)
	case s.script.Cursor == "endless":
		next = strconv.Itoa(max(start, end) + 1)
	}
	switch {
	case next != "" && start == 0 && json.Valid([]byte(s.script.Cursor)):
		result = fmt.Appendf(result, `,"nextCursor":%s`, s.script.Cursor)
	case next != "":
		result = fmt.Appendf(result, `,"nextCursor":"%s"`, next)
	}
	return append(result, '}')
}

// ask sends a request and waits for the answer, which it returns as {"result":…} or {"error":…}.
func (s *server) ask(method string, params json.RawMessage) json.RawMessage {
	s.mu.Lock()
	s.lastAsk++
	id := fmt.Sprintf(`"ask-%d"`, s.lastAsk)
	answer := make(chan json.RawMessage, 1)
	s.asked[id] = answer
	s.mu.Unlock()
	if params == nil {
		params = json.RawMessage("{}")
	}
	s.line(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + string(params) + `}`)
	return <-answer
}

func (s *server) answered(m jsonrpc.Message) {
	s.mu.Lock()
	answer := s.asked[string(m.ID)]
	s.mu.Unlock()
	switch {
	case answer == nil:
	case m.Error != nil:
		answer <- append(append(json.RawMessage(`{"error":`), m.Error...), '}')
	default:
		answer <- append(append(json.RawMessage(`{"result":`), m.Result...), '}')
	}
}

func (s *server) cancelled(params json.RawMessage) {
	id := string(jsonrpc.Lookup(params, "requestId"))
	s.mu.Lock()
	cancel := s.cancels[id]
	delete(s.cancels, id)
	s.mu.Unlock()
	if cancel != nil {
		close(cancel)
	}
	appendTo(s.script.CancelFile, string(params))
}

func (s *server) succeed(id, result json.RawMessage) {
	s.write([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(`,"result":`), result, []byte("}"))
}

func (s *server) fail(id, failure json.RawMessage) {
	s.write([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(`,"error":`), failure, []byte("}"))
}

func (s *server) line(text string) { s.write([]byte(text)) }

func (s *server) write(parts ...[]byte) {
	if err := s.out.WriteLine(parts...); err != nil && !s.script.IgnoreEnd {
		os.Exit(0) // nobody reads the output any more
	}
}

// flood writes StderrFlood bytes to stderr.
func (s *server) flood() {
	text := []byte(strings.Repeat("noise ", 20) + "\n")
	for n := 0; n < s.script.StderrFlood; n += len(text) {
		os.Stderr.Write(text)
	}
}

// spawn starts a grandchild of the engine.
func (s *server) spawn() {
	grandchild := exec.Command(os.Args[0])
	grandchild.Env = append(os.Environ(), Variable+"="+Script{Sleep: true, PidFile: s.script.PidFile}.String())
	grandchild.Stdout = os.Stdout
	grandchild.Stderr = os.Stderr
	if err := grandchild.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "fake server:", err)
		os.Exit(65)
	}
}

// appendTo appends a line to a file with one write.
func appendTo(name, text string) {
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.WriteString(text + "\n")
		file.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fake server:", err)
		os.Exit(66)
	}
}

func pause(milliseconds int) { time.Sleep(time.Duration(milliseconds) * time.Millisecond) }

func orElse[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}
