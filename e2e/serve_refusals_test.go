package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// raw is a connection on which a test writes what no library would.
type raw struct {
	net.Conn
	in *bufio.Reader
}

func (s *served) dial() *raw {
	s.t.Helper()
	u, err := url.Parse(s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	return &raw{Conn: conn, in: bufio.NewReader(conn)}
}

// write writes text; the server may have closed the connection already.
func (c *raw) write(text string) { _, _ = io.WriteString(c.Conn, text) }

// status reads an answer and returns its status; 0 if the connection was closed without one.
func (c *raw) status() int {
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, answer.Body) // the connection may be closed
	_ = answer.Body.Close()
	return answer.StatusCode
}

const greeting = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// TestServeRefuses: bad requests are refused with the right status. The server goes on, and its log has no secrets.
func TestServeRefuses(t *testing.T) {
	w := newWorkshop(t)
	w.save(ordered{})
	s, hasty := w.serve(), w.serve("--patience", "3s")
	token := s.token("add", "app")
	session := s.begin(token, "x")
	t.Run("all", func(t *testing.T) { refusals(t, s, hasty, token, session) })
	if status, _ := s.ask(token, session, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); status != http.StatusOK {
		t.Errorf("afterwards: %d", status)
	}
	for _, secret := range []string{token, session} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("the log has %s", secret)
		}
	}
}

