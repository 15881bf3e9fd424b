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

	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Exit statuses, documented in the README.
const (
	exitOK     = 0
	exitFailed = 1 // what was asked for could not be done
	exitUsage  = 2 // the command line was not understood
)

func main() {
	os.Exit(run(words.In(words.Environment(os.Getenv)...), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process around it. It speaks to people in the language of printer.
func run(printer words.Printer, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if guardian.Run(args, stdin) {
		return exitOK
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// The first signal asks for an end in good order, a second one, as usual, ends us at once.
	context.AfterFunc(ctx, stop)
	// Writing to a client that is gone must fail, not kill us: servers have to be ended first. The
	// signal is caught rather than ignored, because children would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	s := streams{in: stdin, out: visible.NewWriter(stdout), err: visible.NewWriter(stderr), wire: stdout, words: printer}
	root := newRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var status exitStatus
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	default:
		s.complain(err)
		s.note(words.New("command.see_help"))
		return exitUsage
	}
}

// streams are the standard streams of a command.
type streams struct {
	in io.Reader
	// What is written to out and err may come from anybody: characters that a terminal would obey, or that nobody sees, are escaped.
	out, err io.Writer
	wire     io.Writer // standard output as it is, for the messages of "stdio"

	words words.Printer
}

// exitStatus ends the program with a status after everything has been said.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// print writes a sentence to standard output.
func (s streams) print(text words.Text) { fmt.Fprintln(s.out, s.words.Text(text)) }

// note writes a sentence to standard error.
func (s streams) note(text words.Text) { fmt.Fprintln(s.err, s.words.Text(text)) }

// complain says what went wrong on standard error.
func (s streams) complain(err error) {
	fmt.Fprintf(s.err, "workbench-desktop: %s\n", s.words.Error(err))
}

// fail says what went wrong and ends the program with [exitFailed].
func (s streams) fail(err error) error {
	s.complain(err)
	return exitStatus(exitFailed)
}
