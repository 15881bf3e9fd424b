package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
)

func newConnect(c *shared) *cobra.Command {
	r := &registration{shared: c}
	cmd := &cobra.Command{
		Use:   "connect client",
		Short: "Have an AI app start Workbench",
		Long: `Enters Workbench into the configuration file of an AI app. Everything else in the file stays as it is, comments and layout
included. The difference is printed first, and at a terminal you are asked.

A copy of the file is kept, with which "disconnect" brings it back to the byte. Connecting twice changes nothing. An entry that somebody
else has called "workbench" stays; ours then gets another name.

The apps: ` + strings.Join(client.IDs(), " ") + `.`,
		Example: `  workbench-desktop connect claude-desktop
  workbench-desktop connect claude-desktop --wait     wait until it has been quit
  workbench-desktop connect cursor --dry-run`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: client.IDs(),
		RunE:      func(cmd *cobra.Command, args []string) error { return r.connect(cmd.Context(), args[0]) },
	}
	r.changeFlags(cmd)
	return cmd
}

func newDisconnect(c *shared) *cobra.Command {
	r := &registration{shared: c}
	cmd := &cobra.Command{
		Use:   "disconnect client | --all",
		Short: "Take Workbench out of an AI app again",
		Long: `Takes our entry out of the file of an AI app. When nothing else has changed since "connect", the file will be what it was
to the byte; else only our entry goes. A file that we made is removed when it is empty again.`,
		Example: `  workbench-desktop disconnect claude-desktop
  workbench-desktop disconnect --all                  out of every app, before uninstalling`,
		Args: func(cmd *cobra.Command, args []string) error {
			if r.all == (len(args) == 1) || len(args) > 1 {
				return errors.New("disconnect takes one app, or --all")
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
	cmd.Flags().BoolVar(&r.all, "all", false, "take it out of all apps that were connected")
	return cmd
}

func (r *registration) changeFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&r.yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "print the difference and change nothing")
	cmd.Flags().BoolVar(&r.wait, "wait", false, "if the app must not run meanwhile, wait until it has been quit")
	r.testFlags(cmd)
}

// known finds a client by its id.
func (r *registration) known(id string) (clients.Client, error) {
	c, ok := clients.ByID(id)
	if !ok {
		return c, fmt.Errorf("there is no app %q; the apps are: %s", id, strings.Join(client.IDs(), " "))
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
		return r.failf("%v", err)
	}
	if plan.Paste != "" {
		fmt.Fprintf(r.err, "%s Run this at a terminal:\n", c.ByHand)
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
				return r.failf("%v", err)
			}
		}
	}
	r.show(plan)
	switch {
	case r.dryRun && plan.Changed():
		fmt.Fprintln(r.err, "Nothing was written (--dry-run).")
		return nil
	case r.dryRun:
		fmt.Fprintf(r.err, "%s has the entry already. Nothing to change.\n", c.Name)
		return nil
	case !plan.Changed():
		if err := registrar.Apply(plan); err != nil { // the ledger may not know it
			return r.failf("%v", err)
		}
		fmt.Fprintf(r.err, "%s has the entry already. Nothing was changed.\n", c.Name)
		return nil
	}
	if err := r.confirm(ctx, fmt.Sprintf("Connect %s?", c.Name)); err != nil {
		return err
	}
	if err := registrar.Apply(plan); err != nil {
		return r.failf("%v", err)
	}
	if err := r.verify(ctx, registrar, plan); err != nil {
		return err
	}
	fmt.Fprintf(r.err, "Workbench is in the file of %s.\n", c.Name)
	if slices.ContainsFunc(plan.Changes, func(change clients.Change) bool { return change.Changed() && change.Before != nil }) {
		fmt.Fprintf(r.err, "What was there before is kept in %s.\n", registrar.Folder())
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
		return false, r.failf("%v", err)
	case !r.wait:
		return false, r.failf("%v. Then try again, or let --wait wait for it", err)
	}
	fmt.Fprintf(r.err, "%v. Waiting for it.\n", err)
	if err := registrar.WaitUntilQuit(ctx, c); err != nil {
		if ctx.Err() != nil {
			return false, r.failf("nothing was changed, because the waiting was ended")
		}
		return false, r.failf("%v", err)
	}
	fmt.Fprintf(r.err, "%s has been quit.\n", c.Name)
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
		return r.failf("%s was connected; whether it keeps the entry was not waited for", plan.Client.Name)
	case <-time.After(settled):
	}
	lost, err := registrar.StillThere(plan)
	if lost != "" || err != nil {
		return r.failf("the entry was put into %s, and another program took it out again; quit %s fully, then try again", lost, plan.Client.Name)
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
		return r.failf("%v", err)
	}
	if plan.Paste != "" {
		fmt.Fprintf(r.err, "%s Run this at a terminal:\n", c.ByHand)
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
				return r.failf("%v", err)
			}
		}
	}
	r.show(plan)
	switch {
	case r.dryRun && plan.Changed():
		fmt.Fprintln(r.err, "Nothing was written (--dry-run).")
		return nil
	case r.dryRun:
		fmt.Fprintf(r.err, "There is no entry of ours in %s. Nothing to change.\n", c.Name)
		return nil
	}
	changed := plan.Changed()
	if changed {
		if err := r.confirm(ctx, fmt.Sprintf("Disconnect %s?", c.Name)); err != nil {
			return err
		}
	}
	if err := registrar.Apply(plan); err != nil {
		return r.failf("%v", err)
	}
	if !changed {
		fmt.Fprintf(r.err, "There is no entry of ours in %s. Nothing was changed.\n", c.Name)
		return nil
	}
	fmt.Fprintf(r.err, "%s is disconnected.\n", c.Name)
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
		return r.failf("%v", err)
	}
	if len(ids) == 0 {
		fmt.Fprintln(r.err, "No app is connected.")
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
func (r *registration) confirm(ctx context.Context, question string) error {
	if r.yes {
		return nil
	}
	in, ok := r.in.(*os.File)
	if ok {
		info, err := in.Stat()
		ok = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if !ok {
		return r.failf("nothing was written, because there is nobody to ask; give --yes to do it")
	}
	if !r.agrees(ctx, question) {
		fmt.Fprintln(r.err, "Nothing was written.")
		return exitStatus(exitFailed)
	}
	return nil
}
