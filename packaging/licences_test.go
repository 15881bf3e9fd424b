package packaging_test

import (
	"os/exec"
	"testing"
)

// TestLicences collects the licences of everything that is inside, for all systems, and compares them with the page
// that is in every package.
func TestLicences(t *testing.T) {
	collect := exec.CommandContext(t.Context(), "go", "-C", "tools", "run", "./licences", "../..")
	said, err := collect.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if string(said) != read(t, "docs", "licences.md") {
		t.Error("docs/licences.md is not what the modules have: go -C packaging/tools run ./licences ../.. >docs/licences.md")
	}
}
