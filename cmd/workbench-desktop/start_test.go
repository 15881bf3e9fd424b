package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
)

// Limits for the initialization of package-level variables. The machine that runs the test may be busy, so
// the shortest time of several starts counts.
const (
	starts       = 7
	maxOwnTime   = 0.5     // milliseconds, all packages of ours together
	maxOwnMemory = 8 << 10 // bytes, all packages of ours together
	maxOneTime   = 0.5     // milliseconds, any one package
	maxOneMemory = 128 << 10
)

// initialised is the cost of initializing one package before main.
type initialised struct {
	time   float64 // milliseconds
	memory int     // bytes
}

// TestNothingBeforeMain checks that neither the engine nor its libraries compute anything before main, because every start would pay for it.
func TestNothingBeforeMain(t *testing.T) {
	recipe := built.Recipe{Package: module + "/cmd/workbench-desktop", Args: []string{"-trimpath", "-tags", "headless"}}
	program, err := recipe.Into(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]initialised{}
	for range starts {
		for name, cost := range initialise(t, program.Path) {
			if before, seen := packages[name]; seen {
				cost.time = min(cost.time, before.time)
			}
			packages[name] = cost
		}
	}
	if _, seen := packages["os"]; !seen {
		t.Fatal("the program does not report its packages; the test looks at the wrong thing")
	}
	var own initialised
	for name, cost := range packages {
		if strings.HasPrefix(name, module) {
			t.Logf("%s: %.3f ms, %d bytes", name, cost.time, cost.memory)
			own = initialised{own.time + cost.time, own.memory + cost.memory}
		}
		if cost.time > maxOneTime || cost.memory > maxOneMemory {
			t.Errorf("%s takes %.2f ms and %d bytes before main, want %.2f and %d at most", name, cost.time, cost.memory, maxOneTime, maxOneMemory)
		}
	}
	if own.time > maxOwnTime || own.memory > maxOwnMemory {
		t.Errorf("our own packages take %.2f ms and %d bytes before main, want %.2f and %d at most", own.time, own.memory, maxOwnTime, maxOwnMemory)
	}
}

// initialise starts the program and returns the cost of each package before main.
func initialise(t *testing.T, program string) map[string]initialised {
	t.Helper()
	cmd := exec.Command(program, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, trace.String())
	}
	packages := map[string]initialised{}
	for line := range strings.Lines(trace.String()) {
		// init os @0.31 ms, 0.012 ms clock, 544 bytes, 14 allocs
		words := strings.Fields(line)
		if len(words) < 9 || words[0] != "init" {
			continue
		}
		time, err := strconv.ParseFloat(words[4], 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		memory, err := strconv.Atoi(words[7])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		packages[words[1]] = initialised{time, memory}
	}
	return packages
}
