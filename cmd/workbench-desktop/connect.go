package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newConnect(c *shared) *cobra.Command {
	r := &registration{shared: c}
	cmd := &cobra.Command{
		Use:       use("connect", "help.connect.args"),
		Short:     "help.connect.short",
		Long:      "help.connect.long",
		Example:   "help.connect.example",
		Args:      exactly(1),
		ValidArgs: client.IDs(),
		RunE:      func(cmd *cobra.Command, args []string) error { return r.connect(cmd.Context(), args[0]) },
	}
	r.changeFlags(cmd)
	return cmd
}

func newDisconnect(c *shared) *cobra.Command {
	r := &registration{shared: c}
	cmd := &cobra.Command{
		Use:     use("disconnect", "help.disconnect.args"),
		Short:   "help.disconnect.short",
		Long:    "help.disconnect.long",
		Example: "help.disconnect.example",
		Args: func(cmd *cobra.Command, args []string) error {
			if r.all == (len(args) == 1) || len(args) > 1 {
				return words.NewError("command.disconnect_one")
			}
			return nil
		},
		ValidArgs: client.IDs(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.all {
				return r.disconnectAll(cmd.Context())
			}
			return r.disconnect(cmd.Context(), args[0])
		},
	}
	r.changeFlags(cmd)
	cmd.Flags().BoolVar(&r.all, "all", false, "help.disconnect.flag_all")
	return cmd
}

func (r *registration) changeFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&r.yes, "yes", "y", false, "help.connect.flag_yes")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "help.connect.flag_dry-run")
	cmd.Flags().BoolVar(&r.wait, "wait", false, "help.connect.flag_wait")
	r.testFlags(cmd)
}

// known finds a client by its id.
func (r *registration) known(id string) (clients.Client, error) {
	c, ok := clients.ByID(id)
	if !ok {
		return c, words.NewError("command.no_client", "Client", id, "Clients", client.IDs())
	}
	return c, nil
}

func (r *registration) connect(ctx context.Context, id string) error {
	c, err := r.known(id)
	if err != nil {
		return err
	}
	registrar, _, launch, err := r.open()
	if err != nil {
		return err
	}
	plan, err := registrar.PlanConnect(c, launch)
	if err != nil {
		if plan.Entry != "" {
			fmt.Fprint(r.out, plan.Entry)
		}
		return r.fail(err)
	}
	if plan.Paste != "" {
		r.note(words.New("command.run_this", "How", c.ByHand))
		fmt.Fprintln(r.out, plan.Paste)
		for _, note := range plan.Notes {
			fmt.Fprintln(r.err, note)
		}
		r.sayNext(c)
		return nil
	}
	if plan.Changed() && !r.dryRun {
		waited, err := r.quit(ctx, registrar, c)
		if err != nil {
			return err
		}
		if waited { // it has written its file when it ended
			if plan, err = registrar.PlanConnect(c, launch); err != nil {
				return r.fail(err)
			}
		}
	}
	r.show(plan)
	switch {
	case r.dryRun && plan.Changed():
		r.note(words.New("command.dry_run"))
		return nil
	case r.dryRun:
		r.note(words.New("command.connected_nothing_to_change", "App", c.Name))
		return nil
	case !plan.Changed():
		if err := registrar.Apply(plan); err != nil { // the ledger may not know it
			return r.fail(err)
		}
		r.note(words.New("command.connected_nothing_changed", "App", c.Name))
		return nil
	}
	if err := r.confirm(ctx, words.New("command.ask_connect", "App", c.Name)); err != nil {
		return err
	}
	if err := registrar.Apply(plan); err != nil {
		return r.fail(err)
	}
	if err := r.verify(ctx, registrar, plan); err != nil {
		return err
	}
	r.note(words.New("command.connected", "App", c.Name))
	if slices.ContainsFunc(plan.Changes, func(change clients.Change) bool { return change.Changed() && change.Before != nil }) {
		r.note(words.New("command.backup_in", "Folder", registrar.Folder()))
	}
	r.sayNext(c)
	return nil
}

func (r *registration) sayNext(c clients.Client) {
	for _, sentence := range c.Next() {
		fmt.Fprintln(r.err, sentence)
	}
}

