package environ

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// TestAdopt: with a parent that passes on almost nothing, the variables of the user are there, in this process
// and in those that it starts.
func TestAdopt(t *testing.T) {
	const inside = "WORKBENCH_TEST_ADOPT"
	if os.Getenv(inside) != "" {
		Adopt()
		if !Runs("cmd", os.Environ()) {
			t.Errorf("cmd is not found: Path=%s PATHEXT=%s", os.Getenv("Path"), os.Getenv("PATHEXT"))
		}
		for _, name := range []string{"SystemRoot", "USERPROFILE", "PATHEXT"} {
			if os.Getenv(name) == "" {
				t.Errorf("%s is not set: %q", name, os.Environ())
			}
		}
		out, _, err := process.Run(t.Context(),
			process.Spec{Command: "cmd", Args: []string{"/c", "echo", "%PATHEXT%"}, Env: os.Environ()}, 1000)
		if err != nil || !strings.Contains(strings.ToUpper(out), ".EXE") {
			t.Errorf("a program that it starts sees %q, %v", out, err)
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAdopt$")
	cmd.Env = []string{inside + "=1", "PATHEXT=.CPL", "SystemRoot=" + os.Getenv("SystemRoot"),
		"WINEPREFIX=" + os.Getenv("WINEPREFIX")}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestAdoptBelowTheStore: with Claude Desktop from the Store, uv and npm keep what they download outside AppData.
func TestAdoptBelowTheStore(t *testing.T) {
	local := t.TempDir()
	if packaged() {
		t.Error("the test is no app from the Store")
	}
	t.Setenv("LOCALAPPDATA", local)
	for _, cache := range caches {
		t.Setenv(cache.name, "")
	}
	Adopt()
	if got := os.Getenv("UV_CACHE_DIR"); got != "" {
		t.Errorf("without that app, uv is led to %q", got)
	}
	if err := os.MkdirAll(filepath.Join(local, claudesPackage), 0o700); err != nil {
		t.Fatal(err)
	}
	Adopt()
	for _, cache := range caches {
		if got := os.Getenv(cache.name); !strings.HasSuffix(got, `\.workbench\cache\`+cache.folder) {
			t.Errorf("%s is %q", cache.name, got)
		}
	}
}
