package serverlog

import (
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// The log of an engine has no lines of an older engine with the same process id.
func TestLogOfOneEngine(t *testing.T) {
	started := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	lines := []logs.Line{
		{LogLine: status.LogLine{Time: started.Add(-time.Hour), Text: "the older one"}},
		{LogLine: status.LogLine{Time: started.Add(-time.Second), Text: "it begins"}},
		{LogLine: status.LogLine{Time: started.Add(time.Hour), Text: "it goes on"}},
	}
	said := saidBy(model.Engine{Started: started}, lines)
	if len(said) != 2 || said[0].Text != "it begins" || said[1].Text != "it goes on" {
		t.Errorf("the lines are %v", said)
	}
}
