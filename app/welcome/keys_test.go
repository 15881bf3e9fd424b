package welcome

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// All that can be clicked can be reached with the Tab key, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	for _, at := range []model.Step{model.StepBring, model.StepConnect, model.StepDone} {
		o := begin(t, connected(), at)
		bykeys.New(t, o.window, nil).Walk()
	}
}
