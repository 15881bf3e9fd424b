package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/fakeclaude"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// household is a temporary home in which Claude Desktop is installed. Tests with a household run one at a time,
// because each would see the Claude Desktop of another.
type household struct {
	t       *testing.T
	work    *workshop
	file    string // of Claude Desktop
	program string // the program in our entry
	link    string // where engines look for the app
	app     string // the executable of Claude Desktop
	env     []string
}

func newHousehold(t *testing.T) *household {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("this test reads /proc")
	}
	work := newWorkshop(t)
	short, err := os.MkdirTemp("", "workbench-") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(short) })
	h := &household{
		t: t, work: work, file: filepath.Join(work.home, ".config", "Claude", "claude_desktop_config.json"),
		program: filepath.Join(work.home, "bin with spaces", "workbench-desktop"), link: filepath.Join(short, "app.sock"),
		app: filepath.Join(short, fakeclaude.Program()),
		env: []string{"HOME=" + work.home, "PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh", "USER=ada", "LOGNAME=ada",
			"TERM=dumb"},
	}
	// An entry has no endpoint, because there is one for each user. A test needs another endpoint.
	h.put(h.program, fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\" --link '%s'\n", program, h.link), 0o755)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	h.put(h.app, string(image), 0o755)
	h.alone()
	return h
}

// alone waits while another Claude Desktop is running, which cannot be distinguished from the one of the test. It may
// belong to the same test in another clone. If it keeps running, the test fails in CI and is skipped elsewhere.
func (h *household) alone() {
	h.t.Helper()
	registrar, _ := h.registrar()
	desktop, _ := clients.ByID("claude-desktop")
	err := registrar.CheckRunning(desktop)
	for end := time.Now().Add(patience); err != nil && time.Now().Before(end); err = registrar.CheckRunning(desktop) {
		time.Sleep(100 * time.Millisecond)
	}
	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		h.t.Fatal(err)
	default:
		h.t.Skip(err)
	}
}

func (h *household) put(path, text string, mode os.FileMode) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		h.t.Fatal(err)
	}
}

// holds checks the content of the file of Claude Desktop.
func (h *household) holds(want string) {
	h.t.Helper()
	if got := h.text(); got != want {
		h.t.Fatalf("the file of Claude Desktop is:\n%s\nwant:\n%s", got, want)
	}
}

func (h *household) text() string {
	h.t.Helper()
	got, err := os.ReadFile(h.file)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(got)
}

// command returns one of our commands, to be run as people run it in a terminal.
func (h *household) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	h.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = h.env
	return cmd
}

// connect returns the arguments of the command that connects Claude Desktop.
func (h *household) connect(more ...string) []string {
	return append([]string{"connect", "claude-desktop", "--yes", "--program", h.program, "--config", h.work.config},
		more...)
}

// run runs one of our commands and returns its output. The command must end with the given status.
func (h *household) run(status int, args ...string) string {
	h.t.Helper()
	said, err := h.command(args...).CombinedOutput()
	var failed *exec.ExitError
	got := 0
	if errors.As(err, &failed) {
		got = failed.ExitCode()
	} else if err != nil {
		h.t.Fatal(err)
	}
	if got != status {
		h.t.Fatalf("%q ends with %d, want %d:\n%s", args, got, status, said)
	}
	return string(said)
}

// claude is a running Claude Desktop.
type claude struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer // of Claude Desktop and its servers; read it only after Claude Desktop has ended
	over   bool
}

// start starts Claude Desktop and waits until it has started its servers.
func (h *household) start() *claude {
	h.t.Helper()
	c := &claude{t: h.t, cmd: exec.Command(h.app)}
	c.cmd.Env = append(slices.Clone(h.env), fakeclaude.Variable+"="+h.file, "OF_NOBODY_ELSES_CONCERN=1",
		"XDG_CONFIG_HOME=/nonexistent")
	c.cmd.Stderr = &c.stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	c.stdin, c.stdout = stdin, bufio.NewReaderSize(stdout, 1<<20)
	if err := c.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(c.end)
	c.answer()
	return c
}

func (c *claude) end() {
	if c.over {
		return
	}
	c.over = true
	c.stdin.Close()
	timer := time.AfterFunc(patience, func() { c.cmd.Process.Kill() })
	defer timer.Stop()
	io.Copy(io.Discard, c.stdout)
	c.cmd.Wait()
	if c.t.Failed() {
		c.t.Logf("the stderr of Claude Desktop and its servers:\n%s", c.stderr.String())
	}
}

func (c *claude) answer() json.RawMessage {
	c.t.Helper()
	timer := time.AfterFunc(2*patience, func() { c.cmd.Process.Kill() })
	defer timer.Stop()
	line, err := c.stdout.ReadBytes('\n')
	if err != nil {
		c.t.Fatalf("Claude Desktop has ended: %v", err)
	}
	var answer fakeclaude.Answer
	decode(c.t, line, &answer)
	if answer.Error != "" {
		c.t.Fatal(answer.Error)
	}
	return answer.Result
}

// do sends Claude Desktop an order and decodes its answer.
func (c *claude) do(order fakeclaude.Order, result any) {
	c.t.Helper()
	line, err := json.Marshal(order)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.stdin.Write(append(line, '\n')); err != nil {
		c.t.Fatal(err)
	}
	if raw := c.answer(); result != nil {
		decode(c.t, raw, result)
	}
}

// quit quits Claude Desktop completely. It fails the test if a server had to be killed.
func (c *claude) quit() {
	c.t.Helper()
	killed := 0
	c.do(fakeclaude.Order{Do: fakeclaude.Quit}, &killed)
	c.end()
	if killed > 0 {
		c.t.Errorf("%d of its servers had to be killed", killed)
	}
}

func (c *claude) servers() []fakeclaude.Server {
	c.t.Helper()
	var servers []fakeclaude.Server
	c.do(fakeclaude.Order{Do: fakeclaude.Servers}, &servers)
	return servers
}

// call calls a tool of one of the copies of Workbench and returns the text of the answer.
func (c *claude) call(copy int, tool string, arguments any) string {
	c.t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		c.t.Fatal(err)
	}
	var result object
	c.do(fakeclaude.Order{Do: fakeclaude.Call, Name: "workbench", Copy: copy, Tool: tool, Arguments: raw}, &result)
	text := firstText(c.t, result)
	if result["isError"] == true {
		c.t.Fatalf("%s: %s", tool, text)
	}
	return text
}
