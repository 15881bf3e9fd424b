package process

import (
	"context"
	"io"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Run runs a program with an empty standard input, waits until it ends, and returns its output, no more than
// most bytes of each stream. A program that writes more to its standard output is stopped, which is no error.
// If ctx ends first, the program is stopped and the error is that of ctx. If the exit status is not 0, the
// error is its [Process.ExitError].
func Run(ctx context.Context, spec Spec, most int64) (stdout, stderr string, err error) {
	started, err := Start(spec)
	if err != nil {
		return "", "", err
	}
	started.Stdin().Close()
	var out, complaint strings.Builder
	complained := make(chan struct{})
	background.Go(func() {
		defer close(complained)
		io.CopyN(&complaint, started.Stderr(), most)
		io.Copy(io.Discard, started.Stderr())
	})
	running, enough := context.WithCancel(ctx)
	defer enough()
	stop := background.AfterEnd(running, func() { started.Stop(context.Background()) })
	defer stop()
	_, short := io.CopyN(&out, started.Stdout(), most)
	if short == nil { // there may be more, which is not wanted
		enough()
		io.Copy(io.Discard, started.Stdout())
	}
	<-complained
	<-started.Done()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case short != nil:
		if exit := started.ExitError(); !succeeded(exit) {
			err = exit
		}
	}
	return out.String(), complaint.String(), err
}

// succeeded reports whether a [Process.ExitError] is that of status 0.
func succeeded(exit error) bool {
	ended, ok := words.Find(exit, "process.exited")
	return ok && ended.Args["Status"] == 0
}
