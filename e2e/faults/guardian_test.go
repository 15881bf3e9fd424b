//go:build linux

package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// orphanLimit is how long the tests wait until no process of an engine's servers is left, however the engine ended.
// Without a guardian, the processes would stay for ten minutes.
const orphanLimit = 30 * time.Second

// promised is how long that may take if the engine cannot stop the processes (docs/security.md). A busy machine may be
// slower, so one of three tries must succeed.
const promised = 2 * time.Second

// escape starts a process that groups and sessions do not reach: its parent is gone, it leads its own
// session, and it ignores SIGTERM.
const escape = `(setsid sh -c 'trap "" TERM; sleep 600 & wait' >/dev/null 2>&1 &) ;`

// killing ends an engine without giving it a chance to clean up.
func killing(t testing.TB, c *client) { c.kill(t) }

// TestNoOrphans ends the engine in every possible way, with servers of every kind. None of their processes may be
// left, and their guardian must end, too.
func TestNoOrphans(t *testing.T) {
	stubborn := func() map[string]any { return fake(fakeserver.Script{IgnoreEnd: true, SpawnGrandchild: true}) }
	kinds := []struct {
		name      string
		servers   servers
		processes int // at least
	}{
		{"a plain server", fakes(1), 1},
		{"one that ignores SIGTERM, with a child that does", servers{"stubborn": stubborn()}, 2},
		{"a grandchild in a session of its own", servers{"escaped": shell(escape)}, 3},
		{"one whose child has no environment",
			servers{"bare": shell(`env -i "$(command -v sh)" -c 'trap "" TERM; sleep 600 & wait' "$WORKBENCH_FAULTS_RUN" &`)},
			2},
		{"twenty servers", fakes(20), 20},
		{"all of them", servers{"plain": fake(fakeserver.Script{}), "stubborn": stubborn(), "escaped": shell(escape)}, 6},
	}
	if npx, ok := npxServer(t); ok {
		kinds = append(kinds, struct {
			name      string
			servers   servers
			processes int
		}{"a tree of npx", servers{"npx": npx}, 2})
	}
	ends := []struct {
		name  string
		end   func(t testing.TB, c *client)
		limit time.Duration // an engine that can stop its servers gives them more time
	}{
		{"SIGKILL", killing, promised},
		{"a crash", func(t testing.TB, c *client) { signalTo(t, c.cmd.Process.Pid, syscall.SIGABRT) }, promised},
		{"its stdin ends", func(t testing.TB, c *client) { c.in.Close() }, 10 * time.Second},
	}
	for _, kind := range kinds {
		for _, way := range ends {
			if way.name != "SIGKILL" && kind.name != "all of them" {
				continue
			}
			t.Run(kind.name+", "+way.name, func(t *testing.T) {
				took := endWith(t, kind.servers, kind.processes, way.end)
				for tries := 1; took > way.limit && tries < 3; tries++ {
					t.Logf("nothing was left after %v", took.Round(time.Millisecond))
					took = endWith(t, kind.servers, kind.processes, way.end)
				}
				if took > way.limit {
					t.Errorf("nothing was left only after %v, want at most %v", took, way.limit)
				}
			})
		}
	}
}

// endWith opens servers that have at least processes processes, ends their engine, and returns how long it
// took until none of them was left.
func endWith(t *testing.T, of servers, processes int, end func(t testing.TB, c *client)) time.Duration {
	t.Helper()
	file, run := of.save(t)
	c := connect(t, command(t, file))
	if guardian := guardianOf(c.cmd.Process.Pid); guardian != 0 {
		t.Error("there is a guardian before there is a server")
	}
	c.open(t)
	eventually(t, "the servers have started what they start", patience, func() bool {
		return len(run.processes()) >= processes
	})
	guardian := guardianOf(c.cmd.Process.Pid)
	if guardian == 0 {
		t.Fatal("there is no guardian")
	}
	end(t, c)
	took := eventually(t, "nothing is left", orphanLimit, func() bool {
		left := run.processes()
		if len(left) > 0 && t.Failed() {
			t.Log(describe(left))
		}
		return len(left) == 0
	})
	eventually(t, "the guardian is gone", orphanLimit, func() bool {
		return state(guardian) == "" || state(guardian) == "Z"
	})
	t.Logf("nothing was left after %v", took.Round(time.Millisecond))
	return took
}

// npxServer returns the entry of a real server that npx starts, if npm's servers are installed.
func npxServer(t testing.TB) (map[string]any, bool) {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("..", "npm"))
	if err == nil {
		_, err = os.Stat(filepath.Join(folder, "node_modules", ".installed-lock.json"))
	}
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; run e2e/npm/install", err)
		}
		t.Logf("without npx: %v; run e2e/npm/install", err)
		return nil, false
	}
	return map[string]any{"command": "npx", "args": []string{"--no", "mcp-server-everything"}, "cwd": folder,
		"startupTimeout": 120}, true
}

func signalTo(t testing.TB, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
}

