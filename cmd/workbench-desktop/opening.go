package main

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
)

// opensFile allows one argument: a file that the window opens, or one of our links.
func opensFile(cmd *cobra.Command, args []string) error {
	if hasWindow && len(args) == 1 && toOpen(args) != "" {
		return nil
	}
	return exactly(0)(cmd, args)
}

// linkAlone leaves out what stands behind a link. A page can make a link that a system splits, and flags in it are not
// the user's.
func linkAlone(args []string) []string {
	if first := slices.IndexFunc(args, func(arg string) bool {
		return arg != "--"
	}); first >= 0 && links.Is(args[first]) {
		return []string{"--", args[first]}
	}
	return args
}

// toOpen returns what the window opens: one of our links, or the absolute path of a file, which may be given
// in the form that desktops use; "" if there is none.
func toOpen(args []string) string {
	if len(args) != 1 {
		return ""
	}
	path := args[0]
	if links.Is(path) {
		return path
	}
	path = share.Path(path)
	if !share.Named(path) && !extension.Named(path) {
		return ""
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return whole
}
