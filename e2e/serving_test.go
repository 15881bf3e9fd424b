package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/serving"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
)

// serving returns what runs the program for the window.
func (w *workshop) serving() *serving.Server {
	w.t.Helper()
	w.save(ordered{{"box", object{"mcpServers": object{}}}})
	w.t.Setenv("HOME", w.home)
	w.t.Setenv("USERPROFILE", w.home)
	w.t.Setenv("XDG_STATE_HOME", filepath.Join(w.home, "state"))
	state := filepath.Join(w.home, "state", "workbench")
	if os.PathSeparator == '\\' {
		state = filepath.Join(w.home, ".workbench")
	}
	s := serving.New(serving.Options{Tokens: token.Open(filepath.Join(state, "tokens.json")),
		File: filepath.Join(state, "serving.json"), Program: program,
		Args: []string{"--listen", "127.0.0.1:0", "--link", "off", "--config", w.config}})
	w.t.Cleanup(s.Stop)
	return s
}

// TestServing: the window starts "serve" and knows where it is, makes a token that works until it is removed, and ends
// it. What another window or a terminal runs is known, and left alone.
func TestServing(t *testing.T) {
	w := newWorkshop(t)
	s := w.serving()
	if address, own := s.Address(); address != "" || own {
		t.Errorf("before the start: %s, %v", address, own)
	}
	ended, err := s.Start()
	if err != nil {
		t.Fatal(err)
	}
	address, own := s.Address()
	if !strings.HasPrefix(address, "http://127.0.0.1:") || !own {
		t.Fatalf("it is at %q, own %v", address, own)
	}
	if again, err := s.Start(); err != nil || again != ended {
		t.Errorf("a second start: %v", err)
	}
	other := w.serving()
	if at, own := other.Address(); at != address || own {
		t.Errorf("another window sees %q, own %v", at, own)
	}
	secret, err := s.Add("n8n")
	if err != nil {
		t.Fatal(err)
	}
	asked := &served{t: t, w: w, address: address}
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	session := asked.begin(secret, "x")
	if status, answer := asked.ask(secret, session, ping); status != http.StatusOK {
		t.Errorf("with the token: %d %v", status, answer)
	}
	for host, want := range map[string]int{"host.docker.internal:7400": http.StatusOK,
		"example.internal": http.StatusForbidden} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(ping))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.Header = http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/json"},
			"Mcp-Session-Id": {session}}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if _ = answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("as %s: %s", host, answer.Status)
		}
	}
	if err := other.Remove("n8n"); err != nil {
		t.Fatal(err)
	}
	if status, _ := asked.ask(secret, session, ping); status != http.StatusUnauthorized {
		t.Errorf("without the token: %d", status)
	}
	s.Stop()
	<-ended
	if at, _ := other.Address(); at != "" {
		t.Errorf("after the end, it is at %q", at)
	}
}

// TestServingFails: why it cannot start is an error, and a file that a killed process has left misleads nobody.
func TestServingFails(t *testing.T) {
	w := newWorkshop(t)
	s := w.serving()
	ended, err := s.Start()
	if err != nil {
		t.Fatal(err)
	}
	address, _ := s.Address()
	taken := serving.New(serving.Options{Program: program,
		Args: []string{"--link", "off", "--config", w.config, "--listen", strings.Split(address, "/")[2]}})
	if _, err := taken.Start(); err == nil || !strings.Contains(err.Error(), strings.Split(address, "/")[2]) {
		t.Errorf("at an address that is taken: %v", err)
	}
	if at, own := s.Address(); at != address || !own {
		t.Errorf("after that it is at %q, own %v", at, own)
	}
	s.Stop()
	<-ended
	left := filepath.Join(w.home, "left.json")
	if _, err := serving.Announce(left, address); err != nil {
		t.Fatal(err)
	}
	if at, _ := serving.New(serving.Options{File: left}).Address(); at != "" {
		t.Errorf("it is said to be at %q", at)
	}
}

// TestServeEndsWithItsInput: "serve" ends in order when the window is gone, however that has ended.
func TestServeEndsWithItsInput(t *testing.T) {
	w := newWorkshop(t)
	w.save(ordered{})
	cmd := exec.Command(program, "serve", "--"+serving.Flag, "--listen", "127.0.0.1:0", "--link", "off", "--config",
		w.config)
	cmd.Env = append(os.Environ(), "HOME="+w.home, "USERPROFILE="+w.home, "XDG_STATE_HOME=")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}
