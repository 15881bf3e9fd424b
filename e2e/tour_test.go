package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTour: the tour of .ci/start shows what it promises on every run: with any configuration of the user, without
// Node.js, and with a program that was renamed, as downloads are.
func TestTour(t *testing.T) {
	tour := filepath.Join(t.TempDir(), "tour")
	renamed := filepath.Join(t.TempDir(), "workbench-1.2.3-linux-amd64")
	if runtime.GOOS == "windows" {
		tour, renamed = tour+".exe", renamed+".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", tour, "./tour").CombinedOutput(); err != nil {
		t.Fatalf("building the tour: %v\n%s", err, out)
	}
	if err := os.Link(program, renamed); err != nil {
		copied, err := os.ReadFile(program)
		if err == nil {
			err = os.WriteFile(renamed, copied, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	own := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(own, []byte(`{"toolboxes":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, program := range map[string]string{"as built": program, "renamed": renamed} {
		t.Run(name, func(t *testing.T) {
			scratch := t.TempDir()
			run := exec.CommandContext(t.Context(), tour, program, "stdio")
			run.Dir = ".."
			run.Env = append(os.Environ(), "WORKBENCH_CONFIG="+own, "PATH="+scratch,
				"TMPDIR="+scratch, "TEMP="+scratch, "TMP="+scratch)
			raw, err := run.CombinedOutput()
			out := string(raw)
			if err != nil {
				t.Fatalf("the tour: %v\n%s", err, out)
			}
			for _, want := range []string{"office (2 servers)", "2 servers connected", "letter.txt:2: the hearing is on 3 May.",
				"## Lovelace\n  The hearing is on 3 May."} {
				if !strings.Contains(out, want) {
					t.Errorf("the tour does not show %q:\n%s", want, out)
				}
			}
			if left, err := filepath.Glob(filepath.Join(scratch, "workbench-tour-*")); err != nil || len(left) > 0 {
				t.Errorf("the tour has left %v (%v)", left, err)
			}
		})
	}
}
