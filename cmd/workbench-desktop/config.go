package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// editor is what the commands under "config" share.
type editor struct {
	*shared
	dryRun bool
}

func newConfig(c *shared) *cobra.Command {
	e := &editor{shared: c}
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Change workbench-config.json without losing anything in it",
		Long: `Changes the configuration. Comments, order, indentation and everything else that a change does not
concern stay as they are. Each command prints the difference it made; secrets are masked in it.

Every version that was saved is in the history, from which "restore" brings it back. Engines and the
desktop app take up a change by themselves.`,
		Example: `  workbench-desktop config add-toolbox dev --description "Development tools"
  workbench-desktop config add-server dev memory -- npx -y @modelcontextprotocol/server-memory
  workbench-desktop config set dev memory env.MEMORY_FILE_PATH '${HOME}/memory.jsonl'
  workbench-desktop config move dev memory --to notes
  workbench-desktop config history`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	changing := []*cobra.Command{
		newAddToolbox(e), newAddServer(e), newRename(e), newDuplicate(e), newMove(e), newRemove(e),
		newSet(e), newUnset(e), newRestore(e), newFormat(e),
	}
	for _, sub := range changing {
		sub.Flags().BoolVar(&e.dryRun, "dry-run", false, "print the difference and change nothing")
	}
	cmd.AddCommand(changing...)
	cmd.AddCommand(newHistory(e))
	return cmd
}

// open returns the store of the configuration in force.
func (e *editor) open() (*store.Store, error) {
	location, err := config.Locate(e.config, os.Getenv)
	if err != nil {
		return nil, e.failf("%v", err)
	}
	history, err := paths.Here(os.Getenv).History()
	if err != nil {
		fmt.Fprintf(e.err, "workbench-desktop: no history is kept: %v\n", err)
	}
	s, err := store.Open(store.Options{Location: location, HistoryDir: history, Plan: e.dryRun})
	if err != nil {
		return nil, e.failf("%v", err)
	}
	return s, nil
}

// do makes operations on the file and prints what they did.
func (e *editor) do(ctx context.Context, ops ...edit.Op) error {
	return e.change(ctx, store.LabelFor(ops...), store.Edits(ops...))
}

func (e *editor) change(ctx context.Context, label string, op store.Op) error {
	s, err := e.open()
	if err != nil {
		return err
	}
	return e.changeIn(ctx, s, label, op)
}

func (e *editor) changeIn(ctx context.Context, s *store.Store, label string, op store.Op) error {
	var change store.Change
	var err error
	if e.dryRun {
		change, err = s.Preview(label, op)
	} else {
		change, err = s.Edit(ctx, label, op)
	}
	if err != nil {
		return e.refused(err)
	}
	e.print(s, change)
	return nil
}

// refused says why an edit was not made.
func (e *editor) refused(err error) error {
	var invalid *store.InvalidError
	if errors.As(err, &invalid) {
		for _, problem := range invalid.Errors {
			fmt.Fprintln(e.err, problem.Format(asItWouldBe))
		}
		return e.failf("the change would make the configuration invalid; nothing was changed")
	}
	return e.failf("%v", err)
}

// print shows the difference on standard output, so that it can be piped, and the rest beside it.
func (e *editor) print(s *store.Store, change store.Change) {
	path := s.Location().Path
	if !change.Changed() {
		fmt.Fprintf(e.err, "Nothing to change in %s.\n", path)
		return
	}
	fmt.Fprint(e.out, change.Diff())
	switch {
	case e.dryRun:
		fmt.Fprintf(e.err, "Not saved (--dry-run): %s.\n", change.Label)
	case change.Replayed:
		fmt.Fprintf(e.err, "Saved %s: %s. Another program had changed the file meanwhile; its change is kept.\n", path, change.Label)
	default:
		fmt.Fprintf(e.err, "Saved %s: %s.\n", path, change.Label)
	}
	if change.Unrecorded != nil {
		fmt.Fprintf(e.err, "workbench-desktop: %v\n", change.Unrecorded)
	}
	name := path
	if e.dryRun {
		name = asItWouldBe
	}
	for _, problem := range fresh(change.Before.Diagnostics, change.After.Diagnostics) {
		fmt.Fprintln(e.err, problem.Format(name))
	}
}

// asItWouldBe is the name of a file whose lines are not those on the disk.
const asItWouldBe = "(the file as it would be)"

// fresh returns the problems that a change brought. One that only moved, with a server that got another name, is none.
func fresh(before, after []config.Diagnostic) []config.Diagnostic {
	for _, same := range []func(was, is config.Diagnostic) bool{
		func(was, is config.Diagnostic) bool { return was.Path == is.Path && was.Message == is.Message },
		func(was, is config.Diagnostic) bool { return was.Message == is.Message },
	} {
		left := slices.Clone(before)
		var found []config.Diagnostic
		for _, is := range after {
			at := slices.IndexFunc(left, func(was config.Diagnostic) bool { return same(was, is) })
			if at < 0 {
				found = append(found, is)
			} else {
				left = slices.Delete(left, at, at+1)
			}
		}
		before, after = left, found
	}
	return after
}

// position are the flags that say where something goes.
type position struct{ before, after string }

func (p *position) flags(cmd *cobra.Command, what string) {
	cmd.Flags().StringVar(&p.before, "before", "", "put it before this "+what+" (`name`)")
	cmd.Flags().StringVar(&p.after, "after", "", "put it after this "+what+" (`name`)")
	cmd.MarkFlagsMutuallyExclusive("before", "after")
}

func (p *position) at() edit.Position {
	return edit.Position{Before: p.before, After: p.after}
}
