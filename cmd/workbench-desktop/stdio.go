package main

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/workbench"
)

// stdioOptions are the flags of the command.
type stdioOptions struct {
	client   string
	deadline time.Duration
	link     string
	signIns  string
}

// garbage is how much may become garbage before it is collected, in percent of what is in use. In an engine that is
// little, so that the usual 100 means a collection for every 2,000 calls: a tenth of all its work. This costs 4 MiB.
const garbage = 200

// linkOff is the value of --link that keeps an engine from looking for the desktop app.
const linkOff = "off"

func newStdio(c *shared) *cobra.Command {
	var o stdioOptions
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
			return c.stdio(cmd.Context(), o)
		},
	}
	cmd.Flags().DurationVar(&o.deadline, "open-deadline", toolbox.DefaultDeadline, "how long opening a toolbox waits for slow servers before it answers without them")
	cmd.Flags().StringVar(&o.client, "client", "", "which app starts us (`id`, written by registration), to choose the tool mode")
	// For tests. A variable would not do: clients could set it, and an engine that nobody sees is of no use to them.
	cmd.Flags().StringVar(&o.link, "link", "", "where the desktop app listens, or off")
	cmd.Flags().StringVar(&o.signIns, "sign-ins", "", "folder of the sign-ins to remote servers, which are then kept without the keychain")
	for _, name := range []string{"link", "sign-ins"} {
		if err := cmd.Flags().MarkHidden(name); err != nil {
			panic(err) // it was defined above
		}
	}
	return cmd
}

func (c *shared) stdio(ctx context.Context, o stdioOptions) error {
	started := time.Now()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
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
	var agent *ipc.Agent
	// AI apps hand over a bare environment. The user's own is only looked for when a server needs it.
	surroundings := environ.New(os.Environ())
	defer surroundings.Close()
	server := workbench.New(document.Config, workbench.Options{
		Version:  version,
		ClientID: o.client,
		ToolMode: mode,
		Greeted:  func(name, version string) { agent.SetClient(name, version) },
		Toolbox: toolbox.Options{
			Lookup: config.SystemLookup(), EnvironFor: surroundings.For, Deadline: o.deadline, Tokens: tokens(openSignIns(o.signIns, log)),
		},
		Logger: log,
	})
	follower := newFollower(location, document, server, log)
	agent = ipc.NewAgent(ipc.AgentOptions{
		Endpoint: o.link,
		About:    ipc.About{Pid: os.Getpid(), Program: version, Config: location.Path, Started: started, ClientID: o.client},
		Source:   server.Toolboxes(),
		Reread:   follower.Reread,
		Logger:   log,
	})

	beside, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { follower.Run(beside) })
	if o.link != linkOff {
		running.Go(func() { _ = agent.Run(beside) }) // it ends when we do, and only then
	}
	if out, ok := c.out.(*os.File); ok {
		process.WidenPipe(out)
	}
	err = server.Run(ctx, c.in, c.out)
	stop()
	running.Wait()
	if err != nil && ctx.Err() == nil {
		return c.failf("the connection to the client failed: %v", err)
	}
	return nil
}
