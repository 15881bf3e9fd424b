package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
)

// Limits for the initialization of package-level variables, in bytes that it allocates. Time is not tested, since the
// machine may be busy.
const (
	maxOwnMemory = 8 << 10 // all packages of ours together
	maxOneMemory = 128 << 10
)

// costly returns the libraries that allocate more, with how much they may. The built-in servers need them, and they
// are in the same program as the engine.
func costly() map[string]int {
	return map[string]int{
		"github.com/santhosh-tekuri/jsonschema/v6": 2 << 20, // of mcp-go's server
		"github.com/ledongthuc/pdf":                256 << 10,
	}
}

// TestNothingBeforeMain checks that neither the engine nor its libraries compute anything before main, because every
// start would pay for it.
func TestNothingBeforeMain(t *testing.T) {
	recipe := built.Recipe{Package: module + "/cmd/workbench-desktop", Args: []string{"-trimpath", "-tags", "headless"}}
	program, err := recipe.Into(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	packages := initialise(t, program.Path)
	if _, seen := packages["os"]; !seen {
		t.Fatal("the program does not report its packages; the test looks at the wrong thing")
	}
	own := 0
	for name, bytes := range packages {
		if strings.HasPrefix(name, module) {
			t.Logf("%s: %d bytes", name, bytes)
			own += bytes
		}
		most, known := costly()[name]
		if !known {
			most = maxOneMemory
		}
		if bytes > most {
			t.Errorf("%s takes %d bytes before main, want %d at most", name, bytes, most)
		}
	}
	if own > maxOwnMemory {
		t.Errorf("our own packages take %d bytes before main, want %d at most", own, maxOwnMemory)
	}
}

// initialise starts the program and returns how many bytes each package allocates before main.
func initialise(t *testing.T, program string) map[string]int {
	t.Helper()
	cmd := exec.Command(program, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, trace.String())
	}
	packages := map[string]int{}
	for line := range strings.Lines(trace.String()) {
		// init os @0.31 ms, 0.012 ms clock, 544 bytes, 14 allocs
		words := strings.Fields(line)
		if len(words) < 9 || words[0] != "init" {
			continue
		}
		memory, err := strconv.Atoi(words[7])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		packages[words[1]] = memory
	}
	return packages
}
