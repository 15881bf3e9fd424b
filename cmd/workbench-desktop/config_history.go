package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newHistory(e *editor) *cobra.Command {
	var asJSON bool
	cmd := command("config history", between(0, 1), func(_ *cobra.Command, args []string) error {
		s, err := e.open()
		if err != nil {
			return err
		}
		if len(args) == 1 {
			diff, err := s.Diff(args[0])
			if err != nil {
				return e.fail(err)
			}
			fmt.Fprint(e.out, diff)
			return nil
		}
		return e.listHistory(s, asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.config.history.flag_json")
	return cmd
}

func (e *editor) listHistory(s *store.Store, asJSON bool) error {
	versions, err := s.History()
	if err != nil {
		return e.fail(err)
	}
	if asJSON {
		if versions == nil {
			versions = []store.Version{}
		}
		return e.encode(versions)
	}
	if len(versions) == 0 {
		e.note(words.New("command.no_history_yet", "Path", s.Location().Path))
	}
	for _, v := range versions {
		size := e.words.Text(words.New("command.bytes", "Size", fmt.Sprintf("%7s", e.words.Text(words.Number(int(v.Size))))))
		at := v.Time.Local()
		fmt.Fprintf(e.out, "%s  %s  %s  %s (%s)\n", v.ID, e.words.Text(words.At(words.Date(at), words.Seconds(at))), size,
			e.words.Text(v.Text()), e.words.Text(author(v.Author)))
	}
	return nil
}

// author says who made a version.
func author(a store.Author) words.Text {
	switch a {
	case store.AuthorWindow:
		return words.New("command.author_window")
	case store.AuthorCommandLine:
		return words.New("command.author_commands")
	}
	return words.New("command.author_other")
}

func newRestore(e *editor) *cobra.Command {
	return command("config restore", exactly(1), func(cmd *cobra.Command, args []string) error {
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
		e.tell(s, restored.Change)
		for _, secret := range restored.Kept {
			e.note(words.New("command.secret_kept", "Path", secret.Path))
		}
		for _, secret := range restored.Missing {
			e.note(words.New("command.secret_missing", "Path", secret.Path, "Reference", "${"+secret.Variable+"}"))
		}
		return nil
	})
}

func newFormat(e *editor) *cobra.Command {
	return command("config fmt", exactly(0), func(cmd *cobra.Command, _ []string) error {
		s, err := e.open()
		if err != nil {
			return err
		}
		if s.Current().Source == nil {
			return e.fail(words.NewError("command.nothing_to_format", "Why", noFile(s.Location().Path)))
		}
		return e.changeIn(cmd.Context(), s, words.New("command.label_formatted"), store.OpFunc(format))
	})
}

// format returns a text in the form of hujson, with spaces instead of tabs.
func format(source []byte) ([]byte, error) {
	// Format modifies the bytes that were parsed, so they are copied.
	tree, err := hujson.Parse(bytes.Clone(bytes.TrimPrefix(source, []byte("\ufeff"))))
	if err != nil {
		return nil, words.NewError("command.not_read", "Why", err)
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
