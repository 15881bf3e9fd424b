package welcome

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked can be reached with the Tab key, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	for _, at := range []Step{StepBring, StepConnect, StepDone} {
		o := begin(t, connected(), at)
		bykeys.New(t, o.window, nil).Walk()
	}
}
