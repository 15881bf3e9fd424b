// Command workbench-desktop groups MCP servers into toolboxes and gives them to AI apps.
//
// Without arguments it runs the desktop app. MCP clients start it as "workbench-desktop stdio", which runs
// the engine. The other commands do the same as the window in a terminal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Exit statuses, documented in docs/commands.md.
const (
	exitOK     = 0
	exitFailed = 1 // the command failed
	exitUsage  = 2 // the command line was wrong
)

func main() {
	environ.Adopt()
	os.Exit(runAs(account, words.In(words.Environment(os.Getenv)...), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is [runAs] for an account of which nothing is known.
func run(printer words.Printer, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return runAs(nil, printer, args, stdin, stdout, stderr)
}

// runAs is main without the process around it. account returns the folders of the user's account, whatever the
// environment says. Texts for people are in the language of printer.
func runAs(account func() (paths.Folders, bool), printer words.Printer, args []string, stdin io.Reader, stdout,
	stderr io.Writer) int {
	if guardian.Run(args, stdin) {
		return exitOK
	}
	if status, ok := forInstaller(args, stderr); ok {
		return status
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// The first signal asks for an orderly end; a second one ends the program at once.
	background.AfterEnd(ctx, stop)
	// A write to a client that is gone must fail instead of killing us, since servers must be stopped first.
	// The signal is caught rather than ignored, because child processes would inherit the latter.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	if asked, ok := hostAsked(args); ok {
		return asked.run(ctx, stderr)
	}

	s := streams{in: stdin, out: visible.NewWriter(stdout), err: visible.NewWriter(stderr), wire: stdout, words: printer,
		account: account}
	root := newRoot(s)
	root.SetArgs(linkAlone(args))
	cmd, err := root.ExecuteContextC(ctx)
	var status exitStatus
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	default:
		s.complain(err)
		s.note(words.New("command.see_help", "Command", cmd.CommandPath()))
		return exitUsage
	}
}

// streams are the standard streams of a command.
type streams struct {
	in io.Reader
	// Text written to out and err may come from anybody. Characters that a terminal would interpret, and
	// invisible ones, are escaped.
	out, err io.Writer
	wire     io.Writer // standard output without escaping, for the messages of "stdio"

	words words.Printer

	account func() (own paths.Folders, ok bool) // see [streams.ownFolders]; may be nil
}

// exitStatus is an error that ends the program with a status. It has been reported already.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// print writes a sentence to standard output.
func (s streams) print(text words.Text) { fmt.Fprintln(s.out, s.words.Text(text)) }

// note writes a sentence to standard error.
func (s streams) note(text words.Text) { fmt.Fprintln(s.err, s.words.Text(text)) }

// complain prints an error to standard error.
func (s streams) complain(err error) {
	fmt.Fprintf(s.err, "%s: %s\n", words.Program(), s.words.Error(err))
}

// fail prints an error and ends the program with [exitFailed].
func (s streams) fail(err error) error {
	s.complain(err)
	return exitStatus(exitFailed)
}

// encode prints JSON for programs that people can also read.
func (s streams) encode(value any) error {
	text, err := jsonc.MarshalLines(value)
	if err == nil {
		_, err = s.out.Write(text)
	}
	if err != nil {
		return s.fail(words.NewError("command.result_not_written", "Why", err))
	}
	return nil
}
