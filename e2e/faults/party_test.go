//go:build linux

package faults

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// partyVariable makes the test binary one of the parties of TestChaos: "client" or "app".
const partyVariable = "WORKBENCH_FAULTS_PARTY"

func runPartyIfAsked() {
	switch os.Getenv(partyVariable) {
	case "client":
		clientParty()
	case "app":
		appParty()
	default:
		return
	}
	os.Exit(0)
}

// appParty takes the place of the desktop app. Engines connect to it and report what they do.
func appParty() {
	var hub *ipc.Hub
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		var err error
		if hub, err = ipc.Listen(ipc.HubOptions{Endpoint: os.Getenv("LINK"), Program: "faults"}); err == nil {
			break
		} else if time.Since(begun) > patience {
			fmt.Println("violation: the app cannot listen:", err)
			os.Exit(1)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	_ = hub.Run(ctx)
	fmt.Println("done")
}

// partyTB reports failures to the test that has started this party.
type partyTB struct {
	testing.TB // nil; the methods in use are defined below
}

func (p *partyTB) Helper()        {}
func (p *partyTB) Cleanup(func()) {}
func (p *partyTB) Errorf(format string, args ...any) {
	fmt.Printf("violation: %s\n", strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "⏎"))
}
func (p *partyTB) Error(args ...any) { p.Errorf("%s", fmt.Sprint(args...)) }
func (p *partyTB) Fatal(args ...any) { p.Fatalf("%s", fmt.Sprint(args...)) }
func (p *partyTB) Fatalf(format string, args ...any) {
	p.Errorf(format, args...)
	os.Exit(1)
}

// clientParty is a client that starts an engine, makes calls, and opens and closes toolboxes. It checks that
// an engine that was not killed answers each request exactly once, with the right answer. When its engine has
// ended, it starts another. It ends when its stdin ends.
func clientParty() {
	tb := &partyTB{}
	finish := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(finish)
	}()
	finished := func() bool {
		select {
		case <-finish:
			return true
		default:
			return false
		}
	}
	total := 0
	for engines := 1; ; engines++ {
		cmd := exec.Command(program(), "stdio", "--link="+os.Getenv("LINK"), "--config", os.Getenv("CONFIG"))
		cmd.Env = surroundings(os.Getenv("HOME"))
		c := begin(tb, cmd)
		fmt.Println("engine", cmd.Process.Pid)
		answered := c.converse(tb, finished)
		total += answered
		if finished() {
			if err := c.leave(tb); err == nil {
				c.once(tb)
			}
			fmt.Printf("done: %d requests to %d engines\n", total, engines)
			return
		}
		c.kill(tb)
		if how := cmd.ProcessState.String(); how != "signal: killed" {
			tb.Errorf("an engine ended by itself: %s\n%s", how, c.said.String())
		}
		c.twice(tb)
	}
}

// converse talks to an engine until the engine ends or the client is told to finish. It returns the number of answered
// requests.
func (c *client) converse(t testing.TB, finished func() bool) (answered int) {
	random := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(time.Now().UnixNano())))
	batch := func(sent ...<-chan answer) bool {
		deadline := time.After(2 * patience)
		for _, came := range sent {
			select {
			case <-came:
				answered++
			case <-c.over:
				return false
			case <-deadline:
				_ = c.cmd.Process.Signal(syscall.SIGQUIT) // the engine prints its goroutines
				<-c.over
				t.Fatalf("a request was not answered in %v: %v\n%s", 2*patience, c.unanswered(), c.said.String())
			}
		}
		return true
	}
	request := func(method string, params any) <-chan answer {
		came, _ := c.send(method, params) // reading the output shows when the engine has ended
		return came
	}
	ok := batch(request("initialize",
		map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
			"clientInfo": map[string]any{"name": "faults", "version": "1"}}))
	_, _ = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	for ok && !finished() {
		switch n := random.IntN(20); {
		case n == 0:
			ok = batch(request("tools/call", toolCall("close_toolbox", map[string]any{"toolbox_name": "dev"})))
		case n < 3:
			ok = batch(request("tools/call", toolCall("open_toolbox", map[string]any{"toolbox_name": "dev"})))
		case n == 3:
			ok = batch(request("tools/list", map[string]any{}), request("ping", map[string]any{}),
				request("resources/list", map[string]any{}))
		default:
			var sent []<-chan answer
			for range 1 + random.IntN(30) {
				mark := fmt.Sprintf("<%d>", random.Uint64())
				arguments := map[string]any{"mark": mark, "text": strings.Repeat("x", random.IntN(4000)),
					"delayMs": random.IntN(20)}
				sent = append(sent, c.marked(t,
					request("tools/call", useTool([]string{"a", "b", "stubborn"}[random.IntN(3)], "echo", arguments)), mark))
			}
			ok = batch(sent...)
		}
	}
	return answered
}

// unanswered returns the ids of the requests without an answer.
func (c *client) unanswered() (all []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.waiting {
		all = append(all, id)
	}
	return all
}

// marked passes an answer on. If the call succeeded, it also checks that the answer contains the mark of the
// call.
func (c *client) marked(t testing.TB, came <-chan answer, mark string) <-chan answer {
	checked := make(chan answer, 1)
	go func() {
		select {
		case a := <-came:
			if !a.isError() && !bytes.Contains(a.Result, []byte(mark)) &&
				!bytes.Contains(a.Result, []byte(strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(mark))) {
				t.Errorf("the answer to %s is that of another call: %.300s", mark, a.Result)
			}
			checked <- a
		case <-c.over:
		}
	}()
	return checked
}

// twice checks that an engine that was killed answered no request twice, and wrote only complete messages,
// except perhaps the last.
func (c *client) twice(t testing.TB) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, times := range c.answered {
		if times > 1 {
			t.Errorf("request %d was answered %d times", id, times)
		}
	}
	if len(c.strange) > 0 {
		t.Errorf("the engine wrote %.2000q", c.strange)
	}
}

// party is a process of TestChaos.
type party struct {
	cmd  *exec.Cmd
	in   io.Closer
	over chan struct{} // its output has ended
	said []string
}

// startParty starts this test binary as one of the parties.
func startParty(t *testing.T, kind string, env ...string) *party {
	t.Helper()
	p := &party{cmd: exec.Command(os.Args[0]), over: make(chan struct{})}
	p.cmd.Env = append(append(surroundings(t.TempDir()), partyVariable+"="+kind, programVariable+"="+program()), env...)
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.over)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			p.said = append(p.said, lines.Text())
		}
	}()
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	return p
}

// end waits for a party that was killed or told to finish, and returns its output.
func (p *party) end(t *testing.T) []string {
	t.Helper()
	select {
	case <-p.over:
	case <-time.After(3 * patience):
		_ = p.cmd.Process.Signal(syscall.SIGKILL)
		t.Error("a party has not finished")
		<-p.over
	}
	_ = p.cmd.Wait()
	for _, line := range p.said {
		if strings.HasPrefix(line, "violation") {
			t.Error(line)
		}
	}
	return p.said
}
