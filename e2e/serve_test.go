package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// served is a running "serve".
type served struct {
	t       *testing.T
	w       *workshop
	env     []string
	cmd     *exec.Cmd
	address string // with the path
	log     *syncBuffer
}

// syncBuffer is a log that is read while it is written.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// serve runs "serve" with the saved configuration of a workshop, until the test ends.
func (w *workshop) serve(flags ...string) *served {
	w.t.Helper()
	s := &served{t: w.t, w: w, log: &syncBuffer{},
		env: append(os.Environ(), "HOME="+w.home, "USERPROFILE="+w.home, "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")}
	s.cmd = exec.Command(program, append([]string{"serve", "--listen", "127.0.0.1:0", "--link", "off", "--config",
		w.config}, flags...)...)
	s.cmd.Env, s.cmd.Stderr = s.env, s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = s.cmd.Process.Signal(os.Interrupt)
		stop := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
		defer stop.Stop()
		if err := s.cmd.Wait(); err != nil {
			w.t.Errorf("it ended with %v", err)
		}
		if w.t.Failed() {
			w.t.Logf("its log:\n%s", s.log)
		}
	})
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		w.t.Fatalf("%v\n%s", err, s.log)
	}
	s.address = strings.TrimSpace(first[strings.Index(first, "http"):])
	return s
}

