package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/workbench"
)

func newStdio(c *shared) *cobra.Command {
	var client string
	var deadline time.Duration
	cmd := &cobra.Command{
		Use:   "stdio",
		Short: "Run the engine: the MCP server that AI apps start",
		Long: `Runs the engine: an MCP server that speaks over standard input and output. AI apps start it;
at a terminal it only waits for JSON-RPC messages, one on each line.

It ends when its standard input is closed or on SIGTERM, together with every server that it started.
What it has to say to people goes to standard error.`,
		Example: `  workbench-desktop stdio --config docs/example/workbench-config.json`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.stdio(cmd.Context(), client, deadline)
		},
	}
	cmd.Flags().DurationVar(&deadline, "open-deadline", toolbox.DefaultDeadline, "how long opening a toolbox waits for slow servers before it answers without them")
	cmd.Flags().StringVar(&client, "client", "", "which app starts us (`id`, written by registration), to choose the tool mode")
	return cmd
}

func (c *shared) stdio(ctx context.Context, client string, deadline time.Duration) error {
	log, err := c.logger(slog.LevelInfo)
	if err != nil {
		return err
	}
	location, document, err := c.load()
	if err != nil {
		return err
	}
	mode, err := workbench.ParseToolMode(os.Getenv(workbench.EnvToolMode))
	if err != nil {
		return c.failf("%v", err)
	}
	for _, problem := range document.Diagnostics {
		log.Warn(problem.Message, "file", location.Path, "line", problem.Line, "column", problem.Column, "at", problem.Path, "hint", problem.Hint)
	}
	server := workbench.New(document.Config, workbench.Options{
		Version:  version,
		ClientID: client,
		ToolMode: mode,
		Toolbox:  toolbox.Options{Lookup: config.SystemLookup(), Deadline: deadline},
		Logger:   log,
	})

	watching, stop := context.WithCancel(ctx)
	var watcher sync.WaitGroup
	watcher.Go(func() { follow(watching, location, document, server, log) })
	if out, ok := c.out.(*os.File); ok {
		process.WidenPipe(out)
	}
	err = server.Run(ctx, c.in, c.out)
	stop()
	watcher.Wait()
	if err != nil && ctx.Err() == nil {
		return c.failf("the connection to the client failed: %v", err)
	}
	return nil
}

// follow takes up changes of the file while the engine runs. A broken one changes nothing and is
// reported (contract.md, section 2).
func follow(ctx context.Context, location config.Location, known *config.Document, server *workbench.Server, log *slog.Logger) {
	watcher := config.NewWatcher(location, config.WatchOptions{Last: known, Changed: func(document *config.Document, err error) {
		if err != nil {
			log.Error("The configuration cannot be read; the last good one stays in force", "error", err)
			return
		}
		for _, problem := range document.Errors() {
			log.Error("The configuration is broken; the last good one stays in force", "file", location.Path,
				"line", problem.Line, "column", problem.Column, "at", problem.Path, "problem", problem.Message, "hint", problem.Hint)
		}
		if document.Valid() {
			log.Info("The configuration changed", "file", location.Path, "toolboxes", len(document.Config.Toolboxes))
			server.SetConfig(document.Config)
		}
	}})
	if err := watcher.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		log.Error("The configuration is no longer watched; start the client again after a change", "error", err)
	}
}
