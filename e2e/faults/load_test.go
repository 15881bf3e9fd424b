//go:build linux

package faults

import (
	"bytes"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestOpensAndCloses opens and closes a toolbox many times. At the end, the engine must not use more than after the
// first few times.
func TestOpensAndCloses(t *testing.T) {
	file, run := fakes(2).save(t)
	rested, c := connect(t, command(t, file)), connect(t, command(t, file))
	cycle := func(c *client, times int) {
		for range times {
			c.open(t)
			if a := c.ask(t, "tools/call", useTool("server-000", "echo", map[string]any{"text": "x"})); a.isError() {
				t.Fatalf("the call: %s%s", a.Error, a.Result)
			}
			c.close(t)
		}
	}
	settled := func(c *client) use {
		eventually(t, "the guardian has gone", 10*time.Second, func() bool { return guardianOf(c.cmd.Process.Pid) == 0 })
		return useOf(t, c.cmd.Process.Pid)
	}
	cycle(rested, 5)
	cycle(c, 5)
	before := settled(c)
	times := some(50, 1000)
	begun := time.Now()
	cycle(c, times)
	after := settled(c)
	t.Logf("%d opens and closes took %v; before: %v; after: %v", times, time.Since(begun).Round(time.Millisecond), before,
		after)
	if after.files > before.files+2 || after.children != 0 || after.threads > before.threads+8 ||
		after.memory > before.memory+12<<10 {
		t.Error("each open and close leaves something")
	}
	c.once(t)
	if left := run.processes(); len(left) > 0 {
		t.Errorf("these processes still run: %s", describe(left))
	}
	settled(rested)
	sameGoroutines(t, rested, c)
}

// TestManyServers opens a toolbox of 200 servers and calls each.
func TestManyServers(t *testing.T) {
	const many = 200
	file, run := fakes(many).save(t)
	c := connect(t, command(t, file, "--open-deadline", "50s"))
	fresh := useOf(t, c.cmd.Process.Pid)
	begun := time.Now()
	c.open(t)
	// Servers that were too slow for the answer connect soon afterwards. A call to such a server waits for
	// it.
	var came []<-chan answer
	for i := range many {
		answered, err := c.send("tools/call", useTool(fmt.Sprintf("server-%03d", i), "echo", map[string]any{"n": i}))
		if err != nil {
			t.Fatal(err)
		}
		came = append(came, answered)
	}
	for i, answered := range came {
		if a := wait(t, answered); a.isError() {
			t.Errorf("server %d: %s%s", i, a.Error, a.Result)
		}
	}
	opened := time.Since(begun)
	inUse := useOf(t, c.cmd.Process.Pid)
	if got := len(run.processes()); got != many {
		t.Errorf("there are %d processes of servers", got)
	}
	begun = time.Now()
	c.close(t)
	closed := time.Since(begun)
	took := eventually(t, "the servers are gone", patience, func() bool { return len(run.processes()) == 0 })
	eventually(t, "the guardian has gone", 10*time.Second, func() bool { return guardianOf(c.cmd.Process.Pid) == 0 })
	after := useOf(t, c.cmd.Process.Pid)
	t.Logf("%d servers were open and called after %v; close_toolbox took %v, and they were gone %v after its answer; "+
		"fresh: %v; open: %v; closed: %v", many, opened.Round(time.Millisecond), closed.Round(time.Millisecond),
		took.Round(time.Millisecond), fresh, inUse, after)
	if after.files > fresh.files+2 || after.children > 0 {
		t.Error("the engine uses more files than before, or still has children")
	}
	c.once(t)
	// Open all of them again, then kill the engine.
	c.open(t)
	eventually(t, "the servers run", patience, func() bool { return len(run.processes()) == many })
	c.kill(t)
	took = eventually(t, "nothing is left", orphanLimit, func() bool { return len(run.processes()) == 0 })
	t.Logf("nothing was left %v after the engine was killed", took.Round(time.Millisecond))
}

func wait(t testing.TB, came <-chan answer) answer {
	t.Helper()
	select {
	case a := <-came:
		return a
	case <-time.After(patience):
		t.Fatal("no answer")
		return answer{}
	}
}

// TestCallsInFlight has 10,000 calls without an answer at the same time. Each call gets exactly one answer, and it is
// the answer to that call.
func TestCallsInFlight(t *testing.T) {
	const calls = 10_000
	file, _ := fakes(1).save(t)
	rested, c := connect(t, command(t, file)), connect(t, command(t, file))
	rested.open(t)
	c.open(t)
	before := useOf(t, c.cmd.Process.Pid)
	came := make([]<-chan answer, calls)
	begun := time.Now()
	for i := range came {
		var err error
		if came[i], err = c.send("tools/call",
			useTool("server-000", "echo", map[string]any{"n": fmt.Sprintf("<%d>", i), "delayMs": 3000})); err != nil {
			t.Fatal(err)
		}
	}
	sent := time.Since(begun)
	during := useOf(t, c.cmd.Process.Pid)
	for i, came := range came {
		if a := wait(t, came); a.isError() || !bytes.Contains(a.Result, fmt.Appendf(nil, `<%d>`, i)) &&
			!bytes.Contains(a.Result, fmt.Appendf(nil, `\u003c%d\u003e`, i)) {
			t.Fatalf("call %d: %s%.500s", i, a.Error, a.Result)
		}
	}
	t.Logf("%d calls were sent in %v and answered after %v; before: %v; with all in flight: %v; after: %v", calls,
		sent.Round(time.Millisecond), time.Since(begun).Round(time.Millisecond), before, during, useOf(t, c.cmd.Process.Pid))
	c.once(t)
	sameGoroutines(t, rested, c)
}

// TestClientThatNeverReads sends calls and never reads an answer. The engine then stops reading, too, so that its
// memory does not grow, and it still ends when told to.
func TestClientThatNeverReads(t *testing.T) {
	t.Parallel()
	big := fake(fakeserver.Script{Sizes: map[string]int{"big": 64 << 10}, Tools: nil, Echo: true})
	file, run := servers{"big": big}.save(t)
	c := connect(t, command(t, file))
	c.open(t)
	before := useOf(t, c.cmd.Process.Pid)
	deaf := <-c.ears
	stuck := make(chan int, 1)
	go func() {
		sent := 0
		defer func() { stuck <- sent }()
		for range some(20_000, 100_000) {
			if _, err := c.send("tools/call",
				useTool("big", "echo", map[string]any{"text": strings.Repeat("x", 16<<10)})); err != nil {
				return
			}
			sent++
		}
	}()
	// The engine is at rest when it no longer uses processor time.
	last, still := "", 0
	eventually(t, "the engine is at rest", patience, func() bool {
		fields := stat(c.cmd.Process.Pid)
		now := fields[11] + " " + fields[12]
		if now == last {
			still++
		} else {
			last, still = now, 0
		}
		time.Sleep(20 * time.Millisecond)
		return still >= 25
	})
	during := useOf(t, c.cmd.Process.Pid)
	t.Logf("before: %v; with a client that does not read: %v", before, during)
	if during.memory > before.memory+640<<10 {
		t.Error("the memory grows for a client that does not read")
	}
	// The protocol tells clients to close the input first, and to send SIGTERM afterwards.
	_ = c.in.Close()
	sent := <-stuck
	signalTo(t, c.cmd.Process.Pid, syscall.SIGTERM)
	took := eventually(t, "the engine has ended", patience, func() bool { return state(c.cmd.Process.Pid) == "Z" })
	t.Logf("%d calls were sent; the engine ended %v after SIGTERM", sent, took.Round(time.Millisecond))
	c.ears <- deaf
	eventually(t, "nothing is left", orphanLimit, func() bool { return len(run.processes()) == 0 })
}

// TestServerThatNeverReads: a server stops reading. Calls to it end in time, calls to other servers continue, and the
// memory is bounded.
func TestServerThatNeverReads(t *testing.T) {
	t.Parallel()
	never := fake(fakeserver.Script{Hang: "reading"})
	never["callTimeout"] = 15 // longer than it takes to send all calls, also on a busy machine
	file, run := servers{"never": never, "other": fake(fakeserver.Script{})}.save(t)
	c := connect(t, command(t, file))
	c.open(t)
	before := useOf(t, c.cmd.Process.Pid)
	calls := some(1200, 10_000)
	came := make([]<-chan answer, calls)
	for i := range came {
		var err error
		if came[i], err = c.send("tools/call",
			useTool("never", "echo", map[string]any{"text": strings.Repeat("x", 64<<10)})); err != nil {
			t.Fatal(err)
		}
		if i%100 == 0 {
			if a := c.ask(t, "tools/call", useTool("other", "echo", map[string]any{"n": i})); a.isError() {
				t.Fatalf("the other server: %s%s", a.Error, a.Result)
			}
		}
	}
	during := useOf(t, c.cmd.Process.Pid)
	failed, refused := 0, 0
	for _, came := range came {
		a := wait(t, came)
		if a.isError() {
			failed++
		}
		if bytes.Contains(a.Result, []byte("the server does not read what is sent to it")) {
			refused++
		}
	}
	t.Logf("of %d calls %d failed, %d of them refused at once; before: %v; with all sent: %v; after: %v", calls, failed,
		refused, before, during, useOf(t, c.cmd.Process.Pid))
	if failed != calls {
		t.Error("calls to a server that does not read succeeded")
	}
	if refused == 0 || during.memory > before.memory+512<<10 {
		t.Errorf("%d calls were refused because the server does not read, or the memory grows", refused)
	}
	c.once(t)
	if err := c.leave(t); err != nil {
		t.Errorf("the engine ended with %v", err)
	}
	if left := run.processes(); len(left) > 0 {
		t.Errorf("these processes still run: %s", describe(left))
	}
}
