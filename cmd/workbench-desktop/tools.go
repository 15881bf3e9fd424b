package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/mcpserver"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newTools(c *shared) *cobra.Command {
	var asJSON bool
	cmd := command("tools", between(0, 1), func(cmd *cobra.Command, args []string) error {
		return c.tools(cmd.Context(), args, asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.tools.flag_json")
	return cmd
}

func (c *shared) tools(ctx context.Context, names []string, asJSON bool) error {
	document, manager, err := c.manager()
	if err != nil {
		return err
	}
	defer manager.Shutdown(context.WithoutCancel(ctx))
	all := len(names) == 0
	if all {
		for _, box := range document.Config.Toolboxes {
			names = append(names, box.Name)
		}
	}
	if document.Source == nil {
		c.note(words.New("command.no_toolboxes_yet", "Why", noFile(document.Name)))
	}
	failed := false
	var answers [][]byte
	known := map[[2]string][]string{}
	for _, name := range names {
		opened, err := manager.Open(ctx, name, nil)
		if err != nil {
			failed = true
			c.printFailure(err)
			continue
		}
		failed = failed || len(opened.Errors) > 0 || len(opened.Pending) > 0
		if asJSON {
			answers = append(answers, mcpserver.AppendOpened(nil, opened, nil))
		} else {
			c.printTools(opened)
		}
		for _, server := range opened.Servers {
			if names, ok := manager.Lists.Known(name, server.Name); ok {
				known[[2]string{name, server.Name}] = names
			}
		}
		// Toolboxes are opened one after the other, so that many of them do not fill the memory.
		if _, _, err := manager.Close(ctx, name); err != nil {
			return c.fail(err)
		}
	}
	if asJSON {
		out := bytes.Join(answers, []byte(","))
		if all {
			out = append(append([]byte{'['}, out...), ']')
		}
		if len(out) > 0 {
			fmt.Fprintf(c.out, "%s\n", out)
		}
	}
	// The tools are known now, so filters that name missing tools can be reported.
	for _, problem := range document.CheckTools(func(toolbox, server string) ([]string, bool) {
		names, ok := known[[2]string{toolbox, server}]
		return names, ok
	}) {
		c.problem(c.err, problem, document.Name)
	}
	if failed {
		return exitStatus(exitFailed)
	}
	return nil
}

// guarded is a manager whose servers end with the program, even if the program is killed.
type guarded struct {
	*toolbox.Manager
	guard *guardian.Starter
}

// Shutdown stops all servers.
func (g guarded) Shutdown(ctx context.Context) {
	g.Manager.Shutdown(ctx)
	g.guard.Close()
}

// manager loads the configuration and returns a manager for it, which the caller must shut down.
func (c *shared) manager() (*config.Document, *guarded, error) {
	log, err := c.logger(slog.LevelError)
	if err != nil {
		return nil, nil, err
	}
	location, document, err := c.load()
	if err != nil {
		return nil, nil, err
	}
	guard := guardian.New(guardian.Options{Logger: log})
	options := toolbox.Options{
		Lookup:     config.SystemLookup(),
		EnvironFor: environmentFor,
		Start:      guard.Start,
		Tokens:     tokens(openSignIns("", nil, log)),
		Pins:       c.openPins(log),
		Version:    version,
		Ask:        c.allows,
		Logger:     log,
	}
	if approvals := c.openApprovals(); approvals != nil {
		options.Approve = approvals.In(location.Path)
	}
	return document, &guarded{toolbox.NewManager(document.Config, options), guard}, nil
}

func (c *shared) printTools(opened *toolbox.Opened) {
	c.print(words.New("command.connected_servers", "Toolbox", opened.Toolbox, "Count", opened.Connected))
	for _, server := range opened.Servers {
		fmt.Fprintf(c.out, "\n%s (%s)\n", server.Name, c.words.Text(words.New("command.tools", "Count", len(server.Tools))))
		for _, tool := range server.Tools {
			summary, _, _ := strings.Cut(strings.TrimSpace(tool.Description), "\n")
			fmt.Fprintf(c.out, "  %-28s %s\n", visible.Line(tool.Name), visible.Short(summary, 90))
		}
		for _, fault := range server.Faults {
			fmt.Fprintf(c.out, "  ! %s\n", visible.Line(c.words.Text(fault.Text())))
		}
	}
	fmt.Fprintln(c.out)
	for _, e := range opened.Errors {
		c.printFailure(e)
	}
	for _, name := range opened.Pending {
		c.note(words.New("command.still_starting", "Server", name, "Toolbox", opened.Toolbox))
	}
}

// printFailure prints an error with a hint.
func (c *shared) printFailure(err error) {
	c.note(words.Of(err))
	var e *toolbox.Error
	if errors.As(err, &e) {
		for _, hint := range e.Hints {
			c.note(hint)
		}
	}
}

// indented returns JSON on several lines, for people to read.
func indented(raw json.RawMessage) []byte {
	var out bytes.Buffer
	if json.Indent(&out, raw, "", "  ") != nil {
		return raw
	}
	return out.Bytes()
}