// quit makes sure that a client does not run that would undo the change. waited is set when it had been running.
func (r *registration) quit(ctx context.Context, registrar *clients.Registrar, c clients.Client) (waited bool, err error) {
	err = registrar.CheckRunning(c)
	var running *clients.RunningError
	switch {
	case err == nil:
		return false, nil
	case !errors.As(err, &running):
		return false, r.fail(err)
	case !r.wait:
		return false, r.fail(words.NewError("command.quit_or_wait", "Why", err))
	}
	r.note(words.New("command.waiting", "Why", err))
	if err := registrar.WaitUntilQuit(ctx, c); err != nil {
		if ctx.Err() != nil {
			return false, r.fail(words.NewError("command.waiting_ended"))
		}
		return false, r.fail(err)
	}
	r.note(words.New("command.has_quit", "App", c.Name))
	return true, nil
}

// settled is how long after a change an app that rewrites its file is given to show whether it does.
const settled = 3 * time.Second

// verify looks a little later whether an app that rewrites its file has left the entry there.
func (r *registration) verify(ctx context.Context, registrar *clients.Registrar, plan clients.Plan) error {
	if !r.wait || plan.Client.Rewriting != client.FromMemory {
		return nil
	}
	select {
	case <-ctx.Done():
		return r.fail(words.NewError("command.connected_unverified", "App", plan.Client.Name))
	case <-time.After(settled):
	}
	lost, err := registrar.StillThere(plan)
	if lost != "" || err != nil {
		return r.fail(words.NewError("command.entry_taken_out", "Path", lost, "App", plan.Client.Name))
	}
	return nil
}

func (r *registration) disconnect(ctx context.Context, id string) error {
	c, err := r.known(id)
	if err != nil {
		return err
	}
	registrar, _, _, err := r.open()
	if err != nil {
		return err
	}
	return r.disconnectFrom(ctx, registrar, c)
}

func (r *registration) disconnectFrom(ctx context.Context, registrar *clients.Registrar, c clients.Client) error {
	plan, err := registrar.PlanDisconnect(c)
	if err != nil {
		return r.fail(err)
	}
	if plan.Paste != "" {
		r.note(words.New("command.run_this", "How", c.ByHand))
		fmt.Fprintln(r.out, plan.Paste)
		return nil
	}
	if plan.Changed() && !r.dryRun {
		waited, err := r.quit(ctx, registrar, c)
		if err != nil {
			return err
		}
		if waited {
			if plan, err = registrar.PlanDisconnect(c); err != nil {
				return r.fail(err)
			}
		}
	}
	r.show(plan)
	switch {
	case r.dryRun && plan.Changed():
		r.note(words.New("command.dry_run"))
		return nil
	case r.dryRun:
		r.note(words.New("command.no_entry_nothing_to_change", "App", c.Name))
		return nil
	}
	changed := plan.Changed()
	if changed {
		if err := r.confirm(ctx, words.New("command.ask_disconnect", "App", c.Name)); err != nil {
			return err
		}
	}
	if err := registrar.Apply(plan); err != nil {
		return r.fail(err)
	}
	if !changed {
		r.note(words.New("command.no_entry_nothing_changed", "App", c.Name))
		return nil
	}
	r.note(words.New("command.disconnected", "App", c.Name))
	return nil
}

// disconnectAll goes on after an app that failed: each one is a file less to look after.
func (r *registration) disconnectAll(ctx context.Context) error {
	registrar, _, _, err := r.open()
	if err != nil {
		return err
	}
	ids, err := registrar.Connected()
	if err != nil {
		return r.fail(err)
	}
	if len(ids) == 0 {
		r.note(words.New("command.nothing_connected"))
		return nil
	}
	var failed error
	for _, id := range ids {
		c, err := r.known(id)
		if err == nil {
			err = r.disconnectFrom(ctx, registrar, c)
		}
		failed = errors.Join(failed, err)
	}
	if failed != nil {
		return exitStatus(exitFailed)
	}
	return nil
}

// show prints what a plan does on standard output, and what is to be known beside it.
func (r *registration) show(plan clients.Plan) {
	for _, change := range plan.Changes {
		fmt.Fprint(r.out, plan.Diff(change))
	}
	for _, note := range plan.Notes {
		fmt.Fprintln(r.err, note)
	}
}

// confirm asks at a terminal. Elsewhere --yes must have been given.
func (r *registration) confirm(ctx context.Context, question words.Text) error {
	if r.yes {
		return nil
	}
	in, ok := r.in.(*os.File)
	if ok {
		info, err := in.Stat()
		ok = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if !ok {
		return r.fail(words.NewError("command.nobody_to_ask"))
	}
	if !r.agrees(ctx, question) {
		r.note(words.New("command.nothing_written"))
		return exitStatus(exitFailed)
	}
	return nil
}
