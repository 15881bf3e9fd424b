//go:build linux

package faults

import (
	"cmp"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestChaos kills and stops processes at random while clients work: clients, engines, servers with their children,
// guardians, and the app. No request to a surviving engine is lost or answered twice, spared engines use as many
// resources as at first, and at the end nothing is left.
func TestChaos(t *testing.T) {
	seed := cmp.Or(*seed, time.Now().UnixNano())
	t.Logf("-seed %d", seed)
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	duration := cmp.Or(*long, 3*time.Second)

	file, run := servers{
		"a": fake(fakeserver.Script{}), "b": shell(escape),
		"stubborn": fake(fakeserver.Script{IgnoreEnd: true, SpawnGrandchild: true}),
	}.save(t)
	link := filepath.Join(t.TempDir(), "app.sock")
	env := []string{"LINK=" + link, "CONFIG=" + file, "GORACE=atexit_sleep_ms=0"}

	// One engine is spared, with its client and its guardian. Its servers and the app are not.
	spared := startParty(t, "client", env...)
	clients := []*party{startParty(t, "client", env...), startParty(t, "client", env...)}
	app := startParty(t, "app", env...)
	var sparedEngine int
	eventually(t, "the spared engine works", patience, func() bool {
		sparedEngine = childOf(spared.cmd.Process.Pid)
		return sparedEngine != 0 && guardianOf(sparedEngine) != 0
	})

	// If the test ends early, the output of the spared processes is the most useful.
	defer func() {
		if t.Failed() {
			_ = spared.in.Close()
			t.Logf("the output of the spared client is %q", spared.end(t))
		}
	}()
	done := map[string]int{}
	var first use
	begun := time.Now()
	for time.Since(begun) < duration {
		if first == (use{}) && time.Since(begun) > duration/4 {
			first = useOf(t, sparedEngine)
		}
		time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
		i := random.IntN(len(clients))
		engine := childOf(clients[i].cmd.Process.Pid)
		var who string
		var pid int
		switch n := random.IntN(12); {
		case n == 0:
			who, pid = "app", app.cmd.Process.Pid
		case n == 1:
			who, pid = "client", clients[i].cmd.Process.Pid
		case n < 4:
			who, pid = "engine", engine
		case n == 4 && engine != 0:
			who, pid = "guardian", guardianOf(engine)
		default:
			if all := run.processes(); len(all) > 0 {
				who, pid = "server", all[random.IntN(len(all))]
			}
		}
		if pid == 0 {
			continue
		}
		if random.IntN(2) == 0 {
			done["SIGSTOP "+who]++
			if syscall.Kill(pid, syscall.SIGSTOP) == nil {
				time.AfterFunc(time.Duration(random.IntN(700))*time.Millisecond, func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
			}
			continue
		}
		done["SIGKILL "+who]++
		_ = syscall.Kill(pid, syscall.SIGKILL)
		switch who {
		case "client":
			clients[i].end(t)
			clients[i] = startParty(t, "client", env...)
		case "app":
			app.end(t)
			app = startParty(t, "app", env...)
		}
	}
	time.Sleep(700 * time.Millisecond) // stopped processes continue
	last := useOf(t, sparedEngine)
	t.Logf("the spared engine, after a quarter: %v; at the end: %v", first, last)
	if last.files > first.files+20 || last.memory > first.memory+32<<10 {
		t.Error("the spared engine uses much more than before")
	}

	var said []string
	parties := append(clients, spared, app)
	for _, p := range parties {
		_ = p.in.Close()
	}
	for _, p := range parties {
		lines := p.end(t)
		last := "nothing"
		if len(lines) > 0 {
			last = lines[len(lines)-1]
		}
		if !strings.HasPrefix(last, "done") {
			t.Errorf("a party ended with the output %q", last)
		}
		said = append(said, last)
	}
	t.Logf("%v; %s", done, strings.Join(said, "; "))

	// An engine and its guardian may have been killed at the same time. Then the next engine ends what is left.
	nextFile, _ := fakes(1).save(t)
	next := connect(t, command(t, nextFile))
	next.open(t)
	var left []int
	defer func() {
		if t.Failed() {
			t.Logf("left: %s", describe(left))
		}
	}()
	took := eventually(t, "nothing is left", 10*time.Second, func() bool {
		left = run.processes()
		return len(left) == 0
	})
	t.Logf("nothing was left %v after the end", took.Round(time.Millisecond))
}

// childOf returns the newest engine that a client has started, or 0.
func childOf(client int) int {
	var engines []int
	for _, pid := range allProcesses() {
		if fields := stat(pid); fields != nil && fields[1] == strconv.Itoa(client) && fields[0] != "Z" {
			engines = append(engines, pid)
		}
	}
	if len(engines) == 0 {
		return 0
	}
	return slices.Max(engines)
}
