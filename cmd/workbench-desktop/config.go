package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// editor has what the commands under "config" share.
type editor struct {
	*shared
	dryRun bool
}

func newConfig(c *shared) *cobra.Command {
	e := &editor{shared: c}
	cmd := command("config", exactly(0), func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	changing := []*cobra.Command{
		newAddToolbox(e), newAddServer(e), newRename(e), newDuplicate(e), newMove(e), newRemove(e),
		newSet(e), newUnset(e), newRestore(e), newFormat(e),
	}
	for _, sub := range changing {
		sub.Flags().BoolVar(&e.dryRun, "dry-run", false, "help.config.flag_dry-run")
	}
	cmd.AddCommand(changing...)
	cmd.AddCommand(newHistory(e), newShare(e))
	return cmd
}

// open returns the store of the current configuration.
func (e *editor) open() (*store.Store, error) {
	location, err := e.locate()
	if err != nil {
		return nil, err
	}
	s, err := e.openStore(location, e.dryRun)
	if err != nil {
		return nil, e.fail(err)
	}
	return s, nil
}

// openStore returns the store of a configuration. With dryRun it is only looked at.
func (c *shared) openStore(location config.Location, dryRun bool) (*store.Store, error) {
	history, err := paths.Here(os.Getenv).History()
	if err != nil {
		c.complain(words.NewError("command.no_history", "Why", err))
	}
	return store.Open(store.Options{Location: location, HistoryDir: history, Approvals: c.openApprovals(),
		Unattended: !c.atTerminal(), ReadOnly: dryRun})
}

// do makes operations on the file and prints the changes.
func (e *editor) do(ctx context.Context, ops ...edit.Op) error {
	s, err := e.open()
	if err != nil {
		return err
	}
	return e.changeIn(ctx, s, store.SayingFor(ops...), store.Edits(ops...))
}

func (e *editor) changeIn(ctx context.Context, s *store.Store, says words.Text, op store.Op) error {
	var change store.Change
	var err error
	if e.dryRun {
		change, err = s.PreviewSaying(says, op)
	} else {
		change, err = s.EditSaying(ctx, nil, says, op)
	}
	if err != nil {
		return e.refused(err)
	}
	e.tell(s, change)
	return nil
}

// refused returns the error for an edit that was not made.
func (e *editor) refused(err error) error {
	var invalid *store.InvalidError
	if errors.As(err, &invalid) {
		for _, problem := range invalid.Errors {
			e.problem(e.err, problem, e.asItWouldBe())
		}
		return e.fail(words.NewError("command.would_be_invalid"))
	}
	return e.fail(err)
}

// tell prints the difference to standard output, so that it can be piped, and the rest to standard error.
func (e *editor) tell(s *store.Store, change store.Change) {
	path := s.Location().Path
	if !change.Changed() {
		e.note(words.New("command.nothing_to_change", "Path", path))
		return
	}
	fmt.Fprint(e.out, change.Diff())
	switch {
	case e.dryRun:
		e.note(words.New("command.not_saved", "What", change.Says))
	case change.Replayed:
		e.note(words.New("command.saved_with_others", "Path", path, "What", change.Says))
	default:
		e.note(words.New("command.saved", "Path", path, "What", change.Says))
	}
	e.complainOf(change)
	name := path
	if e.dryRun {
		name = e.asItWouldBe()
	}
	for _, problem := range fresh(change.Before.Diagnostics, change.After.Diagnostics) {
		e.problem(e.err, problem, name)
	}
}

// complainOf prints other problems of a change that was saved.
func (s streams) complainOf(change store.Change) {
	if change.Unrecorded != nil {
		s.complain(change.Unrecorded)
	}
	if change.Unapproved != nil {
		s.complain(words.NewError("command.saved_unapproved", "Why", change.Unapproved))
	}
}

// asItWouldBe returns the name of a file whose lines differ from those on disk.
func (s streams) asItWouldBe() string { return s.words.Text(words.New("command.as_it_would_be")) }

// fresh returns the problems that a change has added. A problem that only moved, for example because its
// server was renamed, is not one.
func fresh(before, after []config.Diagnostic) []config.Diagnostic {
	for _, same := range []func(was, is config.Diagnostic) bool{
		func(was, is config.Diagnostic) bool { return was.Path == is.Path && was.Message.Equal(is.Message) },
		func(was, is config.Diagnostic) bool { return was.Message.Equal(is.Message) },
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

// position has the flags for the place of something new.
type position struct{ before, after string }

func (p *position) flags(cmd *cobra.Command, before, after string) {
	cmd.Flags().StringVar(&p.before, "before", "", before)
	cmd.Flags().StringVar(&p.after, "after", "", after)
	oneOf(cmd, "before", "after")
}

func (p *position) at() edit.Position {
	return edit.Position{Before: p.before, After: p.after}
}
