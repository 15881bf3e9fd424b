package pool

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// Stay is the second argument of a host that serves. A program that gets only [Command] starts itself once more, with
// Stay, and ends. So a host is not a child of the engine that has started it, and does not end with that engine's app.
const Stay = "--stay"

// startHost starts this program as a host, unless somebody else does so at the moment. It does not wait until the host
// can be reached. An error means that no host could listen there.
func startHost(endpoint string) (started bool, err error) {
	listener, release, err := ipc.Take(endpoint)
	if errors.Is(err, ipc.ErrRunning) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_ = listener.Close()
	release()
	return true, launch([]string{Command, endpoint})
}

// StartServing starts the host that serves. It is for the process that startHost has started, which ends afterwards.
func StartServing(endpoint string) error {
	return launch([]string{Command, Stay, endpoint})
}

// launch starts this program in the background, apart from everything that belongs to this process.
func launch(args []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if runtime.GOOS == "linux" {
		program = "/proc/self/exe" // also if an update has replaced the file
	}
	cmd := exec.Command(program, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Dir = filepath.VolumeName(os.TempDir()) + string(filepath.Separator) // so that no folder is kept in use
	cmd.SysProcAttr = apart()
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, guardian.Variable+"=") // it would make the host a part of somebody's server
	})
	if err := cmd.Start(); err != nil {
		return err
	}
	background.Go(func() { _ = cmd.Wait() })
	return nil
}
