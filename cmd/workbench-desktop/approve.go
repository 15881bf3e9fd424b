package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/changes"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newApprove(c *shared) *cobra.Command {
	var all, asJSON bool
	cmd := command("approve", between(0, 2), func(cmd *cobra.Command, args []string) error {
		if all && len(args) > 0 {
			return words.NewError("command.approve_all_and_names")
		}
		return c.approve(cmd.Context(), args, all, asJSON)
	})
	cmd.Flags().BoolVar(&all, "all", false, "help.approve.flag_all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.approve.flag_json")
	return cmd
}

// waitingServer is a server that waits for approval, as JSON for programs.
type waitingServer struct {
	Toolbox    string          `json:"toolbox"`
	Server     string          `json:"server"`
	Added      bool            `json:"added"`
	Why        approval.Reason `json:"why"`
	Difference string          `json:"difference"` // a unified diff without secrets
}

func (c *shared) approve(ctx context.Context, names []string, all, asJSON bool) error {
	location, document, err := c.loadFor(asJSON)
	if err != nil {
		return err
	}
	approvals := c.openApprovals()
	if approvals == nil {
		return c.fail(words.NewError("command.no_approvals"))
	}
	if lost := approvals.State().Lost; lost != nil {
		c.note(words.New("command.approvals_lost", "Why", lost))
	}
	var meant []approval.Waiting
	for _, w := range approvals.Waiting(location.Path, document.Config) {
		if (len(names) < 1 || w.Toolbox == names[0]) && (len(names) < 2 || w.Server.Name == names[1]) {
			meant = append(meant, w)
		}
	}
	log, err := c.logger(slog.LevelError)
	if err != nil {
		return err
	}
	pins := c.openPins(log)
	tools, err := c.changedTools(pins, document, names)
	if err != nil {
		return c.fail(err)
	}
	if len(names) > 0 && len(meant)+len(tools) == 0 {
		return c.fail(words.NewError("command.approve_nothing_here", "Name", strings.Join(names, "/")))
	}
	if asJSON {
		if err := c.printWaiting(location.Path, meant, tools); err != nil {
			return err
		}
	} else {
		if len(meant)+len(tools) == 0 {
			c.print(words.New("command.approve_nothing"))
		}
		c.showWaiting(meant)
		c.showTools(tools)
	}
	if len(meant)+len(tools) == 0 {
		return nil
	}
	if !all && len(names) == 0 {
		if !asJSON {
			c.print(words.New("command.approve_how"))
		}
		return nil
	}
	switch {
	case !c.atTerminal():
		return c.fail(words.NewError("command.approve_terminal"))
	case len(meant) > 0 && !c.agrees(ctx, words.New("command.ask_approve", "Count", len(meant))):
		return c.fail(words.NewError("command.not_approved"))
	}
	if len(meant) > 0 {
		if _, document, err = c.loadFor(asJSON); err != nil { // it may have changed while the question was open
			return err
		}
		if err := approvals.Approve(ctx, location.Path, document.Config, meant...); err != nil {
			return c.fail(err)
		}
		c.note(words.New("command.approved", "Count", len(meant)))
	}
	if len(tools) == 0 {
		return nil
	}
	count := countTools(tools)
	if !c.agrees(ctx, words.New("command.ask_approve_tools", "Count", count)) {
		return c.fail(words.NewError("command.not_approved"))
	}
	if err := approveTools(ctx, pins, tools); err != nil {
		return c.fail(err)
	}
	c.note(words.New("command.approved_tools", "Count", count))
	return nil
}

func (c *shared) showWaiting(waiting []approval.Waiting) {
	for _, w := range waiting {
		switch {
		case w.Why == approval.NewFile:
			c.print(words.New("command.approve_new_file", "Toolbox", w.Toolbox, "Server", w.Server.Name))
		case w.Why == approval.Returned:
			c.print(words.New("command.approve_returned", "Toolbox", w.Toolbox, "Server", w.Server.Name))
		case w.Why == approval.NoRecord:
			c.print(words.New("command.approve_no_record", "Toolbox", w.Toolbox, "Server", w.Server.Name))
		case w.Old == nil:
			c.print(words.New("command.approve_added", "Toolbox", w.Toolbox, "Server", w.Server.Name))
		default:
			c.print(words.New("command.approve_changed", "Toolbox", w.Toolbox, "Server", w.Server.Name))
		}
		for line := range strings.Lines(changes.Difference(w)) {
			if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "@@") {
				fmt.Fprint(c.out, "  "+line)
			}
		}
		for _, warning := range changes.Warnings(w) {
			fmt.Fprintln(c.out, "  ! "+c.words.Text(warning))
		}
		fmt.Fprintln(c.out)
	}
}

func (c *shared) printWaiting(file string, waiting []approval.Waiting, tools []changedTools) error {
	list := make([]waitingServer, 0, len(waiting))
	for _, w := range waiting {
		list = append(list, waitingServer{w.Toolbox, w.Server.Name, w.Old == nil, w.Why, changes.Difference(w)})
	}
	return c.encode(struct {
		File    string          `json:"file"`
		Waiting []waitingServer `json:"waiting"`
		Tools   []waitingTool   `json:"tools"`
	}{file, list, c.toolsForPrograms(tools)})
}
