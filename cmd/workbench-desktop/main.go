// Command workbench-desktop groups MCP servers into toolboxes and gives them to AI apps.
//
// Started without arguments it is the desktop app; started by an MCP client as "workbench-desktop
// stdio" it is the engine. The other commands do the same at a terminal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit statuses, documented in the README.
const (
	exitOK     = 0
	exitFailed = 1 // what was asked for could not be done
	exitUsage  = 2 // the command line was not understood
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// The first signal asks for an end in good order, a second one, as usual, ends us at once.
	context.AfterFunc(ctx, stop)
	// Writing to a client that is gone must fail, not kill us: servers have to be ended first. The
	// signal is caught rather than ignored, because children would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	root := newRoot(streams{stdin, stdout, stderr})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var status exitStatus
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	default:
		fmt.Fprintf(stderr, "workbench-desktop: %v\n", err)
		fmt.Fprintln(stderr, `Run "workbench-desktop --help" for the commands.`)
		return exitUsage
	}
}

// streams are the standard streams of a command.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// exitStatus ends the program with a status after everything has been said.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// failf says what went wrong and ends the program with [exitFailed].
func (s streams) failf(format string, args ...any) error {
	fmt.Fprintf(s.err, "workbench-desktop: "+format+"\n", args...)
	return exitStatus(exitFailed)
}
