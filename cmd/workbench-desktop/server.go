package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/document"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newServer(c *shared) *cobra.Command {
	var private bool
	cmd := command(builtin.Command, atLeast(1), func(cmd *cobra.Command, args []string) error {
		name, args := args[0], args[1:]
		if name == document.Command && len(args) == 1 { // it is started by "files" and "web"
			return exitStatusOf(document.Main(document.Kind(args[0]), os.Stdin, c.wire, c.err))
		}
		notes, err := paths.Here(os.Getenv).Notes()
		if err != nil {
			return c.fail(err)
		}
		err = builtin.Run(cmd.Context(), name, args,
			builtin.Options{Version: version, Notes: notes, Private: private, In: c.in, Out: c.wire})
		switch {
		case errors.Is(err, builtin.ErrUnknown):
			return words.NewError("command.no_builtin", "Name", name, "Names", builtin.Names())
		case errors.Is(err, builtin.ErrArguments):
			return words.NewError("command.builtin_arguments", "Name", name)
		case err != nil:
			return c.fail(err)
		}
		return nil
	})
	cmd.Flags().BoolVar(&private, "private", false, "help.server.flag_private")
	return cmd
}
