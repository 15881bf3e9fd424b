package live

import (
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// A server whose tools wait for the user is connected, and says what waits.
func TestChangedTools(t *testing.T) {
	shown := Words(model.Server{Server: status.Server{State: status.Connected, Tools: 3, AllTools: 5, Waiting: 2}}, time.Now())
	want := Shown{State: theme.StateNotice, Word: "Connected", Note: "2 tools changed", Detail: "2 tools have changed and wait for your approval.", Help: HelpTools}
	if shown != want {
		t.Errorf("%+v, want %+v", shown, want)
	}
}
