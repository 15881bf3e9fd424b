package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTour: the tour of .ci/start shows what it promises, on every run and with any configuration of the user.
func TestTour(t *testing.T) {
	needNPM(t)
	own := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(own, []byte(`{"toolboxes":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, time := range []string{"first", "second"} {
		t.Run(time, func(t *testing.T) {
			scratch := t.TempDir()
			tour := exec.CommandContext(t.Context(), "node", npmPath("drivers", "tour.mjs"), program, "stdio")
			tour.Dir = npmPath()
			tour.Env = append(os.Environ(), "WORKBENCH_CONFIG="+own, "TMPDIR="+scratch, "TEMP="+scratch, "TMP="+scratch)
			raw, err := tour.CombinedOutput()
			out := string(raw)
			if err != nil {
				t.Fatalf("the tour: %v\n%s", err, out)
			}
			_, created, _ := strings.Cut(out, "memory › create_entities")
			created, _, found := strings.Cut(created, "memory › search_nodes")
			// The text is once in the request and once in the answer. The answer is empty if the memory is not new.
			if !found || strings.Count(created, "groups servers into toolboxes") != 2 {
				t.Errorf("create_entities did not answer with the entities:\n%s", out)
			}
			for _, want := range []string{"demo (2 servers)", "2 servers connected", "The sum of 2 and 3 is 5"} {
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
