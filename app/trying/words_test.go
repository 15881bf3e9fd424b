package trying

import (
	"os"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// TestTrialSaysThatToolsAreMarked checks that the result of a trial warns of tools whose texts may be meant to steer
// the AI.
func TestTrialSaysThatToolsAreMarked(t *testing.T) {
	now := status.Server{State: status.Connected, Tools: 3, AllTools: 3, Marked: 1}
	state, word, sentence := Words(now, true, model.Tried{Command: "x"})
	if state != theme.StateNotice || word != "Works · 3 tools" ||
		!strings.Contains(sentence, "The texts of 1 tool may try to steer the AI.") {
		t.Error(state, word, sentence)
	}
	now.Marked = 0
	if state, _, sentence = Words(now, true, model.Tried{Command: "x"}); state != theme.StateConnected ||
		sentence != "" {
		t.Error(state, sentence)
	}
}
