package main

import (
	"context"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/assembly"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/mcpserver"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/pool"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// stdioOptions are the flags of the command.
type stdioOptions struct {
	client   string
	deadline time.Duration
	link     string
	host     string
	signIns  string
}

// gcPercent is how much garbage may accumulate before it is collected, in percent of the memory in use. An
// engine uses little memory, so the usual 100 means a collection for every 2,000 calls: a tenth of all its
// work. This value costs 4 MiB. It is set before the file is read, so that a large one is read without a
// collection.
const gcPercent = 200

// linkOff is the value of --link with which an engine does not look for the desktop app.
const linkOff = "off"

func newStdio(c *shared) *cobra.Command {
	var o stdioOptions
	cmd := command("stdio", exactly(0), func(cmd *cobra.Command, _ []string) error {
		return c.stdio(cmd.Context(), o)
	})
	cmd.Flags().DurationVar(&o.deadline, "open-deadline", toolbox.DefaultDeadline, "help.stdio.flag_open-deadline")
	cmd.Flags().StringVar(&o.client, "client", "", "help.stdio.flag_client")
	// These are for tests. They are not variables, since clients could set those, and an engine that the app
	// does not see would be of no use.
	cmd.Flags().StringVar(&o.link, "link", "", "where the desktop app listens, or off")
	cmd.Flags().StringVar(&o.signIns, "sign-ins", "",
		"folder of the sign-ins to remote servers, which are then kept without the keychain")
	cmd.Flags().StringVar(&o.host, "host", "", "where the host of shared servers listens")
	hide(cmd.Flags(), "link", "sign-ins", "host")
	return cmd
}

func (c *shared) stdio(ctx context.Context, o stdioOptions) error {
	started := time.Now()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	log, err := c.logger(slog.LevelInfo)
	if err != nil {
		return err
	}
	location, document, err := c.load()
	if err != nil {
		return err
	}
	kept := openLogs(logs.Options{Config: location.Path, Pid: os.Getpid(), Client: o.client, Started: started})
	defer kept.Close(time.Second)
	log = slog.New(slog.NewMultiHandler(log.Handler(), logs.Handler(kept)))
	logPanics(log)
	mode, err := mcpserver.ParseToolMode(os.Getenv(mcpserver.EnvToolMode))
	if err != nil {
		return c.fail(err)
	}
	guard := guardian.New(guardian.Options{Logger: log})
	defer guard.Close()
	folder, _ := os.Getwd() // if it is gone, it says nothing
	in, restore := polled(c.in)
	defer restore()
	if in != c.in && os.Getenv("GOMAXPROCS") == "" {
		// The engine passes lines on and waits; no read keeps a thread. With a second processor each step of a call
		// would wake a thread that finds nothing to do, which is more work than the step.
		runtime.GOMAXPROCS(1)
	}
	sharing := pool.NewClient(pool.ClientOptions{Build: buildID(), Endpoint: o.host})
	surroundings := environ.New(os.Environ())
	defer surroundings.Close()
	follower := assembly.NewFollower(location, document, c.openApprovals(), log)
	defer follower.Start(ctx)()
	err = assembly.Run(ctx, assembly.Options{
		In: in, Out: c.wire, Logger: log, Logs: kept, Started: started, Version: version,
		Follower: follower, Environ: surroundings, Start: guard.Start, Share: sharing.Attach, ShareKey: pool.Key,
		SignIns: openSignIns(o.signIns, network.Later(engineEnv(ctx, surroundings)), log),
		Pins:    c.openPins(log), Usage: countUsage(location.Path, o.client, log),
		Client: assembly.Client{ID: o.client, Folder: folder}, ToolMode: mode, Deadline: o.deadline, Endpoint: o.link,
		Alone: o.link == linkOff,
	})
	if err != nil {
		return c.fail(words.NewError("command.client_lost", "Why", err))
	}
	return nil
}
