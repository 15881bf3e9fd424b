package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// slow is how long a call takes that is still under way when its connection is cut. The first event comes after a
// second.
const slow = 2000

// cutter passes connections on to a server, and cuts the first one in which the beginning of a slow answer comes.
type cutter struct {
	net.Listener
	to  string
	cut atomic.Bool
}

// cutting returns the address of a cutter in front of a server.
func (s *served) cutting() (*cutter, string) {
	s.t.Helper()
	u, err := url.Parse(s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = listener.Close() })
	c := &cutter{Listener: listener, to: u.Host}
	go func() {
		for {
			from, err := c.Accept()
			if err != nil {
				return
			}
			go c.pass(from.(*net.TCPConn))
		}
	}()
	u.Host = listener.Addr().String()
	return c, u.String()
}

// pass passes a connection on.
func (c *cutter) pass(from *net.TCPConn) {
	defer from.Close()
	to, err := net.Dial("tcp", c.to)
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		_, _ = io.Copy(to, from)
		_ = to.Close()
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := to.Read(buffer)
		if _, failed := from.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
		if bytes.Contains(buffer[:n], []byte("data: \n\n")) && c.cut.CompareAndSwap(false, true) {
			_ = from.SetLinger(0) // as a connection that breaks
			_ = to.(*net.TCPConn).SetLinger(0)
			return
		}
	}
}

// TestServeResumes: the SDKs get the answer of a call whose connection has broken, and the call was made once.
func TestServeResumes(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		if fmt.Sprint(lib.mode) == "map[pin:2026-07-28]" {
			return // that version does not resume
		}
		t.Parallel()
		w := newWorkshop(t)
		w.fake(fakeserver.Script{Echo: true}, false)
		s := w.serve()
		through, address := s.cutting()
		c := lib.connect(t, launch{url: address, token: s.token("add", "app"), capable: true})
		c.open("box")
		var called struct{ Result object }
		c.do("callTool", object{"name": "use_tool", "progress": true, "arguments": useTool("box", "odd", "echo",
			object{"a": 1.0, "delayMs": slow})}, &called)
		if !through.cut.Load() || called.Result["isError"] == true || called.Result["content"] == nil {
			t.Errorf("cut: %v, the call: %v", through.cut.Load(), called.Result)
		}
	})
}

// TestServeGoSDK runs the SDK for Go in both eras, in the older one over a connection that breaks.
func TestServeGoSDK(t *testing.T) {
	// Its source is no Go file, since our own module lacks what it imports.
	source, err := os.ReadFile(filepath.Join("conformance", "reference", "gosdk.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	client, file := filepath.Join(folder, "gosdk.exe"), filepath.Join(folder, "main.go")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-modfile", filepath.Join("conformance", "reference", "go.mod"), "-o", client, file)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w := newWorkshop(t)
	w.fake(fakeserver.Script{Echo: true}, false)
	s := w.serve()
	token := s.token("add", "app")
	through, broken := s.cutting()
	late := fmt.Sprintf(`{"delayMs":%d}`, slow)
	for _, as := range [][]string{{s.address, "2026-07-28", `{"a":1}`}, {broken, "2025-11-25", late}} {
		run := exec.CommandContext(t.Context(), client, as...)
		run.Env = append(s.env, "TOKEN="+token)
		out, err := run.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var did struct {
			Opened, Called struct {
				IsError bool
				Content []object
			}
		}
		if err := json.Unmarshal(out, &did); err != nil {
			t.Fatal(err)
		}
		if did.Opened.IsError || did.Called.IsError || len(did.Called.Content) == 0 ||
			!strings.Contains(fmt.Sprint(did.Called.Content), strings.Trim(as[2], "{}")) {
			t.Errorf("%s", out)
		}
	}
	if !through.cut.Load() {
		t.Error("no connection was cut")
	}
}

// TestServeMCPRemote runs the program with which apps that only start programs reach an address. It passes on all that
// belongs to a call, in its order.
func TestServeMCPRemote(t *testing.T) {
	needNPM(t)
	w := newWorkshop(t)
	w.fake(fakeserver.Script{Echo: true, Progress: 3}, false)
	s := w.serve()
	c := dial(t, launch{command: "node", args: []string{npmPath("node_modules", "mcp-remote", "dist", "proxy.js"),
		s.address, "--header", "Authorization:Bearer " + s.token("add", "app"), "--transport", "http-only"},
		env: map[string]string{"HOME": w.home, "USERPROFILE": w.home, "MCP_REMOTE_CONFIG_DIR": w.home}}, "x", false)
	if _, err := io.WriteString(c.stdin, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	until := func(answer string) (methods []string, result string) {
		for {
			method, id, result := c.next()
			if id == answer {
				return methods, result
			}
			methods = append(methods, method)
		}
	}
	c.call(2, "open_toolbox", object{"toolbox_name": "box"})
	if _, opened := until("2"); !strings.Contains(opened, "echo") {
		t.Errorf("open_toolbox answers %s", opened)
	}
	c.send(3, "tools/call", object{"name": "use_tool", "arguments": useTool("box", "odd", "echo", object{"a": 1.0}),
		"_meta": object{"progressToken": "p"}})
	methods, called := until("3")
	if strings.Count(strings.Join(methods, " "), "notifications/progress") != 3 || !strings.Contains(called, `{"a":1}`) {
		t.Errorf("the call: %q, %s", methods, called)
	}
}

// TestServeCut: the answer of a call whose connection was cut comes to the client that asks for it, and to no other.
func TestServeCut(t *testing.T) {
	w := newWorkshop(t)
	w.fake(fakeserver.Script{Echo: true}, false)
	s := w.serve()
	token := s.token("add", "app")
	session, other := s.begin(token, "x"), s.begin(token, "x")
	s.ask(token, session, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":`+
		`{"toolbox_name":"box"}}}`)
	call := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":`+
		`{"toolbox":"box","server":"odd","tool":"echo"},"arguments":{"delayMs":%d}}}}`, slow)
	connection := s.dial()
	connection.write(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nMcp-Session-Id: %s\r\nMcp-Protocol-Version: 2025-11-25\r\n"+
		"Content-Length: %d\r\n\r\n%s", token, session, len(call), call))
	var said, event string
	for event == "" {
		part := make([]byte, 1000)
		n, err := connection.Read(part)
		if err != nil {
			t.Fatalf("%v after %s", err, said)
		}
		said += string(part[:n])
		if _, after, ok := strings.Cut(said, "\nid: "); ok && strings.Contains(after, "\n") {
			event, _, _ = strings.Cut(after, "\n")
		}
	}
	_ = connection.Close()
	resume := func(session string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address, nil)
		if err != nil {
			return nil, err
		}
		r.Header = http.Header{"Authorization": {"Bearer " + token}, "Mcp-Session-Id": {session},
			"Last-Event-Id": {event}, "Accept": {"text/event-stream"}}
		return http.DefaultClient.Do(r)
	}
	nothing, err := resume(other)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := resume(session)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(rest.Body) // it ends with the answer
	_ = rest.Body.Close()
	if err != nil || strings.Count(string(text), `"id":2,"result"`) != 1 {
		t.Errorf("%s %v", text, err)
	}
	if status := nothing.StatusCode; status != http.StatusOK {
		t.Errorf("in another session: %d", status)
	}
	_ = nothing.Body.Close()
}
