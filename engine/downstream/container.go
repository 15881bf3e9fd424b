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

// container is a server in a container. "docker run" only talks to the container: when it is ended by force, the
// container would run on, without anybody who knows of it.
type container struct {
	*process.Process
	removed chan struct{}
}

// startPeer starts a server. The id of its container, if there is one, goes to a file, so that the container can
// be removed when the server has ended.
func startPeer(start func(process.Spec) (*process.Process, error), spec process.Spec) (peer, error) {
	if !runsContainer(spec.Command, spec.Args) {
		return startAlone(start, spec)
	}
	folder, err := os.MkdirTemp("", "workbench-container-")
	if err != nil { // it runs all the same
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
		if err != nil || len(id) == 0 { // it never came to a container
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

func startAlone(start func(process.Spec) (*process.Process, error), spec process.Spec) (peer, error) {
	started, err := start(spec)
	if err != nil {
		return nil, err // not a nil *process.Process in a peer
	}
	return started, nil
}

// Done returns a channel that is closed when the container is gone too.
func (c *container) Done() <-chan struct{} { return c.removed }

// Stop stops the process and waits until the container is gone too.
func (c *container) Stop(ctx context.Context) error {
	err := c.Process.Stop(ctx)
	<-c.removed
	return err
}

// runsContainer reports whether a command runs a container in the foreground, and does not write its id to a
// file of its own.
func runsContainer(command string, args []string) bool {
	program := launcher.Of(command)
	run := slices.Index(args, "run")
	if program.Kind != launcher.Container || run != 0 && !(run == 1 && args[0] == "container") {
		return false
	}
	for i := run + 1; i < len(args) && strings.HasPrefix(args[i], "-"); i++ { // what follows the image is the server's
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
