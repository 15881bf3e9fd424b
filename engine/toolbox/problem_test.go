package toolbox

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A problem says once what to do.
func TestNetworkProblemsSayOnceWhatToDo(t *testing.T) {
	for hint, err := range map[words.Code]error{
		"":                      words.NewError("downstream.unreachable", "Address", "example.com", "Why", words.New("downstream.nothing_answers")),
		"toolbox.check_address": words.NewError("downstream.connection_broken", "Address", "example.com", "Why", "EOF"),
	} {
		err := err.(*words.Error).Because(downstream.ErrUnreachable)
		got := problemOf(&config.Server{}, err)
		if got.Kind != status.KindNetwork || !got.Message.Equal(err.Text()) || got.Hint.Code != hint {
			t.Errorf("%q becomes %+v", err, got)
		}
	}
}

func TestUnknownPackage(t *testing.T) {
	how := words.New("downstream.how_stopped", "How", words.New("process.exited", "Status", 1), "Skipped", words.Text{},
		"Wrote", "The requested resource 'x@*' could not be found or you do not have permission to access it.")
	err := words.NewError("downstream.stopped", "How", how).Because(downstream.ErrStopped)
	if got := problemOf(&config.Server{Command: "npx"}, err); got.Kind != status.KindExited || got.Hint.Code != "toolbox.unknown_package" {
		t.Errorf("it becomes %+v", got)
	}
	if got := problemOf(&config.Server{Command: "uvx"}, err); got.Hint.Code != "toolbox.see_log" {
		t.Errorf("of a program that is not npm's it becomes %+v", got)
	}
}
