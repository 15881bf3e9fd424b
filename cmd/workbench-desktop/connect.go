package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newConnect(c *shared) *cobra.Command {
	r := &registration{shared: c}
	cmd := command("connect", exactly(1), func(cmd *cobra.Command, args []string) error {
		return r.connect(cmd.Context(), args[0])
	})
	r.changeFlags(cmd)
	return cmd
}

func newDisconnect(c *shared) *cobra.Command {
	r := &registration{shared: c}
	cmd := command("disconnect", func(cmd *cobra.Command, args []string) error {
		if r.all == (len(args) == 1) || len(args) > 1 {
			return words.NewError("command.disconnect_one")
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error {
		if r.all {
			return r.disconnectAll(cmd.Context())
		}
		return r.disconnect(cmd.Context(), args[0])
	})
	r.changeFlags(cmd)
	cmd.Flags().BoolVar(&r.all, "all", false, "help.disconnect.flag_all")
	cmd.Flags().BoolVar(&r.back, "put-back", true, "help.disconnect.flag_put-back")
	return cmd
}

func (r *registration) changeFlags(cmd *cobra.Command) {
	cmd.ValidArgs = client.IDs()
	cmd.Flags().BoolVarP(&r.yes, "yes", "y", false, "help.connect.flag_yes")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "help.connect.flag_dry-run")
	cmd.Flags().BoolVar(&r.wait, "wait", false, "help.connect.flag_wait")
	r.testFlags(cmd)
}

func (r *registration) connect(ctx context.Context, id string) error {
	c, err := setup.Client(id)
	if err != nil {
		return err
	}
	s, err := r.open(ctx)
	if err != nil {
		return err
	}
	plan, err := s.Plan(id, true)
	if err != nil {
		if plan.Entry != "" {
			fmt.Fprint(r.out, plan.Entry)
		}
		return r.fail(err)
	}
	if plan.Paste != "" {
		if err := r.makeConfiguration(ctx, s); err != nil {
			return err
		}
		r.byHand(plan)
		for _, note := range plan.Notes {
			r.note(note)
		}
		r.sayNext(c)
		return nil
	}
	plan, carried, err := r.carry(ctx, s, plan, words.New("command.ask_connect", "App", c.Name))
	switch {
	case err != nil:
		return err
	case carried && !plan.Changed():
		r.note(words.New("command.connected_nothing_changed", "App", c.Name))
		return nil
	case !plan.Changed():
		r.note(words.New("command.connected_nothing_to_change", "App", c.Name))
		return nil
	case !carried:
		return nil
	}
	r.note(words.New("command.connected", "App", c.Name))
	if slices.ContainsFunc(plan.Changes, clients.Change.KeepsCopy) {
		r.note(words.New("command.backup_in", "Folder", s.Registrar.Folder()))
	}
	r.sayNext(c)
	return nil
}

// makeConfiguration makes an empty configuration if there is none, and reports that.
func (r *registration) makeConfiguration(ctx context.Context, s *setup.Setup) error {
	if r.dryRun {
		return nil
	}
	made, err := s.MakeConfiguration(ctx)
	switch {
	case err != nil:
		return r.fail(err)
	case made:
		r.note(words.New("command.configuration_made", "File", s.Location.Path))
	}
	return nil
}

// byHand prints how people carry out a plan themselves, for a client whose file we must not write.
func (r *registration) byHand(plan clients.Plan) {
	r.note(words.New("command.run_this", "How", plan.Client.Say(plan.Client.ByHand)))
	fmt.Fprintln(r.out, plan.Paste)
}

// carry shows a plan, asks, and carries it out. It returns the plan that was carried out, which is newer if
// the client was waited for, and whether it was carried out: with --dry-run it is not.
func (r *registration) carry(ctx context.Context, s *setup.Setup, plan clients.Plan,
	question words.Text) (clients.Plan, bool, error) {
	if plan.Changed() && !r.dryRun {
		waited, err := r.quit(ctx, s, plan.Client)
		if err == nil && waited { // the client has written its file when it ended
			if plan, err = s.Plan(plan.Client.ID, plan.Connect); err != nil {
				err = r.fail(err)
			}
		}
		if err != nil {
			return plan, false, err
		}
	}
	r.show(plan)
	if r.dryRun {
		if plan.Changed() {
			r.note(words.New("command.dry_run"))
		}
		return plan, false, nil
	}
	if plan.Changed() {
		if err := r.confirm(ctx, question); err != nil {
			return plan, false, err
		}
	}
	if plan.Connect {
		if err := r.makeConfiguration(ctx, s); err != nil {
			return plan, false, err
		}
	}
	// A plan without changes is carried out too, since the ledger may not have the entry.
	if err := s.Apply(ctx, plan, r.wait && plan.Changed()); err != nil {
		if errors.Is(err, context.Canceled) {
			err = words.NewError("command.connected_unverified", "App", plan.Client.Name)
		}
		return plan, false, r.fail(err)
	}
	return plan, true, nil
}

func (r *registration) sayNext(c clients.Client) {
	for _, sentence := range c.Next() {
		r.note(sentence)
	}
}

// waiting returns a function that prints, to standard error, what is waited for; nil without --wait.
func (r *registration) waiting() setup.Waiting {
	if !r.wait {
		return nil
	}
	return func(reason *clients.RunningError) { r.note(words.New("command.waiting", "Why", reason)) }
}

// quit waits until a client that would undo the change is not running. waited is set if it had been running.
func (r *registration) quit(ctx context.Context, s *setup.Setup, c clients.Client) (waited bool, err error) {
	waited, err = s.Quit(ctx, c, r.waiting())
	var running *clients.RunningError
	switch {
	case errors.As(err, &running):
		return waited, r.fail(words.NewError("command.quit_or_wait", "Why", err))
	case waited && ctx.Err() != nil:
		return waited, r.fail(words.NewError("command.waiting_ended"))
	case err != nil:
		return waited, r.fail(err)
	case waited:
		r.note(words.New("command.has_quit", "App", c.Name))
	}
	return waited, nil
}

func (r *registration) disconnect(ctx context.Context, id string) error {
	if _, err := setup.Client(id); err != nil {
		return err
	}
	s, err := r.open(ctx)
	if err != nil {
		return err
	}
	return r.disconnectFrom(ctx, s, id)
}

func (r *registration) disconnectFrom(ctx context.Context, s *setup.Setup, id string) error {
	plan, err := s.Plan(id, false)
	if err != nil {
		return r.fail(err)
	}
	if plan.Paste != "" {
		r.byHand(plan)
		return nil
	}
	moved, err := s.MovedFrom(id)
	if err != nil {
		return r.fail(err)
	}
	app := plan.Client.Name
	plan, carried, err := r.carry(ctx, s, plan, words.New("command.ask_disconnect", "App", app))
	switch {
	case err != nil:
		return err
	case carried && plan.Changed():
		r.note(words.New("command.disconnected", "App", app))
	case carried:
		r.note(words.New("command.no_entry_nothing_changed", "App", app))
	case !plan.Changed():
		r.note(words.New("command.no_entry_nothing_to_change", "App", app))
	}
	return r.putBack(ctx, s, app, moved)
}

// putBack offers to put servers back into the app from which they were moved, since it does not get them from
// Workbench any more.
func (r *registration) putBack(ctx context.Context, s *setup.Setup, app string, moved []setup.MovedFile) error {
	names := setup.Names(moved)
	switch {
	case len(moved) == 0:
		return nil
	case r.dryRun && r.back:
		r.note(words.New("command.would_put_back", "App", app, "Names", names))
		return nil
	case r.dryRun:
		return nil
	case !r.back || !r.yes && !r.agrees(ctx, words.New("command.ask_put_back", "App", app, "Names", names)):
		r.note(words.New("command.to_put_back", "Clients", moved[0].Client))
		return nil
	}
	if err := s.PutAllBack(ctx, moved, r.waiting()); err != nil {
		return r.fail(err)
	}
	r.note(words.New("command.put_back_apart", "App", app, "Names", names))
	return nil
}

// disconnectAll continues after an app that failed, so that as many as possible are disconnected.
func (r *registration) disconnectAll(ctx context.Context) error {
	s, err := r.open(ctx)
	if err != nil {
		return err
	}
	ids, err := s.Registrar.Connected()
	if err != nil {
		return r.fail(err)
	}
	moved, err := s.MovedBefore()
	if err != nil {
		return r.fail(err)
	}
	if len(ids) == 0 {
		r.note(words.New("command.nothing_connected"))
	}
	var failed error
	for _, id := range ids {
		failed = errors.Join(failed, r.disconnectFrom(ctx, s, id))
	}
	for _, file := range moved { // also out of apps that were not connected
		if !slices.Contains(ids, file.Client) {
			failed = errors.Join(failed, r.putBack(ctx, s, imports.Name(file.Client), []setup.MovedFile{file}))
		}
	}
	if failed != nil {
		return exitStatus(exitFailed)
	}
	return nil
}

// show prints the changes of a plan to standard output, and the notes to standard error.
func (r *registration) show(plan clients.Plan) {
	for _, change := range plan.Changes {
		fmt.Fprint(r.out, plan.Diff(change))
	}
	if plan.Line != "" {
		r.note(words.New("command.this_runs", "How", plan.Client.Say(plan.Client.ByHand)))
		fmt.Fprintln(r.out, plan.Line)
	}
	for _, note := range plan.Notes {
		r.note(note)
	}
}

// confirm asks at a terminal. Otherwise --yes must have been given.
func (r *registration) confirm(ctx context.Context, question words.Text) error {
	if r.yes {
		return nil
	}
	if !r.atTerminal() {
		return r.fail(words.NewError("command.nobody_to_ask"))
	}
	if !r.agrees(ctx, question) {
		r.note(words.New("command.nothing_written"))
		return exitStatus(exitFailed)
	}
	return nil
}