// refusals makes the bad requests. Those that never end are made to hasty, which has little patience: on a busy machine,
// the others may take longer.
func refusals(t *testing.T, s, hasty *served, token, session string) {
	head := func(more ...string) string {
		return "POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + strings.Join(append(more, ""), "\r\n")
	}
	with := func(more ...string) string {
		return head(append([]string{"Authorization: Bearer " + token, "Content-Type: application/json"}, more...)...)
	}
	length := fmt.Sprintf("Content-Length: %d", len(greeting))
	whole := "\r\n" + greeting
	smuggled := "GET /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: " + session + "\r\n\r\n"
	for name, one := range map[string]struct {
		text   string
		status int
	}{
		"no token":                {head("Content-Type: application/json", length) + whole, 401},
		"another token":           {head("Authorization: Bearer workbench_x", length) + whole, 401},
		"another scheme":          {head("Authorization: Basic "+token, length) + whole, 401},
		"no scheme":               {head("Authorization: "+token, length) + whole, 401},
		"two tokens":              {with("Authorization: Bearer x", length) + whole, 400},
		"token in the address":    {strings.Replace(head(length), "/mcp", "/mcp?token="+token, 1) + whole, 400},
		"token in a cookie":       {head("Cookie: Authorization="+token, length) + whole, 401},
		"another origin":          {with("Origin: https://evil.example", length) + whole, 403},
		"origin null":             {with("Origin: null", length) + whole, 403},
		"origin that looks alike": {with("Origin: http://localhost.evil.example", length) + whole, 403},
		"another host":            {strings.Replace(with(length), "localhost", "evil.example", 1) + whole, 403},
		"host that looks alike":   {strings.Replace(with(length), "localhost", "127.0.0.1.evil.example", 1) + whole, 403},
		"two hosts":               {with("Host: evil.example", length) + whole, 400},
		"no host":                 {strings.Replace(with(length), "Host: localhost\r\n", "", 1) + whole, 400},
		"host in the first line":  {strings.Replace(with(length), "/mcp", "http://evil.example/mcp", 1) + whole, 403},
		"another path":            {strings.Replace(with(length), "/mcp", "/", 1) + whole, 404},
		"another method":          {strings.Replace(with(length), "POST", "PUT", 1) + whole, 405},
		"made-up method":          {strings.Replace(with(length), "POST", "TOKEN", 1) + whole, 405},
		"another type":            {head("Authorization: Bearer "+token, "Content-Type: text/plain", length) + whole, 415},
		"compressed":              {with("Content-Encoding: gzip", length) + whole, 415},
		"takes no events":         {with("Accept: application/json", length) + whole, 406},
		"no session":              {strings.Replace(with(), "POST", "GET", 1) + "\r\n", 400},
		"unknown session":         {strings.Replace(with("Mcp-Session-Id: x"), "POST", "DELETE", 1) + "\r\n", 404},
		"unknown version": {with("Mcp-Session-Id: "+session, "Mcp-Protocol-Version: 1999-01-01", length) + "\r\n" +
			strings.Replace(greeting, "initialize", "tools/list", 1), 400},
		"not JSON":        {with("Content-Length: 3") + "\r\n{a}", 400},
		"no message":      {with("Content-Length: 4") + "\r\nnull", 400},
		"empty":           {with("Content-Length: 0") + "\r\n", 400},
		"a billion bytes": {with("Content-Length: 1000000000") + "\r\n" + strings.Repeat("x", 5<<20), 413},
		"large without a length": {with("Transfer-Encoding: chunked") + "\r\n500000\r\n" + strings.Repeat("x", 0x500000) +
			"\r\n", 413},
		"slow body":          {with("Content-Length: 100") + "\r\n{", 408},
		"slow headers":       {with(), 0},
		"slow without token": {head("Content-Length: 100") + "\r\n{", 401},
		"large headers":      {with("X: " + strings.Repeat("x", 1<<20)), 431},
		"two lengths":        {with(length, "Content-Length: 1") + whole, 400},
		"length with a sign": {with(strings.Replace(length, ": ", ": +", 1)) + whole, 400},
		"unknown encoding":   {with("Transfer-Encoding: xchunked", length) + whole, 501},
		"two encodings":      {with("Transfer-Encoding: chunked", "Transfer-Encoding: identity") + "\r\n0\r\n\r\n", 501},
		"space in a header":  {with("Transfer-Encoding : chunked", length) + whole, 400},
		"folded header":      {with("X: a", " b: c", length) + whole, 200}, // one header, as the rules have it
		"not HTTP":           {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := s
			if strings.HasPrefix(name, "slow ") {
				to = hasty
			}
			c := to.dial()
			c.write(one.text)
			if status := c.status(); status != one.status {
				t.Errorf("the status is %d, want %d", status, one.status)
			}
		})
	}
	t.Run("cut body", func(t *testing.T) {
		t.Parallel()
		c := s.dial()
		c.write(with("Content-Length: 100") + "\r\n{")
		if err := c.Conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if status := c.status(); status != 400 {
			t.Errorf("the status is %d", status)
		}
	})
	// A proxy and this server may see the end of a request in different places. What is hidden in the body of one
	// request is then a request of its own, and has no token.
	t.Run("smuggled", func(t *testing.T) {
		t.Parallel()
		c := s.dial()
		c.write(with(fmt.Sprintf("Content-Length: %d", 5+len(smuggled)), "Transfer-Encoding: chunked") + "\r\n0\r\n\r\n" +
			smuggled)
		for first := true; ; first = false {
			status := c.status()
			if status == 0 {
				return
			}
			if want := map[bool]int{true: 400, false: 401}[first]; status != want {
				t.Errorf("the status is %d, want %d", status, want)
			}
		}
	})
}

// TestServeManySessions: a client that begins a thousand sessions has those that it began last. They share what
// watches files, of which a user may have few.
func TestServeManySessions(t *testing.T) {
	w := newWorkshop(t)
	w.save(ordered{})
	s := w.serve()
	token := s.token("add", "app")
	var sessions []string
	for range 1000 {
		sessions = append(sessions, s.begin(token, "x"))
	}
	ping := func(session string) int {
		status, _ := s.ask(token, session, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		return status
	}
	for _, old := range sessions[:len(sessions)-40] {
		if status := ping(old); status != http.StatusNotFound {
			t.Fatalf("an old session: %d", status)
		}
	}
	folder := fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid)
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	watches := 0
	for _, file := range files {
		if to, _ := os.Readlink(filepath.Join(folder, file.Name())); strings.Contains(to, "inotify") {
			watches++
		}
	}
	if watches > 3 {
		t.Errorf("%d watches", watches)
	}
	for _, last := range sessions[len(sessions)-20:] {
		if status := ping(last); status != http.StatusOK {
			t.Errorf("one of the last sessions: %d", status)
		}
	}
}

