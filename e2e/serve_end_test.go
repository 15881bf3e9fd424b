package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestServeEndsInOrder: SIGTERM under load ends each call and each stream, with an answer or a status, and all
// servers. A call that takes a moment is still answered. What runs there afterwards tells clients that their sessions
// are gone, so that they begin anew.
func TestServeEndsInOrder(t *testing.T) {
	w := newWorkshop(t)
	calls := filepath.Join(w.home, "calls")
	w.fake(fakeserver.Script{Echo: true, CallLog: calls}, false)
	s := w.serve()
	token := s.token("add", "app")
	call := func(id int, arguments string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":`+
			`{"toolbox":"box","server":"odd","tool":"echo"},"arguments":%s}}}`, id, arguments)
	}
	// ask makes a request; the status is 0 if nobody listens any longer.
	ask := func(method, session, message string) (status int, text string, err error) {
		r, err := http.NewRequestWithContext(t.Context(), method, s.address, strings.NewReader(message))
		if err != nil {
			return 0, "", err
		}
		r.Header = http.Header{"Authorization": {"Bearer " + token}, "Mcp-Session-Id": {session},
			"Content-Type": {"application/json"}}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, "", nil
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		return answer.StatusCode, string(body), err
	}
	const clients = 8
	var sessions []string
	var busy, open sync.WaitGroup
	called := make(chan struct{}, 10_000)
	for range clients {
		session := s.begin(token, "x")
		sessions = append(sessions, session)
		s.ask(token, session, `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"open_toolbox","arguments":`+
			`{"toolbox_name":"box"}}}`)
		busy.Go(func() { // calls until it is told to stop
			for id := 1; ; id++ {
				status, text, err := ask(http.MethodPost, session, call(id, `{"a":1}`))
				switch {
				case err != nil:
					t.Errorf("a call breaks off: %v after %q", err, text)
					return
				case status == http.StatusOK && strings.Contains(text, `"result"`):
					called <- struct{}{}
				case status == http.StatusOK && text != "" && !strings.Contains(text, "data: {"):
					return // the stream has ended without an answer
				case status == 0, status == http.StatusNotFound, status == http.StatusServiceUnavailable:
					return
				default:
					t.Errorf("a call is answered with %d %q", status, text)
					return
				}
			}
		})
		for method, message := range map[string]string{http.MethodGet: "", http.MethodPost: call(0, `{"delayMs":600000}`)} {
			open.Go(func() {
				if status, text, err := ask(method, session, message); err != nil || strings.Contains(text, `"result"`) {
					t.Errorf("%s: %d %q %v", method, status, text, err)
				}
			})
		}
	}
	for range 5 * clients {
		<-called
	}
	const moment = `{"delayMs":500}`
	busy.Go(func() {
		if _, text, err := ask(http.MethodPost, sessions[0], call(0, moment)); !strings.Contains(text, `"result"`) {
			t.Errorf("a call that takes a moment: %q, %v", text, err)
		}
	})
	eventually(t, "that call is under way", func() bool {
		text, _ := os.ReadFile(calls)
		return strings.Contains(string(text), moment)
	})
	servers := descendants(t, s.cmd.Process.Pid)
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	busy.Wait()
	open.Wait()
	eventually(t, "all servers have ended", func() bool { return len(alive(t, servers)) == 0 })

	u, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	again := w.serve("--listen", u.Host)
	for _, session := range sessions {
		status, _ := again.ask(token, session, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		if status != http.StatusNotFound {
			t.Errorf("a session of before: %d", status)
		}
	}
	if again.begin(token, "x") == "" {
		t.Error("no new session")
	}
}
