package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

func newHistory(e *editor) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history [version]",
		Short: "List the saved versions, or show what one changed",
		Long: `Lists the versions of the file that were saved or seen, newest first. With a version, prints what has
changed since then. Secrets are not in the history; placeholders stand for them.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := e.open()
			if err != nil {
				return err
			}
			if len(args) == 1 {
				diff, err := s.Diff(args[0])
				if err != nil {
					return e.failf("%v", err)
				}
				fmt.Fprint(e.out, diff)
				return nil
			}
			return e.listHistory(s, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
}

func (e *editor) listHistory(s *store.Store, asJSON bool) error {
	versions, err := s.History()
	if err != nil {
		return e.failf("%v", err)
	}
	if asJSON {
		if versions == nil {
			versions = []store.Version{}
		}
		out := json.NewEncoder(e.out)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(versions)
	}
	if len(versions) == 0 {
		fmt.Fprintf(e.err, "There is no history of %s yet.\n", s.Location().Path)
	}
	for _, v := range versions {
		fmt.Fprintf(e.out, "%s  %s  %7d bytes  %s (%s)\n", v.ID, v.Time.Local().Format("2006-01-02 15:04:05"), v.Size, v.Label, v.Author)
	}
	return nil
}

func newRestore(e *editor) *cobra.Command {
	return &cobra.Command{
		Use:   "restore version",
		Short: "Bring back a version from the history",
		Long: `Puts a version from the history into the file, also over a broken one. That is a change like any other: the
version that was there before is in the history.

Secrets are not in the history. They are taken from the file as it is; what is missing there must be
typed in again, and is named.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := e.open()
			if err != nil {
				return err
			}
			var restored store.Restored
			if e.dryRun {
				restored, err = s.PlanRestore(args[0])
			} else {
				restored, err = s.Restore(cmd.Context(), args[0])
			}
			if err != nil {
				return e.refused(err)
			}
			e.print(s, restored.Change)
			for _, secret := range restored.Kept {
				fmt.Fprintf(e.err, "The value of %s at that time is not known; it keeps its present one.\n", secret.Path)
			}
			for _, secret := range restored.Missing {
				fmt.Fprintf(e.err, "The value of %s is not known any more: type it in again in place of ${%s}.\n", secret.Path, secret.Variable)
			}
			return nil
		},
	}
}

func newFormat(e *editor) *cobra.Command {
	return &cobra.Command{
		Use:   "fmt",
		Short: "Write the file anew in a tidy form",
		Long: `Indents the file by two spaces a level, puts one member on a line where it is longer, and aligns the values of
members that follow each other in columns. Comments, order and values stay. No other command changes how
the file is written.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := e.open()
			if err != nil {
				return err
			}
			if s.Current().Source == nil {
				return e.failf("there is nothing to format: %s", noFile(s.Location().Path))
			}
			return e.changeIn(cmd.Context(), s, "format the file", store.OpFunc(format))
		},
	}
}

// format is hujson's form, with spaces for tabs.
func format(source []byte) ([]byte, error) {
	// The tree's Format works in the very bytes that were parsed, which are not ours.
	tree, err := hujson.Parse(bytes.Clone(bytes.TrimPrefix(source, []byte("\ufeff"))))
	if err != nil {
		return nil, fmt.Errorf("reading the file: %w", err)
	}
	tree.Format()
	lines := bytes.SplitAfter(tree.Pack(), []byte{'\n'})
	var tidy []byte
	for _, line := range lines {
		text := bytes.TrimLeft(line, "\t")
		tidy = append(tidy, bytes.Repeat([]byte("  "), len(line)-len(text))...)
		tidy = append(tidy, text...)
	}
	if !bytes.HasSuffix(tidy, []byte{'\n'}) {
		tidy = append(tidy, '\n')
	}
	return tidy, nil
}
