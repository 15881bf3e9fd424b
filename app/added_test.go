package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestListHasTheKeyboardAfterAdding checks that the server that was added is selected when the dialog is closed, and
// that the arrow keys go on from there.
func TestListHasTheKeyboardAfterAdding(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.adding.Open(add.Start{Text: fmt.Sprintf(`{"mcpServers": {"fresh": %s}}`, entryOf(fakeserver.Script{}))})
	b.tapDialog("Continue")
	b.tapDialog("Add and try")
	b.until(func() string {
		if !strings.Contains(b.reading(), "It can now") {
			return "it is not tried:\n" + b.reading()
		}
		return ""
	})
	b.tapDialog("Done")
	if at := b.toolboxes.Selected(); at != (model.Choice{Toolbox: "dev", Server: "fresh"}) || b.detail.At != at {
		t.Errorf("%+v is selected, and %+v is shown", at, b.detail.At)
	}
	if got := fmt.Sprintf("%T", b.window.Window.Canvas().Focused()); got != "*toolboxes.tree" {
		t.Errorf("the keyboard is in %s", got)
	}
}

// TestDialogAndCardAgree checks that the question about a change and the page of the server say the same of what runs:
// what is new does not run, and a server that was not running does not start.
func TestDialogAndCardAgree(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	b.write(configured(`"a": {"command": "b"}`))
	b.untilWaiting(1)
	b.approving.Show()
	b.until(func() string {
		if shown := b.overlay(); !strings.Contains(shown, "What is shown here does not run until you approve it.") {
			return "the question says:\n" + shown
		}
		return ""
	})
	at := model.Choice{Toolbox: "dev", Server: "a"}
	if card := live.Words(b.now.Server(at), time.Now()).Detail; !strings.HasSuffix(card, "It does not start until you approve it.") {
		t.Errorf("the card says: %s", card)
	}
}
