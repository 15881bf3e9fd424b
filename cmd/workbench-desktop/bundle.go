package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/bundle"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newBundle(c *shared) *cobra.Command {
	r := &registration{shared: c}
	out := bundle.FileName
	cmd := command("bundle", exactly(0), func(cmd *cobra.Command, _ []string) error {
		return r.bundle(cmd.Context(), out)
	})
	cmd.Flags().StringVarP(&out, "output", "o", out, "help.bundle.flag_output")
	r.testFlags(cmd)
	return cmd
}

func (r *registration) bundle(ctx context.Context, out string) error {
	s, err := r.open(ctx)
	if err != nil {
		return err
	}
	options, err := s.Bundle(version, assets.AppIcon)
	if err == nil {
		out, err = setup.SaveBundle(out, options)
	}
	if err != nil {
		return r.fail(err)
	}
	fmt.Fprintln(r.out, out)
	r.note(words.New("command.bundle_made", "Program", options.Launch.Program))
	return nil
}
