//go:build linux

package faults

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// jumpingProgram builds the program with a movable clock: the compiler gets another time.Now. Tools such as faketime
// cannot do this, because Go programs do not ask the C library for the time.
func jumpingProgram(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	if strings.Count(string(text), begin) != 1 {
		t.Fatalf("time.Now of %s has changed, so this test must be adapted", runtime.Version())
	}
	changed := strings.Replace(string(text), begin, begin+"\tsec += faultsJump\n", 1) +
		"\n//go:linkname faultsJump\nvar faultsJump int64\n"
	moved := filepath.Join(folder, "time.go")
	if err := os.WriteFile(moved, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	from, _ := filepath.Abs(filepath.Join("testdata", "clock.go"))
	to, _ := filepath.Abs(filepath.Join("..", "..", "cmd", "workbench-desktop", "clock.go"))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{source: moved, to: from}})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(name, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	made, err := built.Recipe{Package: "../../cmd/workbench-desktop",
		Args: []string{"-tags", "headless", "-overlay", name}}.Into(folder)
	if err != nil {
		t.Fatal(err)
	}
	return made.Path
}

// TestClockJumps sets the clock a year ahead, back, and ten years back while an engine works. It runs only with -long,
// because it compiles everything again.
func TestClockJumps(t *testing.T) {
	if *long == 0 {
		t.Skip("it compiles Go's own library again, which takes minutes; -long 1m runs it")
	}
	jumping := jumpingProgram(t)
	clock := filepath.Join(t.TempDir(), "clock")
	file, run := servers{"a": fake(fakeserver.Script{}), "slow": func() map[string]any {
		entry := fake(fakeserver.Script{})
		entry["callTimeout"] = 3
		return entry
	}()}.save(t)
	start := func(cmd *exec.Cmd) *client {
		cmd.Path, cmd.Args[0] = jumping, jumping
		cmd.Env = append(cmd.Env, "WORKBENCH_FAULTS_CLOCK="+clock)
		c := connect(t, cmd)
		c.open(t)
		return c
	}
	c := start(command(t, file))
	s := share(t, fakes(1))
	sharer := start(s.command(t))
	host, shared := s.host(t), s.run.processes() // neither ends, although they are not used for a year
	const year = 365 * 24 * 3600
	said := 0
	for _, seconds := range []int{year, 0, -10 * year, 3600, 0} {
		begun := time.Now()
		slow, err := c.send("tools/call", useTool("slow", "echo", map[string]any{"delayMs": 60_000}))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(clock+".next", fmt.Append(nil, seconds), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(clock+".next", clock); err != nil {
			t.Fatal(err)
		}
		if a := wait(t, slow); !a.isError() || time.Since(begun) < 2900*time.Millisecond ||
			time.Since(begun) > 30*time.Second {
			t.Errorf("a call of 3 s ended after %v: %s%s", time.Since(begun), a.Error, a.Result)
		}
		// A server that dies is restarted in time.
		servers := run.processes()
		signalTo(t, servers[0], syscall.SIGKILL)
		eventually(t, "both servers run", patience, func() bool {
			now := run.processes()
			return len(now) == 2 && now[0] != servers[0] && now[1] != servers[0]
		})
		for _, server := range []string{"a", "slow"} {
			if a := c.ask(t, "tools/call", useTool(server, "echo", map[string]any{})); a.isError() {
				t.Errorf("%+d s, %s: %s%s", seconds, server, a.Error, a.Result)
			}
		}
		sharer.echo(t, "server-000", `{"a":1}`)
		if now := s.run.processes(); !slices.Equal(now, shared) || s.host(t) != host {
			t.Errorf("%+d s: the shared server is %s, and was %s", seconds, describe(now), describe(shared))
		}
		c.close(t)
		c.open(t)
		// The log contains the time, so it shows that the clock has jumped.
		day := time.Now().Add(time.Duration(seconds) * time.Second).UTC().Format("2006-01-02T15")
		log := c.said.String()
		if !strings.Contains(log[said:], "time="+day) {
			t.Errorf("%+d s: the log has no %s:\n%.500s", seconds, day, log[said:])
		}
		said = len(log)
	}
	c.once(t)
	// The guardian uses start times, for which the system has its own clock.
	c.kill(t)
	eventually(t, "nothing is left", orphanLimit, func() bool { return len(run.processes()) == 0 })
}