// TestServeTokenRemoved: a token is removed while a call and a stream are open. Both end, the server of the toolbox
// ends, and the token is refused.
func TestServeTokenRemoved(t *testing.T) {
	w := newWorkshop(t)
	w.fake(fakeserver.Script{Echo: true}, false)
	s := w.serve()
	token := s.token("add", "app")
	session := s.begin(token, "x")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Mcp-Session-Id", session)
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	s.ask(token, session, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":`+
		`{"toolbox_name":"box"}}}`)
	servers := descendants(t, s.cmd.Process.Pid)
	call := s.post(token, session, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":1},`+
		`"name":"use_tool","arguments":{"tool":{"toolbox":"box","server":"odd","tool":"echo"},`+
		`"arguments":{"delayMs":600000}}}}`)
	defer call.Body.Close()
	s.token("remove", "app")
	for name, body := range map[string]io.Reader{"the stream": stream.Body, "the call": call.Body} {
		if text, err := io.ReadAll(body); err != nil || strings.Contains(string(text), "result") {
			t.Errorf("%s: %s %v", name, text, err)
		}
	}
	eventually(t, "the server has ended", func() bool {
		var fakes []process
		for _, p := range servers {
			if !strings.Contains(p.command, "guard") {
				fakes = append(fakes, p)
			}
		}
		return len(alive(t, fakes)) == 0
	})
	if status, _ := s.ask(token, session, `{"jsonrpc":"2.0","id":3,"method":"ping"}`); status != http.StatusUnauthorized {
		t.Errorf("the removed token: %d", status)
	}
}

// TestServeClientsThatDoNotRead: clients that read nothing hold up no others, and lose their answers.
func TestServeClientsThatDoNotRead(t *testing.T) {
	w := newWorkshop(t)
	w.fake(fakeserver.Script{Echo: true}, false)
	s := w.serve("--patience", "5s")
	token := s.token("add", "app")
	session := s.begin(token, "x")
	const open = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":` +
		`{"toolbox_name":"box"}}}`
	s.ask(token, session, open)
	text := strings.Repeat("x", 1<<20)
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":` +
		`{"toolbox":"box","server":"odd","tool":"echo"},"arguments":{"text":"` + text + `"}}}}`
	for range 100 {
		s.dial().write(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nMcp-Session-Id: %s\r\nContent-Length: %d\r\n\r\n%s", token, session, len(call),
			call))
	}
	for id := range 20 {
		// The app itself may be told that it has too much under way.
		if status, answer := s.ask(token, session, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`,
			100+id)); status != http.StatusServiceUnavailable && (status != http.StatusOK || answer["result"] == nil) {
			t.Errorf("meanwhile: %d %v", status, answer)
		}
	}
	other := s.token("add", "other")
	if status, answer := s.ask(other, s.begin(other, "x"), open); status != http.StatusOK || answer["result"] == nil {
		t.Errorf("another app meanwhile: %d %v", status, answer)
	}
	eventually(t, "calls are answered again", func() bool {
		status, answer := s.ask(token, session, call)
		return status == http.StatusOK && answer["result"] != nil
	})
}

// TestServeNeedsAPair: a certificate without its key, and an address that is taken, are told.
func TestServeNeedsAPair(t *testing.T) {
	w := newWorkshop(t)
	w.save(ordered{})
	s := w.serve()
	u, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--cert", "x"}, {"--cert", "x", "--key", "y", "--listen", "127.0.0.1:0"},
		{"--listen", u.Host}, {"--listen", "nonsense"}} {
		cmd := exec.CommandContext(t.Context(), program, append([]string{"serve", "--config", w.config}, flags...)...)
		cmd.Env = s.env
		if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "command.") {
			t.Errorf("%q: %v\n%s", flags, err, out)
		}
	}
}
