package toolbox

import (
	"fmt"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// A problem says once what to do.
func TestNetworkProblemsSayOnceWhatToDo(t *testing.T) {
	for said, hint := range map[string]string{
		"nothing answers there; check the address and the port, and whether the server runs": "",
		"example.com broke the connection":                                                   "Check the address and the network.",
	} {
		got := problemOf(&config.Server{}, fmt.Errorf("%s%w", said, silent{downstream.ErrUnreachable}))
		if got.Kind != status.KindNetwork || got.Message != said || got.Hint != hint {
			t.Errorf("%q becomes %+v", said, got)
		}
	}
}

func TestUnknownPackage(t *testing.T) {
	err := fmt.Errorf("the server stopped: exited with status 1: The requested resource 'x@*' could not be found or you do not have permission to access it.%w", silent{downstream.ErrStopped})
	if got := problemOf(&config.Server{Command: "npx"}, err); got.Kind != status.KindExited || got.Hint != "npm knows no package of that name, or not for you: check the name in the server's arguments." {
		t.Errorf("it becomes %+v", got)
	}
	if got := problemOf(&config.Server{Command: "uvx"}, err); got.Hint != "Its log says what it wrote last." {
		t.Errorf("of a program that is not npm's it becomes %+v", got)
	}
}

// silent is an error without a text of its own.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }
