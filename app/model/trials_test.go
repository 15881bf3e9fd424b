package model

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestWhatStarts checks that an app loses only servers that were tried and work: one that is still being tried, or has
// failed, stays in its file.
func TestWhatStarts(t *testing.T) {
	brought := imports.Plan{Toolbox: "dev"}
	for _, name := range []string{"works", "fails", "waits", "off"} {
		server := imports.Found{Origin: imports.Origin{Client: "cursor", Name: name}, As: name}
		server.Entry = config.Server{Name: name, Disabled: name == "off"}
		brought.Servers = append(brought.Servers, server)
	}
	b := Bringing{Stage: BringDone, Brought: brought, Trials: TrialsOf(brought)}
	for _, trial := range b.List {
		switch trial.Name {
		case "works":
			trial.Begun, trial.Ended, trial.Now = true, true, status.Server{State: status.Connected}
		case "fails":
			trial.Begun, trial.Ended, trial.Now = true, true, status.Server{State: status.Failed}
		}
	}
	var failed []string
	came := b.Came()
	for i := range came.Servers {
		if came.Servers[i].Failed() {
			failed = append(failed, came.Servers[i].As)
		}
	}
	if got := strings.Join(failed, " "); got != "fails waits" {
		t.Errorf("what stays in the file is %q", got)
	}
	if got := strings.Join(b.Twice("cursor"), " "); got != "works waits off" {
		t.Errorf("what would be there twice is %q", got)
	}
}
