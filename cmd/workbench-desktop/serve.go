package main

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/assembly"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
	"github.com/workbench-mcp/workbench-desktop/engine/httpserver"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/serving"
	"github.com/workbench-mcp/workbench-desktop/engine/mcpserver"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/pool"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// serveAddress is where the engine listens unless another address is given.
const serveAddress = "127.0.0.1:7400"

// serveOptions are the flags of the command.
type serveOptions struct {
	listen      string
	cert, key   string
	hosts       []string
	tokenHeader string
	tokens      string
	link        string
	poolHost    string
	signIns     string
	limits      httpserver.Limits
	withInput   bool
}

func newServe(c *shared) *cobra.Command {
	var o serveOptions
	cmd := command("serve", exactly(0), func(cmd *cobra.Command, _ []string) error { return c.serve(cmd.Context(), o) })
	flags := cmd.Flags()
	flags.StringVar(&o.listen, "listen", serveAddress, "help.serve.flag_listen")
	flags.StringVar(&o.cert, "cert", "", "help.serve.flag_cert")
	flags.StringVar(&o.key, "key", "", "help.serve.flag_key")
	flags.StringArrayVar(&o.hosts, "host", nil, "help.serve.flag_host")
	flags.StringVar(&o.tokenHeader, "token-header", "", "help.serve.flag_token-header")
	cmd.PersistentFlags().StringVar(&o.tokens, "tokens", "", "help.serve.flag_tokens")
	flags.BoolVar(&o.withInput, serving.Flag, false, "end with standard input, for the window")
	// These are for tests, as those of "stdio" are.
	flags.StringVar(&o.link, "link", "", "where the desktop app listens, or off")
	flags.StringVar(&o.poolHost, "pool-host", "", "where the host of shared servers listens")
	flags.StringVar(&o.signIns, "sign-ins", "", "folder of the sign-ins, which are then kept without the keychain")
	flags.DurationVar(&o.limits.Idle, "idle", 0, "how long a session that nobody uses stays")
	flags.DurationVar(&o.limits.Patience, "patience", 0, "how long a client may take to send or read")
	hide(flags, serving.Flag, "link", "pool-host", "sign-ins", "idle", "patience")
	cmd.AddCommand(newServeToken(c, &o.tokens))
	return cmd
}

// serve offers the engine over HTTP until ctx ends.
func (c *shared) serve(ctx context.Context, o serveOptions) error {
	if (o.cert == "") != (o.key == "") {
		return words.NewError("command.serve_pair")
	}
	tokens, err := c.tokens(o.tokens)
	if err != nil {
		return err
	}
	e, err := c.newSessions(o)
	if err != nil {
		return err
	}
	defer e.close()
	var encrypted *tls.Config
	scheme := "http"
	if o.cert != "" {
		pair, err := tls.LoadX509KeyPair(o.cert, o.key)
		if err != nil {
			return c.fail(words.NewError("command.serve_pair_unreadable", "Why", err))
		}
		encrypted, scheme = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, "https"
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return c.fail(words.NewError("command.serve_listen", "Address", o.listen, "Why", err))
	}
	address := scheme + "://" + listener.Addr().String() + httpserver.Path
	defer announce(address, e.log)()
	c.print(words.New("command.serve_listening", "Address", address))
	if known, err := tokens.List(); err == nil && len(known) == 0 {
		c.note(words.New("command.serve_no_token"))
	}
	if at, ok := listener.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() && scheme == "http" {
		c.note(words.New("command.serve_clear"))
	}
	ctx, cancel := c.ending(ctx, o.withInput)
	defer cancel()
	server := httpserver.New(httpserver.Options{Tokens: tokens, Run: e.run, Hosts: o.hosts, TokenHeader: o.tokenHeader,
		TLS: encrypted, Limits: o.limits, Logger: e.log})
	defer e.follower.Start(ctx)()
	if err := server.Serve(ctx, listener); err != nil {
		return c.fail(err)
	}
	return nil
}

// announce tells the window where apps reach this process. end takes that back.
func announce(address string, log *slog.Logger) (end func()) {
	file, err := paths.Here(os.Getenv).Serving()
	if err == nil {
		end, err = serving.Announce(file, address)
	}
	if err != nil { // the window shows too little, and apps are served all the same
		log.Warn("The window is not told where apps reach Workbench", "error", err)
		return func() {}
	}
	return end
}

// ending returns a context that ends with ctx or, if it is asked for, with standard input.
func (c *shared) ending(ctx context.Context, withInput bool) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if withInput {
		background.Go(func() {
			_, _ = io.Copy(io.Discard, c.in) // any end is one
			cancel()
		})
	}
	return ctx, cancel
}

// sessions makes the engines of all sessions.
type sessions struct {
	c       *shared
	options serveOptions
	log     *slog.Logger
	started time.Time
	mode    config.ToolMode
	guard   *guardian.Starter
	kept    *logs.Writer // of the process itself

	environ  *environ.Environ
	config   string // the path of the configuration
	follower *assembly.Follower
	sharing  *pool.Client
}

func (c *shared) newSessions(o serveOptions) (*sessions, error) {
	log, err := c.logger(slog.LevelInfo)
	if err != nil {
		return nil, err
	}
	e := &sessions{c: c, options: o, started: time.Now()}
	location, document, err := c.load()
	if err != nil {
		return nil, err
	}
	e.config = location.Path
	if e.mode, err = mcpserver.ParseToolMode(os.Getenv(mcpserver.EnvToolMode)); err != nil {
		return nil, c.fail(err)
	}
	e.kept = openLogs(logs.Options{Config: e.config, Pid: os.Getpid(), Started: e.started})
	e.log = slog.New(slog.NewMultiHandler(log.Handler(), logs.Handler(e.kept)))
	logPanics(e.log)
	e.follower = assembly.NewFollower(location, document, c.openApprovals(), e.log)
	e.sharing = pool.NewClient(pool.ClientOptions{Build: buildID(), Endpoint: o.poolHost})
	e.guard = guardian.New(guardian.Options{Logger: e.log})
	e.environ = environ.New(os.Environ())
	return e, nil
}

func (e *sessions) close() {
	e.guard.Close()
	_ = e.environ.Close()
	e.kept.Close(time.Second)
}

// run runs the engine of a session.
func (e *sessions) run(ctx context.Context, caller httpserver.Caller, in io.Reader, out io.Writer) error {
	kept := openLogs(logs.Options{Config: e.config, Pid: os.Getpid(), Client: caller.App, Started: e.started})
	defer kept.Close(time.Second)
	return assembly.Run(ctx, assembly.Options{
		In: in, Out: out, Logger: caller.Log, Logs: kept, Started: e.started, Version: version,
		Follower: e.follower, Environ: e.environ, Start: e.guard.Start, Share: e.sharing.Attach, ShareKey: pool.Key,
		SignIns: openSignIns(e.options.signIns, network.Later(engineEnv(ctx, e.environ)), caller.Log),
		Pins:    e.c.openPins(caller.Log), Usage: countUsage(e.config, caller.App, caller.Log),
		Client: assembly.Client{App: caller.App}, ToolMode: e.mode, Endpoint: e.options.link, Alone: e.options.link == linkOff,
	})
}
