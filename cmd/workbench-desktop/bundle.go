package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/bundle"
)

func newBundle(c *shared) *cobra.Command {
	r := &registration{shared: c}
	out := bundle.FileName
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Make a bundle for Claude Desktop, where its file does not keep the entry",
		Long: `Makes an .mcpb bundle, with which Claude Desktop starts the Workbench that is installed here. It is a second way, for
when the app drops the entry of "connect" again and again. Nothing of the program is in it, so it is of use on this computer alone.

Use one of the two ways: with the entry and the bundle, everything is offered twice. Where an organisation manages the computer,
it may have forbidden bundles.`,
		Example: `  workbench-desktop bundle
  workbench-desktop bundle -o ~/Downloads/workbench.mcpb`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return r.bundle(out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", out, "the `file` to write")
	r.testFlags(cmd)
	return cmd
}

func (r *registration) bundle(out string) error {
	_, _, launch, err := r.open()
	if err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return r.failf("%v", err)
	}
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		out = filepath.Join(out, bundle.FileName)
	}
	if err := bundle.Save(out, bundle.Options{Launch: launch, Version: version, OS: runtime.GOOS, Icon: assets.AppIcon}); err != nil {
		return r.failf("%v", err)
	}
	fmt.Fprintln(r.out, out)
	fmt.Fprintf(r.err, `Made for %s.
To install it: open it with a double click, or in Claude Desktop choose Settings, Extensions, Advanced settings, Install extension.
If Claude Desktop is connected by its file too, take that out: workbench-desktop disconnect claude-desktop
`, launch.Program)
	return nil
}
