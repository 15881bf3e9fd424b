package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/pool"
)

// hostRun is what an engine asks for when it starts this program as the host of shared servers. It is no command:
// people have no use for it.
type hostRun struct {
	endpoint string
	stays    bool // serve in this process
}

// hostAsked returns what the arguments ask for, and false if they ask for something else.
func hostAsked(args []string) (hostRun, bool) {
	if len(args) == 0 || args[0] != pool.Command {
		return hostRun{}, false
	}
	args = args[1:]
	stays := len(args) > 0 && args[0] == pool.Stay
	if stays {
		args = args[1:]
	}
	if len(args) != 1 {
		return hostRun{}, false
	}
	return hostRun{args[0], stays}, true
}

// run runs the host until nobody has used it for a while.
func (r hostRun) run(ctx context.Context, stderr io.Writer) int {
	var err error
	if r.stays {
		err = r.serve(ctx)
	} else {
		err = pool.StartServing(r.endpoint)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFailed
	}
	return exitOK
}

func (r hostRun) serve(ctx context.Context) error {
	kept := openLogs(logs.Options{Pid: os.Getpid(), Client: pool.Command, Started: time.Now()})
	defer kept.Close(time.Second)
	log := slog.New(logs.Handler(kept))
	logPanics(log)
	listener, release, err := ipc.Take(r.endpoint)
	if errors.Is(err, ipc.ErrRunning) { // another engine has started one at the same moment
		return nil
	}
	if err != nil {
		log.Error("Servers cannot be shared", "error", err)
		return err
	}
	defer release()
	guard := guardian.New(guardian.Options{Logger: log})
	defer guard.Close()
	err = pool.NewHost(pool.Options{Build: buildID(), Start: guard.Start, Logger: log}).Run(ctx, listener)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// buildID identifies this build of the program: engines use only a host of the same one. A build that does not know
// from which commit it was made, or that was made from changed files, is identified by its file. Ask at the start: an
// update replaces the file while the program runs.
func buildID() string {
	id := version
	known := false
	info, _ := debug.ReadBuildInfo()
	if info != nil {
		for _, setting := range info.Settings {
			switch setting.Key {
			case "vcs.revision":
				known = setting.Value != ""
				id += " " + setting.Value
			case "vcs.modified":
				known = known && setting.Value == "false"
			}
		}
	}
	if !known {
		program, _ := os.Executable()
		if runtime.GOOS == "linux" {
			program = "/proc/self/exe" // also of a host that is started when an update has replaced the file
		}
		if file, err := os.Stat(program); err == nil {
			id += fmt.Sprint(" ", file.Size(), " ", file.ModTime().UnixNano())
		}
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:6])
}
