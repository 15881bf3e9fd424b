package welcome

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// The Tab key must reach everything that can be clicked, and the focus must be visible.
func TestByKeys(t *testing.T) {
	for _, at := range []model.Step{model.StepBring, model.StepConnect, model.StepDone} {
		o := begin(t, connected(), at)
		bykeys.New(t, o.window, nil).Walk()
	}
}
