package toolbox

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// Instructions are passed on whole up to a length. Longer ones are cut between characters.
func TestInstructionsOf(t *testing.T) {
	for length, whole := range map[int]bool{maxInstructions: true, maxInstructions + 1: false} {
		text := strings.Repeat("x", length)
		got := instructionsOf(downstream.Info{Instructions: text})
		if (got == text) != whole || len(got) > maxInstructions {
			t.Errorf("of %d bytes %d are passed on", length, len(got))
		}
	}
}
