package clients

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Command is a command of a client's own program. It adds our entry to the client's file, or removes an
// entry.
type Command struct {
	Words  []string // the program and its arguments
	Folder string   // where it runs; "" means the home folder
}

// addCommand returns the client's own command that adds our entry.
func addCommand(c Client, l Launch, name string) Command {
	return Command{Words: append([]string{c.Command, "mcp", "add", "-s", "user", name, "--", l.Program}, l.Args(c.ID)...)}
}

// removeCommand returns the client's own command that removes an entry. folder is the folder of the entry's
// project, or "" if the entry is for all projects.
func removeCommand(c Client, name, folder string) Command {
	scope := "user"
	if folder != "" {
		scope = "local"
	}
	return Command{Words: []string{c.Command, "mcp", "remove", "-s", scope, name}, Folder: folder}
}

// RemoveCommand returns the client's own command that removes an entry, as people type it. folder is the
// folder of the entry's project, or "" if the entry is for all projects.
func (s System) RemoveCommand(c Client, name, folder string) string {
	return s.lines([]Command{removeCommand(c, name, folder)})
}

// lines returns commands as people type them.
func (s System) lines(commands []Command) string {
	var lines []string
	for _, command := range commands {
		if command.Folder != "" {
			lines = append(lines, "cd "+s.shellWord(command.Folder))
		}
		var words []string
		for _, word := range command.Words {
			words = append(words, s.shellWord(word))
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n")
}

// shellWord quotes a word for the shells of the system.
func (s System) shellWord(word string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_./:@,+=", r) || r == '\\' && s.OS == "windows"
	}
	switch {
	case word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !safe(r) }):
		return word
	case s.OS == "windows":
		return `"` + word + `"` // no path contains a quote
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// program returns the absolute path of a client's own program, or "" if it is not found.
func (s System) program(c Client) string {
	if s.Environ == nil || c.Command == "" {
		return ""
	}
	path, err := process.LookPath(c.Command, s.Environ(c.Command), "")
	if err != nil {
		return ""
	}
	return path
}

// ByHand reports whether people must connect a client themselves by a command, because we must not write its
// file and its program is not found.
func (s System) ByHand(c Client) bool { return c.ByHand != "" && s.program(c) == "" }

const (
	commandLimit = 30 * time.Second // for one command; Claude Code takes one to two seconds
	maxSaid      = 8 << 10          // bytes of a program's output that are read
	maxShown     = 500              // characters of the output that are shown to people
)

// run runs the commands of a plan one after the other, and then checks that the client's file is as planned.
func (r *Registrar) run(ctx context.Context, plan Plan) error {
	for _, command := range plan.Runs {
		if err := r.system.run(ctx, plan.Client, command); err != nil {
			return err
		}
	}
	records, err := r.byHand(plan.Client)
	if err != nil {
		return err
	}
	if plan.Connect {
		records = forAll(records)
	}
	if state, startsWindow := stateByHand(records, plan.launch); plan.Connect != (state == Connected && !startsWindow) ||
		!plan.Connect && state != NotConnected {
		return words.NewError("clients.command_in_vain", "Client", plan.Client.Name)
	}
	return nil
}

// run runs a command without a shell and with an empty standard input, for at most commandLimit.
func (s System) run(ctx context.Context, c Client, command Command) error {
	limited, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	folder := command.Folder
	if folder == "" {
		folder = s.Home
	}
	program := command.Words[0]
	said, complaint, err := process.Run(limited, process.Spec{
		Command: program, Args: command.Words[1:], Env: s.Environ(program), Dir: folder, Session: true, StdinGrace: -1,
	}, maxSaid)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return words.NewError("clients.command_silent", "Client", c.Name, "Time", commandLimit)
	}
	return words.NewError("clients.command_failed", "Client", c.Name, "Why", err, "Said",
		visible.Short(secret.Mask(complaint+"\n"+said), maxShown))
}
