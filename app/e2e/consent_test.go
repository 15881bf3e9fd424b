//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asks waits until the small window asks something, and focuses it.
func (s *session) asks(t *testing.T) {
	t.Helper()
	eventually(t, func() error {
		cmd := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^Workbench asks you$", "windowfocus", "--sync")
		cmd.Env = s.env
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("there is no question: %s", out)
		}
		return nil
	})
}

// takesKeys waits until the question takes keys, which a new one ignores for a while. The buttons that allow have the
// colour of other text from then on.
func (s *session) takesKeys(t *testing.T) {
	t.Helper()
	allowOnce := image.Rect(852, 583, 944, 618)
	eventually(t, func() error {
		if got := s.display.counts(allowOnce, colorText); got < 50 {
			return fmt.Errorf("the last button has %d pixels of its text", got)
		}
		return nil
	})
}

// asksNothing waits until the small window is closed.
func (s *session) asksNothing(t *testing.T) {
	t.Helper()
	eventually(t, func() error {
		cmd := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^Workbench asks you$")
		cmd.Env = s.env
		if out, _ := cmd.Output(); len(out) > 0 { // xdotool fails if there is no such window
			return errors.New("the question is still open")
		}
		return nil
	})
}

// wholePicture saves a picture of the whole display, if pictures are wanted.
func (s *session) wholePicture(t *testing.T, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	time.Sleep(time.Second) // until nothing moves
	savePicture(t, filepath.Join(*pictures, name+".png"), s.screen())
}

// soon calls a tool and returns a channel for the result.
func (e *engine) soon(t *testing.T, tool string, arguments map[string]any) <-chan string {
	t.Helper()
	result := make(chan string, 1)
	go func() {
		defer close(result)
		result <- string(e.call(t, "tools/call", map[string]any{"name": "use_tool", "arguments": map[string]any{
			"tool": map[string]any{"toolbox": "dev", "server": "files", "tool": tool}, "arguments": arguments}}))
	}()
	return result
}

// While the main window is in the tray, an AI app can read a file without a question. It can write a file after the
// user has allowed that with the keyboard.
func TestAsksBeforeAToolActs(t *testing.T) {
	needs(t, "node")
	if _, err := os.Stat(npmServer(t, "filesystem")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; run e2e/npm/install", err)
		}
		t.Skipf("%v; run e2e/npm/install", err)
	}
	folder := t.TempDir()
	config, err := json.Marshal(map[string]any{
		"toolboxes": map[string]any{"dev": map[string]any{"askFirst": true, "mcpServers": map[string]any{
			"files": map[string]any{"command": "node", "args": []string{npmServer(t, "filesystem"), folder}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, string(config))
	p := newPanel(t, s)
	s.run(t, "--hidden")
	p.icon(t)
	e := s.newEngine(t)
	e.open(t, "dev")
	path := filepath.Join(folder, "notes.txt")
	write := func(text string) <-chan string {
		return e.soon(t, "write_file", map[string]any{"path": path, "content": text})
	}
	file := func() string {
		text, _ := os.ReadFile(path) // the file does not exist at first
		return string(text)
	}

	written := write("first\nsecond \u202eline\n")
	s.asks(t)
	k := &keyboard{s.display}
	s.wholePicture(t, "consent")
	k.press("Return", "space") // nothing has the focus yet
	if text := file(); text != "" {
		t.Errorf("a key has allowed the call although nothing had the focus: %q", text)
	}
	s.takesKeys(t)
	k.press("Escape")
	if result := <-written; !strings.Contains(result, "the user has refused this call") || file() != "" {
		t.Errorf("%s; the file is %q", result, file())
	}
	s.asksNothing(t)

	written = write("first\nsecond\n")
	s.asks(t)
	s.takesKeys(t)
	k.tabs(2) // to Refuse, Allow for an hour
	s.wholePicture(t, "consent-keys")
	k.press("Return")
	if result := <-written; strings.Contains(result, `"isError":true`) || file() != "first\nsecond\n" {
		t.Errorf("%s; the file is %q", result, file())
	}
	s.asksNothing(t)
	for _, call := range []func() <-chan string{func() <-chan string {
		return write("third")
	}, func() <-chan string { return e.soon(t, "read_text_file", map[string]any{"path": path}) }} {
		if result := <-call(); strings.Contains(result, `"isError":true`) {
			t.Error(result)
		}
	}
	if file() != "third" {
		t.Errorf("within the hour, the file became %q", file())
	}
	s.asksNothing(t)
}