// token runs "serve token", and returns what it prints.
func (s *served) token(args ...string) string {
	s.t.Helper()
	cmd := exec.Command(program, append([]string{"serve", "token"}, args...)...)
	cmd.Env = s.env
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("serve token %q: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// post makes a request with a message and returns its answer, which the caller closes.
func (s *served) post(token, session, message string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.address, strings.NewReader(message))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

// ask makes a request with a message and returns its status and the last message of its answer.
func (s *served) ask(token, session, message string) (status int, answer object) {
	s.t.Helper()
	response := s.post(token, session, message)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	text := strings.TrimSpace(string(body))
	text = text[strings.LastIndex(text, "\n")+1:]
	if text = strings.TrimPrefix(text, "data: "); text != "" {
		decode(s.t, []byte(text), &answer)
	}
	return response.StatusCode, answer
}

// begin begins a session of the initialize era.
func (s *served) begin(token, client string) (session string) {
	s.t.Helper()
	answer := s.post(token, "", fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{`+
		`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":%q,"version":"1"}}}`, client))
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatalf("initialize: %s %s %v", answer.Status, body, err)
	}
	return answer.Header.Get("Mcp-Session-Id")
}

// toolboxes returns the toolboxes that a session sees, as text.
func (s *served) toolboxes(token, session string) string {
	s.t.Helper()
	status, answer := s.ask(token, session, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)
	if status != http.StatusOK {
		s.t.Fatalf("resources/list: %d %v", status, answer)
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(raw)
}

// TestServeShowsAnAppItsToolboxes: the name of the token decides which toolboxes an app sees, whatever it says it is.
// A change of the configuration reaches the sessions.
func TestServeShowsAnAppItsToolboxes(t *testing.T) {
	w := newWorkshop(t)
	box := func(apps ...string) object {
		b := object{"description": "x", "mcpServers": object{}}
		if apps != nil {
			b["apps"] = apps
		}
		return b
	}
	w.save(ordered{{"everyone", box()}, {"mine", box("n8n")}, {"theirs", box("cursor")}})
	s := w.serve()
	n8n, cursor := s.token("add", "n8n"), s.token("add", "cursor")
	if listed := s.token("list"); !strings.Contains(listed, "n8n") || strings.Contains(listed, n8n) {
		t.Errorf("the list: %s", listed)
	}
	session := s.begin(n8n, "Cursor")
	for token, sees := range map[string]string{n8n: "mine", cursor: "theirs"} {
		listed := s.toolboxes(token, s.begin(token, "Cursor"))
		for _, name := range []string{"everyone", "mine", "theirs"} {
			if want := name == "everyone" || name == sees; strings.Contains(listed, name) != want {
				t.Errorf("the app with %s: %s is there: %v", sees, name, !want)
			}
		}
	}
	w.save(ordered{{"another", box("n8n")}})
	eventually(t, "the session sees the change", func() bool {
		listed := s.toolboxes(n8n, session)
		return strings.Contains(listed, "another") && !strings.Contains(listed, "everyone")
	})
}

// TestServeClients runs real client libraries in both eras: they list, open a toolbox, call, hear of progress, and are
// asked by a server.
func TestServeClients(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		t.Parallel()
		w := newWorkshop(t)
		w.fake(fakeserver.Script{Echo: true, Progress: 3, AskOnCall: "elicitation/create", AskParams: json.RawMessage(
			`{"message":"Which one?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}`)}, false)
		s := w.serve()
		c := lib.connect(t, launch{url: s.address, token: s.token("add", "app"), capable: true})
		if opened := c.open("box"); opened.ServersConnected != 1 {
			t.Errorf("open_toolbox answers %+v", opened)
		}
		var called struct {
			Result   object
			Progress []object
		}
		c.do("callTool", object{"name": "use_tool", "progress": true,
			"arguments": useTool("box", "odd", "echo", object{"a": 1.0})}, &called)
		if len(called.Progress) < 3 || called.Result["isError"] == true || called.Result["asked"] == nil {
			t.Errorf("the call: %v, progress %v", called.Result, called.Progress)
		}
	})
}

// TestServeTokens: the tokens are in the file that is named, and in no other.
func TestServeTokens(t *testing.T) {
	w := newWorkshop(t)
	w.save(ordered{})
	file := filepath.Join(w.home, "tokens.json")
	s := w.serve("--tokens", file)
	usual, named := s.token("add", "app"), s.token("add", "app", "--tokens", file)
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	if status, _ := s.ask(usual, "", ping); status != http.StatusUnauthorized {
		t.Errorf("with a token of the usual file: %d", status)
	}
	if status, answer := s.ask(named, s.begin(named, "x"), ping); status != http.StatusOK {
		t.Errorf("with one of the file: %d %v", status, answer)
	}
}

// TestServeGoClient runs the client of mcp-go.
func TestServeGoClient(t *testing.T) {
	w := newWorkshop(t)
	w.fake(fakeserver.Script{Echo: true}, false)
	s := w.serve()
	c, err := mcpclient.NewStreamableHttpClient(s.address,
		transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + s.token("add", "app")}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var greeting mcp.InitializeRequest
	greeting.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	greeting.Params.ClientInfo = mcp.Implementation{Name: "go", Version: "1"}
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Initialize(t.Context(), greeting); err != nil {
		t.Fatal(err)
	}
	var call mcp.CallToolRequest
	call.Params.Name, call.Params.Arguments = "open_toolbox", object{"toolbox_name": "box"}
	if opened, err := c.CallTool(t.Context(), call); err != nil || opened.IsError {
		t.Fatalf("open_toolbox: %v %v", opened, err)
	}
	call.Params.Name, call.Params.Arguments = "use_tool", useTool("box", "odd", "echo", object{"a": 1})
	if called, err := c.CallTool(t.Context(), call); err != nil || called.IsError {
		t.Errorf("the call: %v %v", called, err)
	}
}

// TestServeInspector runs the command line of the MCP inspector with an address.
func TestServeInspector(t *testing.T) {
	needNPM(t)
	w := newWorkshop(t)
	w.fake(fakeserver.Script{Echo: true}, false)
	s := w.serve()
	inspector := npmPath("node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	cmd := exec.CommandContext(t.Context(), "node", inspector, "--cli", s.address, "--transport", "http",
		"--header", "Authorization: Bearer "+s.token("add", "app"), "--method", "tools/call",
		"--tool-name", "open_toolbox", "--tool-arg", "toolbox_name=box")
	cmd.Env = append(s.env, "NO_COLOR=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var answer object
	decode(t, out, &answer)
	var box opened
	decode(t, []byte(firstText(t, answer)), &box)
	if box.ServersConnected != 1 || len(box.Tools) != 1 {
		t.Errorf("open_toolbox answers %+v", box)
	}
}

// TestServeShares: sessions share one process of a server that may be shared, and those of other tokens do, too.
func TestServeShares(t *testing.T) {
	w := newWorkshop(t)
	script := w.write("script.json", fakeserver.Script{Echo: true}.String())
	w.save(ordered{{"box", object{"mcpServers": object{"odd": object{"command": os.Args[0], "share": true,
		"env": object{fakeserver.Variable: "@" + script}}}}}})
	s := w.serve("--pool-host", filepath.Join(w.home, "host"))
	for _, name := range []string{"a", "b"} {
		token := s.token("add", name)
		for range 2 {
			status, answer := s.ask(token, s.begin(token, "x"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+
				`{"name":"open_toolbox","arguments":{"toolbox_name":"box"}}}`)
			if status != http.StatusOK || answer["result"].(object)["isError"] == true {
				t.Errorf("%d %v", status, answer)
			}
		}
	}
	servers := 0
	for _, p := range processes(t) {
		if environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid)); err == nil &&
			strings.Contains(string(environ), fakeserver.Variable+"=@"+script) {
			servers++
		}
	}
	if servers != 1 {
		t.Errorf("%d processes of the server", servers)
	}
}
