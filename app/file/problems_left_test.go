package file

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestProblemsLeft checks that the text leads the user elsewhere only if nothing is left to repair.
func TestProblemsLeft(t *testing.T) {
	left := []config.Diagnostic{{Message: words.Foreign("x")}, {Message: words.Foreign("y")}}
	if got := problemsLeft(left, true); got != "2 problems are left. Repair again to go on." {
		t.Error(got)
	}
	if got := problemsLeft(left, false); got == problemsLeft(left, true) {
		t.Error(got)
	}
}
