package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

const (
	// DefaultDrain is how long calls in flight may continue after the client has closed stdin.
	DefaultDrain = 10 * time.Second

	// DefaultMaxMessage is the default of [Options.MaxMessage], in bytes.
	DefaultMaxMessage = 64 << 20

	// lingerTimeout is how long Run waits for goroutines that still write answers when everything else has ended.
	lingerTimeout = 2 * time.Second

	// killGrace is how long servers may take to exit after a signal, before they are killed.
	killGrace = time.Second
)

// Options configures a [Server]. The zero value works.
type Options struct {
	// Version is the version of the program, which clients and servers are told.
	Version string
	// ClientID is the id of the app that the engine was registered for (--client); "" if a person has made the entry.
	ClientID string
	// App, if not "", is the name of the app for which toolboxes are chosen by "apps", whatever the client says it is.
	App string
	// ToolMode, if not "", overrides the mode of the configuration; see [ParseToolMode].
	ToolMode config.ToolMode
	// Folder is the folder in which the client works if it has no roots; "" if that is not known.
	Folder string
	// Identified is called with the client's name and version, as plain text, after initialize or, in a client of
	// 2026-07-28, with the first request other than server/discover. It must not block.
	Identified func(name, version string)
	// Toolbox configures the manager. Changed, Client, Version, Exposed and Logger are set by the Server.
	Toolbox toolbox.Options
	// Drain is how long calls in flight may continue after in has ended; 0 means [DefaultDrain].
	Drain time.Duration
	// AskLimit is how long the client may take to answer any request of a server; 0 means a limit for each method.
	AskLimit time.Duration
	// ListWait is how long an answer waits until the client has the changed list of tools; 0 means [DefaultListWait].
	ListWait time.Duration
	// MaxMessage is the largest message from the client, in bytes; 0 means [DefaultMaxMessage].
	MaxMessage int
	Logger     *slog.Logger
}

// Server is the MCP server for one client. [New] makes its parts in the order of the fields: each part uses only those
// before it.
type Server struct {
	options Options
	log     *slog.Logger

	peer      *peer
	conn      *conn
	requests  *requests
	roots     *roots
	catalogue *catalogue
	manager   *toolbox.Manager
	identity  *identity
	levels    *levels
	opener    *opener
	streams   *streams
	announcer *announcer
	exchanges *exchanges
	asking    *asking
	finder    finder

	sending  turns           // the order of calls, by server
	lifetime context.Context // of [Server.Run]
}

// New returns a server for cfg. It starts nothing until [Server.Run].
func New(cfg *config.Config, options Options) *Server {
	if options.Drain == 0 {
		options.Drain = DefaultDrain
	}
	if options.ListWait == 0 {
		options.ListWait = DefaultListWait
	}
	if options.MaxMessage == 0 {
		options.MaxMessage = DefaultMaxMessage
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	log := options.Logger
	s := &Server{options: options, log: log}
	s.peer = &peer{id: options.ClientID, app: options.App}
	s.peer.client.Store(client.Find(options.ClientID, ""))
	s.conn = &conn{log: log, peer: s.peer, inputEnded: make(chan struct{})}
	s.requests = &requests{log: log, inflight: map[string]*request{}}
	s.roots = &roots{folder: options.Folder}
	s.catalogue = &catalogue{log: log, peer: s.peer, roots: s.roots, forced: options.ToolMode, whole: cfg,
		viewer: viewer{apps: s.peer.appIDs(), folders: s.roots.folders(), lookup: options.Toolbox.Lookup}}
	s.announcer = &announcer{log: log, wake: make(chan struct{}, 1), delivery: newDelivery(), listWait: options.ListWait,
		inputEnded: s.conn.inputEnded, updates: map[string]json.RawMessage{}}
	s.asking = &asking{log: log, peer: s.peer, conn: s.conn, announcer: s.announcer, limit: options.AskLimit,
		asked: map[string]*asked{}, clientTasks: map[toolbox.ServerID]map[string]bool{}}

	boxes := options.Toolbox
	boxes.Version = options.Version
	boxes.Changed = s.announcer.listChanged
	boxes.Client = s.asking
	boxes.Exposed = s.catalogue.exposed
	boxes.Logger = log
	if boxes.Answering == 0 {
		boxes.Answering = client.Find(options.ClientID, "").Answering()
	}
	s.manager = toolbox.NewManager(s.catalogue.viewer.visible(cfg), boxes)

	s.catalogue.manager = s.manager
	s.identity = &identity{id: uuid.NewString(), version: options.Version, manager: s.manager, peer: s.peer}
	s.levels = &levels{manager: s.manager, peer: s.peer}
	s.opener = &opener{manager: s.manager, peer: s.peer}
	s.streams = &streams{log: log, manager: s.manager, conn: s.conn, open: map[string]*stream{},
		followed: map[string]int{}, ownTexts: map[string]string{}}
	s.exchanges = &exchanges{manager: s.manager, peer: s.peer, conn: s.conn, calls: &s.requests.calls,
		suspended: map[string]*exchange{}}
	s.announcer.manager, s.announcer.catalogue, s.announcer.opener, s.announcer.streams = s.manager, s.catalogue,
		s.opener, s.streams
	s.asking.manager, s.asking.exchanges, s.asking.streams, s.asking.levels = s.manager, s.exchanges, s.streams, s.levels
	return s
}

// Toolboxes returns the manager of the toolboxes. The Server shuts it down.
func (s *Server) Toolboxes() *toolbox.Manager { return s.manager }

// Run serves a client on in and out until in ends, ctx ends, or writing to out fails. It returns when the processes of
// all servers have ended. After the end of in, calls in flight are answered for at most [Options.Drain]; after the end
// of ctx, they are not. A goroutine that is blocked in a read of in is left running.
//
// Run returns nil after the end of in, and the cause of ctx after the end of ctx.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.lifetime, s.announcer.lifetime, s.exchanges.lifetime = run, run, run
	s.conn.out = jsonrpc.NewWriter(failingWriter{out, cancel})
	s.announcer.markAnnounced(false) // the initial list is not a change

	ended := make(chan error, 1)
	background.Go(func() {
		reader := jsonrpc.NewReader(in, s.options.MaxMessage)
		ended <- background.Catch(func() error { return s.read(run, reader) })
	})
	var beside background.Group
	beside.Go(func() { background.Keep(run, func() { s.announcer.run(run) }) })

	var err error
	select {
	case err = <-ended:
		if err == nil || errors.Is(err, io.EOF) {
			err = nil
			close(s.conn.inputEnded)
			s.drain(run)
		}
	case <-run.Done():
		err = context.Cause(run)
	}

	// After the end of ctx, which a signal causes, servers are killed after killGrace.
	shutdown, done := context.WithCancel(context.WithoutCancel(ctx))
	defer done()
	stopHurry := background.AfterEnd(ctx, func() {
		background.After(killGrace, done)
	})
	defer stopHurry()
	cancel(err)
	s.manager.Shutdown(shutdown)
	quiet := func() {
		s.requests.end()
		beside.Wait()
	}
	if !pause.Until(context.Background(), quiet, lingerTimeout) {
		// A write that blocks, because the client does not read, cannot be ended.
		s.log.Warn("The client does not read what it was sent; it is left behind")
	}
	return err
}

// drain waits for calls in flight, at most [Options.Drain].
func (s *Server) drain(ctx context.Context) {
	if !pause.Until(ctx, s.requests.calls.Wait, s.options.Drain) && ctx.Err() == nil {
		s.log.Warn("The client closed the connection; calls still in flight are given up", "after", s.options.Drain)
	}
}
