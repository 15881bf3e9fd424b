package downstream

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// removeTime is how long removing a container may take.
const removeTime = 10 * time.Second

// container is a server in a container. Its process, "docker run", only talks to the container. If that process is
// killed, the container would continue to run.
type container struct {
	*process.Process
	removed chan struct{} // closed when the container was removed
}

// startPeer starts a server. If it runs in a container, the id of the container is written to a file, so that the
// container can be removed after the process has ended.
func startPeer(start func(process.Spec) (*process.Process, error), spec process.Spec) (Peer, error) {
	if !runsContainer(spec.Command, spec.Args) {
		return startAlone(start, spec)
	}
	folder, err := os.MkdirTemp("", "workbench-container-")
	if err != nil { // the container is then not removed
		return startAlone(start, spec)
	}
	file := filepath.Join(folder, "id")
	given := spec.Args
	spec.Args = slices.Insert(slices.Clone(given), slices.Index(given, "run")+1, "--cidfile", file)
	started, err := start(spec)
	if err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	c := &container{started, make(chan struct{})}
	background.Go(func() {
		defer close(c.removed)
		<-started.Done()
		defer os.RemoveAll(folder)
		id, err := os.ReadFile(file)
		if err != nil || len(id) == 0 { // no container was started
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), removeTime)
		defer cancel()
		remove := process.Spec{Command: spec.Command, Args: []string{"rm", "--force", strings.TrimSpace(string(id))},
			Env: spec.Env, Dir: spec.Dir, Looks: spec.Looks, Logger: spec.Logger}
		if _, said, err := process.Run(ctx, remove, 1000); err != nil && spec.Logger != nil {
			spec.Logger.Debug("A container was not removed; most likely it has gone by itself", "error", err, "said",
				clean(said, 300))
		}
	})
	return c, nil
}

func startAlone(start func(process.Spec) (*process.Process, error), spec process.Spec) (Peer, error) {
	started, err := start(spec)
	if err != nil {
		return nil, err // not a nil *process.Process in a Peer
	}
	return started, nil
}

// Done returns a channel that is closed when the process has ended and the container was removed.
func (c *container) Done() <-chan struct{} { return c.removed }

// Stop stops the process and returns when the container was removed.
func (c *container) Stop(ctx context.Context) error {
	err := c.Process.Stop(ctx)
	<-c.removed
	return err
}

// runsContainer reports whether a command runs a container in the foreground, without an own --cidfile.
func runsContainer(command string, args []string) bool {
	program := launcher.Of(command)
	run := slices.Index(args, "run")
	if program.Kind != launcher.Container || run != 0 && !(run == 1 && args[0] == "container") {
		return false
	}
	// Arguments after the image belong to the server.
	for i := run + 1; i < len(args) && strings.HasPrefix(args[i], "-"); i++ {
		short := !strings.HasPrefix(args[i], "--") && strings.Trim(args[i], "-ditP") == "" && strings.Contains(args[i], "d")
		if short || strings.HasPrefix(args[i], "--detach") && args[i] != "--detach-keys" ||
			strings.HasPrefix(args[i], "--cidfile") {
			return false
		}
		if slices.Contains(program.Valued, args[i]) {
			i++
		}
	}
	return true
}