// TestGuardianIsReplaced: a guardian that is killed or does not read is replaced.
func TestGuardianIsReplaced(t *testing.T) {
	t.Parallel()
	file, run := servers{"plain": fake(fakeserver.Script{}), "escaped": shell(escape)}.save(t)
	c := connect(t, command(t, file))
	c.open(t)
	eventually(t, "the servers run", patience, func() bool { return len(run.processes()) >= 4 })
	first := guardianOf(c.cmd.Process.Pid)
	signalTo(t, first, syscall.SIGTERM) // SIGTERM is for the engine, and the guardian ignores it
	signalTo(t, first, syscall.SIGKILL)
	var second int
	eventually(t, "there is another guardian", 5*time.Second, func() bool {
		second = guardianOf(c.cmd.Process.Pid)
		return second != 0 && second != first
	})
	c.kill(t)
	eventually(t, "nothing is left", orphanLimit, func() bool { return len(run.processes()) == 0 })
}

// TestGuardianGoesWithTheLastServer: a guardian exits after the last server has ended, and only the engine
// and the guardian hold their pipe.
func TestGuardianGoesWithTheLastServer(t *testing.T) {
	t.Parallel()
	file, run := fakes(2).save(t)
	c := connect(t, command(t, file))
	c.open(t)
	guardian := guardianOf(c.cmd.Process.Pid)
	pipe, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", guardian))
	if err != nil || !strings.HasPrefix(pipe, "pipe:") {
		t.Fatalf("the guardian waits on %q: %v", pipe, err)
	}
	for _, pid := range run.processes() {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, file := range files {
			if target, _ := os.Readlink(file); target == pipe {
				t.Errorf("server %d has the guardian's pipe open", pid)
			}
		}
	}
	c.close(t)
	eventually(t, "the guardian has gone", 10*time.Second, func() bool { return guardianOf(c.cmd.Process.Pid) == 0 })
	c.open(t)
	if again := guardianOf(c.cmd.Process.Pid); again == 0 || again == guardian {
		t.Errorf("the guardian of the next server is %d, the one before was %d", again, guardian)
	}
	if err := c.leave(t); err != nil {
		t.Errorf("the engine ended with %v", err)
	}
	if left := run.processes(); len(left) > 0 {
		t.Errorf("these processes still run: %s", describe(left))
	}
}

// TestOrphansOfOthers: if an engine and its guardian are killed together, the guardian of the next engine ends the
// processes that are left. It does not end the processes of another engine.
func TestOrphansOfOthers(t *testing.T) {
	// Not beside the other tests: whatever starts a server there would end at once what is left here.
	file, run := servers{"escaped": shell(escape)}.save(t)
	living := connect(t, command(t, file))
	living.open(t)
	eventually(t, "the servers run", patience, func() bool { return len(run.processes()) >= 3 })
	kept := len(run.processes())

	var killedRun runID
	for try := 1; ; try++ {
		if killedRun = leaveOrphans(t); len(killedRun.processes()) > 0 {
			break
		}
		// Tests of another package may have started a server in between.
		if try == 10 {
			t.Fatal("no process is left, so this test checks nothing")
		}
	}

	nextFile, _ := fakes(1).save(t)
	next := connect(t, command(t, nextFile))
	next.open(t)
	eventually(t, "the next guardian has ended what was left", 10*time.Second, func() bool {
		return len(killedRun.processes()) == 0
	})
	if got := len(run.processes()); got != kept {
		t.Errorf("the running engine has %d processes, want %d", got, kept)
	}
}

// leaveOrphans kills an engine together with its guardian, and returns the run whose processes are left.
func leaveOrphans(t *testing.T) runID {
	t.Helper()
	file, run := servers{"stubborn": fake(fakeserver.Script{IgnoreEnd: true}), "escaped": shell(escape)}.save(t)
	killed := connect(t, command(t, file))
	killed.open(t)
	eventually(t, "the servers run", patience, func() bool { return len(run.processes()) >= 4 })
	guardian := guardianOf(killed.cmd.Process.Pid)
	signalTo(t, guardian, syscall.SIGSTOP) // otherwise it would have time to react
	killed.kill(t)
	signalTo(t, guardian, syscall.SIGKILL)
	return run
}

// TestMeantToStay: a program that removes the mark from its environment and leaves its server's process tree
// is meant to stay.
func TestMeantToStay(t *testing.T) {
	t.Parallel()
	file, run := servers{"starter": shell(`(env -u WORKBENCH_SERVER setsid sleep 600 >/dev/null 2>&1 &) ;`)}.save(t)
	c := connect(t, command(t, file))
	c.open(t)
	eventually(t, "the servers run", patience, func() bool { return len(run.processes()) >= 2 })
	guardian := guardianOf(c.cmd.Process.Pid)
	c.kill(t)
	eventually(t, "the guardian is done", 5*time.Second, func() bool {
		return state(guardian) == "" || state(guardian) == "Z"
	})
	if left := run.processes(); len(left) != 1 {
		t.Errorf("the remaining processes are %s, want the one that was meant to stay", describe(left))
	}
}

// TestNoOrphansOfACommand: a command that a user has started is an engine, too.
func TestNoOrphansOfACommand(t *testing.T) {
	t.Parallel()
	file, run := servers{"escaped": shell(escape)}.save(t)
	cmd := exec.Command(program(), "call", "--config", file, "dev", "escaped", "echo", `{"delayMs":600000}`)
	cmd.Env = surroundings(t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server runs", patience, func() bool { return len(run.processes()) >= 3 })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	eventually(t, "nothing is left", orphanLimit, func() bool { return len(run.processes()) == 0 })
}
