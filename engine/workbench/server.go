package workbench

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
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
	// ServerName is what the engine calls itself towards clients and servers (contract.md, section 3).
	ServerName = "mcp-workbench"

	// DefaultDrain is how long calls in flight may go on after the client has closed our stdin.
	DefaultDrain = 10 * time.Second

	// DefaultMaxMessage caps one message from the client, in bytes.
	DefaultMaxMessage = 64 << 20

	// lingerTimeout bounds the wait for answers being written when everything else has ended.
	lingerTimeout = 2 * time.Second

	// killGrace is what servers get to end by themselves when a signal ends the engine.
	killGrace = time.Second
)

// Options of a [Server]. The zero value of each field works.
type Options struct {
	// Version of the program, told to clients and servers.
	Version string
	// ClientID is what registration wrote behind --client, "" when the client was set up by hand.
	ClientID string
	// ToolMode overrides the configured mode unless it is ""; see [ParseToolMode].
	ToolMode config.ToolMode
	// Greeted is told who the client is, in one line each, when it has initialized or, without initialize, with its first
	// request after server/discover. It must return at once.
	Greeted func(name, version string)
	// Toolbox options. Changed, Client, Version and Exposed are set by the Server.
	Toolbox toolbox.Options
	// Drain: see [DefaultDrain].
	Drain time.Duration
	// AskLimit replaces all limits on the time that the client takes to answer a server; 0 keeps them.
	AskLimit time.Duration
	// Hold: see [DefaultHold].
	Hold time.Duration
	// MaxMessage: see [DefaultMaxMessage].
	MaxMessage int
	Logger     *slog.Logger
}

// Server is the engine's side towards one client.
type Server struct {
	options Options
	log     *slog.Logger
	manager *toolbox.Manager
	id      string // of the session
	out     *jsonrpc.Writer

	// changes counts what may have changed the tools; the index is valid for one count.
	changes    atomic.Uint64
	index      atomic.Pointer[index]
	client     atomic.Pointer[client.Client] // the client's row in the table of clients
	opening    atomic.Int32                  // open_toolbox calls under way
	keeping    atomic.Bool                   // toolboxes that are always open were waited for
	announceCh chan struct{}
	announceMu sync.Mutex
	announced  [32]byte // SHA-256 of the tool list that the client was last told of
	modernList bool     // that list was for a client of protocol version 2026-07-28 or later
	hold       *hold
	unheard    chan struct{}          // closed when the client sends nothing any more
	legacy     atomic.Bool            // initialize was answered
	others     atomic.Uint32          // kinds of lists besides tools that may have changed, a bit each
	level      atomic.Pointer[string] // of log messages; nil until the client has set it
	leveled    atomic.Int32           // requests under way that want messages, of a client of 2026-07-28
	lifetime   context.Context        // of [Server.Run]
	toldFlood  sync.Map               // servers of which it was logged that their updates are too many
	roused     sync.Map               // the capabilities for which resting servers were started
	toldUnfit  sync.Map               // by toolbox and server: the entries of index.unfit that were logged

	mu           sync.Mutex
	clientName   string                     // clientInfo.name
	begun        bool                       // the client has done more than server/discover
	capabilities json.RawMessage            // what the client has declared, as it was sent
	inflight     map[string]*request        // by raw id
	unanswered   int                        // bytes of requests that wait for their answers, see [request.weight]
	streams      map[string]*stream         // by raw id, or legacyStream
	followed     map[string]int             // resources that streams are told of, and how many of them
	updates      map[string]json.RawMessage // resources that were updated, with the notification's params
	ownTexts     map[string]string          // what our own resources said when the client was told last

	lastAsk     uint64
	subscribing turns                                // by URI
	sending     turns                                // by server
	asked       map[string]*asked                    // requests of ours that the client has not answered, by raw id
	clientTasks map[toolbox.ServerID]map[string]bool // ids of tasks of the client, by the server that they are for
	exchanges   []*exchange                          // under way, the newest last
	suspended   map[string]*exchange                 // that wait for the client, by requestState

	finder finder

	fitting sync.Mutex     // held while the manager gets another configuration
	whole   *config.Config // with the toolboxes that the app does not see
	apps    []string       // the ids of the app that it was fitted to

	gate sync.Mutex // held while a message is taken up
	over bool       // no message is taken up any more

	calls  background.Group // requests whose answers a closed stdin waits for
	linger background.Group // requests that only end with the connection
}

