package main

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestUnknownStep: a step of .ci/test that does not exist is refused before anything runs, with the list of steps.
func TestUnknownStep(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script needs bash")
	}
	for _, step := range []string{"nosuch", ".*", "--", "x y", ""} {
		cmd := exec.Command("bash", ".ci/test", step)
		cmd.Dir = "../.."
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "there is no step \""+step+"\"") ||
			!strings.Contains(string(out), "  lint  ") {
			t.Errorf("%q: %v\n%s", step, err, out)
		}
	}
}
