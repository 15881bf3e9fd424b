package toolbox

import (
	"context"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestPanicFailsOneServer: if what belongs to the connecting of a server panics, its call fails at once, and the
// engine and the other servers go on.
func TestPanicFailsOneServer(t *testing.T) {
	m := newManager(t, oneToolbox("dev", fake("well", fakeserver.Script{}), fake("ill", fakeserver.Script{})), Options{
		Approve: func(_ context.Context, _ string, entry *config.Server) error {
			if entry.Name == "ill" {
				panic("a bug of ours")
			}
			return nil
		},
	})
	opened := open(t, m, "dev")
	if opened.Connected != 1 || len(opened.Errors) != 1 || len(opened.Pending) != 0 {
		t.Fatalf("opened: %+v", opened)
	}
	if err := opened.Errors[0]; !words.Is(err, background.ErrPanic) || !strings.Contains(err.Error(), "a bug of ours") {
		t.Errorf("the error is %v", err)
	}
}
