package live

import (
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestChangedTools checks that a server whose tools wait for approval is shown as connected, with the number of tools.
func TestChangedTools(t *testing.T) {
	shown := Words(model.Server{Server: status.Server{State: status.Connected, Tools: 3, AllTools: 5, Waiting: 2}},
		time.Now())
	want := Shown{State: theme.StateNotice, Word: "Connected", Note: "2 tools to approve",
		Detail: "2 new or changed tools wait for your approval.", Help: model.HelpTools}
	if shown != want {
		t.Errorf("%+v, want %+v", shown, want)
	}
}