// New returns a server for cfg. It starts nothing until [Server.Run].
func New(cfg *config.Config, options Options) *Server {
	if options.Drain == 0 {
		options.Drain = DefaultDrain
	}
	if options.Hold == 0 {
		options.Hold = DefaultHold
	}
	if options.MaxMessage == 0 {
		options.MaxMessage = DefaultMaxMessage
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		options:     options,
		log:         options.Logger,
		id:          uuid.NewString(),
		announceCh:  make(chan struct{}, 1),
		hold:        newHold(),
		unheard:     make(chan struct{}),
		inflight:    map[string]*request{},
		streams:     map[string]*stream{},
		followed:    map[string]int{},
		updates:     map[string]json.RawMessage{},
		ownTexts:    map[string]string{},
		asked:       map[string]*asked{},
		clientTasks: map[toolbox.ServerID]map[string]bool{},
		suspended:   map[string]*exchange{},
	}
	s.client.Store(client.Find(options.ClientID, ""))
	boxes := options.Toolbox
	boxes.Version = options.Version
	boxes.Changed = s.listChanged
	boxes.Client = clientSide{s}
	boxes.Exposed = s.exposed
	boxes.Logger = options.Logger
	s.whole, s.apps = cfg, appIDs(options.ClientID, "")
	s.manager = toolbox.NewManager(visible(cfg, s.apps), boxes)
	return s
}

// Toolboxes returns what keeps the toolboxes: their status, logs and tools. It belongs to the Server, which ends it.
func (s *Server) Toolboxes() *toolbox.Manager { return s.manager }

// Run serves the client on in and out until in ends, ctx is cancelled or out fails, and returns when every
// downstream server is gone. When in ends, calls in flight are still answered, for [Options.Drain] at most; when
// ctx ends, they are not. A read of in that is blocked at that moment is left behind.
//
// It returns nil after the end of in and the cause of ctx after its end.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.lifetime = run
	s.out = jsonrpc.NewWriter(failingWriter{out, cancel})
	s.markAnnounced(false) // the first state is no change

	ended := make(chan error, 1)
	background.Go(func() {
		reader := jsonrpc.NewReader(in, s.options.MaxMessage)
		ended <- background.Catch(func() error { return s.read(run, reader) })
	})
	var beside background.Group
	beside.Go(func() { background.Keep(run, func() { s.announcer(run) }) })

	var err error
	select {
	case err = <-ended:
		if err == nil || errors.Is(err, io.EOF) {
			err = nil
			close(s.unheard)
			s.drain(run)
		}
	case <-run.Done():
		err = context.Cause(run)
	}

	// A server has had its time to end by itself when we got here by the end of in; a signal hurries it.
	shutdown, done := context.WithCancel(context.WithoutCancel(ctx))
	defer done()
	stopHurry := background.AfterEnd(ctx, func() {
		background.After(killGrace, done)
	})
	defer stopHurry()
	cancel(err)
	s.manager.Shutdown(shutdown)
	quiet := func() {
		s.gate.Lock() // no new work may begin, so that the wait below ends
		s.over = true
		s.gate.Unlock()
		s.calls.Wait()
		s.linger.Wait()
		beside.Wait()
	}
	if !pause.Until(context.Background(), quiet, lingerTimeout) {
		// A write to a client that does not read cannot be ended from here.
		s.log.Warn("The client does not read what it was sent; it is left behind")
	}
	return err
}

// drain waits for the answers of calls in flight.
func (s *Server) drain(ctx context.Context) {
	if !pause.Until(ctx, s.calls.Wait, s.options.Drain) && ctx.Err() == nil {
		s.log.Warn("The client closed the connection; calls still in flight are given up", "after", s.options.Drain)
	}
}

// failingWriter ends the run when the client no longer reads.
type failingWriter struct {
	io.Writer
	fail context.CancelCauseFunc
}

func (w failingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.fail(err)
	}
	return n, err
}
