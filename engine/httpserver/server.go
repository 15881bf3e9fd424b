// Package httpserver offers the engine over streamable HTTP, in both eras of the protocol, at one address. Each token
// is an app. A session of the era of initialize has an engine of its own. Requests of 2026-07-28 have no session:
// those of one token and one client share an engine.
//
// The engine is a function that reads and writes lines, as over stdio. So of the protocol, only what belongs to HTTP
// is here: who may ask, which message goes into which response, and how much of everything there can be.
package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/net/netutil"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
)

// Path is where the server speaks the protocol.
const Path = "/mcp"

const (
	// maxHeader limits the headers of a request, in bytes.
	maxHeader = 32 << 10
	// maxConnections is how many connections there can be; further ones wait.
	maxConnections = 2000
	// idleConnection is how long a connection without a request stays open.
	idleConnection = 2 * time.Minute
	// farewell is how long the end of the server waits for answers of engines, and then for what is still being written.
	farewell = 2 * time.Second
)

// Caller is the app for which an engine runs.
type Caller struct {
	App string       // the name of the token
	Log *slog.Logger // says which session writes
}

// Limits bound what a client can use. A zero value means the default.
type Limits struct {
	Body int64 // bytes in a request; 4 MiB
	// Unread is how many bytes the clients of one token may leave unread, together with the bodies of their requests
	// that are under way; 64 MiB. Beyond it, a stream for which another message comes is ended, and a body is refused.
	Unread    int64
	Sessions  int           // sessions of one token; 32
	Requests  int           // requests of one token that wait for an answer, open streams included; 128
	Idle      time.Duration // after which a session without requests and streams ends; 30 minutes
	Patience  time.Duration // for a client that sends or reads slowly; 30 seconds
	KeepAlive time.Duration // between two comments in a silent stream; 15 seconds
}

// Options configures a [Server].
type Options struct {
	Tokens *token.Store
	// Run runs an engine, which reads and writes messages as lines. It returns when in or ctx has ended.
	Run func(ctx context.Context, c Caller, in io.Reader, out io.Writer) error
	// Hosts are the names by which clients reach the server, beside "localhost" and the addresses of this computer.
	Hosts []string
	// TokenHeader is the header with the token; "" means Authorization, with "Bearer " before the token.
	TokenHeader string
	// TLS has the certificate; nil means that nothing is encrypted.
	TLS    *tls.Config
	Limits Limits
	Logger *slog.Logger
}

// Server is an [http.Handler].
type Server struct {
	options   Options
	apps      *apps
	refusals  refusals
	figures   *metrics.Set
	ready     atomic.Bool
	answering atomic.Int64 // how many POSTs are being answered
}

// New returns a server. It answers requests while [Server.Serve] runs.
func New(o Options) *Server {
	set(&o.Limits.Body, 4<<20)
	set(&o.Limits.Unread, 64<<20)
	set(&o.Limits.Sessions, 32)
	set(&o.Limits.Requests, 128)
	set(&o.Limits.Idle, 30*time.Minute)
	set(&o.Limits.Patience, 30*time.Second)
	set(&o.Limits.KeepAlive, 15*time.Second)
	s := &Server{options: o, refusals: refusals{log: o.Logger}, figures: metrics.NewSet()}
	s.apps = &apps{options: &s.options, byToken: map[string]*app{}}
	s.apps.register(s.figures)
	return s
}

// set sets a limit to the usual value if it is not given.
func set[T comparable](limit *T, usual T) {
	var none T
	if *limit == none {
		*limit = usual
	}
}

// Serve answers requests until ctx ends, and for a moment those that are under way then. It returns when all engines
// have ended. It closes the listener.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	lifetime, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	s.apps.lifetime = lifetime
	var beside background.Group
	beside.Go(func() {
		background.Keep(lifetime, func() { _ = s.options.Tokens.Watch(lifetime, s.apps.review) })
	})
	server := &http.Server{
		Handler: s, IdleTimeout: idleConnection, MaxHeaderBytes: maxHeader,
		// What may take longer says so, see linger and [response.extend].
		ReadTimeout: s.options.Limits.Patience, WriteTimeout: s.options.Limits.Patience,
		ErrorLog:  slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelDebug),
		Protocols: new(http.Protocols), TLSConfig: s.options.TLS,
	}
	server.Protocols.SetHTTP1(true)
	ended := make(chan error, 1)
	listener = netutil.LimitListener(listener, maxConnections)
	beside.Go(func() {
		if server.TLSConfig == nil {
			ended <- server.Serve(listener)
		} else {
			ended <- server.ServeTLS(listener, "", "")
		}
	})
	s.ready.Store(true)
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	s.ready.Store(false)
	_ = listener.Close()
	s.finish(lifetime)
	server.SetKeepAlivesEnabled(false)
	end()
	s.apps.end()
	leave, done := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer done()
	if server.Shutdown(leave) != nil {
		_ = server.Close() // clients that do not read are left behind
	}
	beside.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// finish waits until what is under way is answered, or until it takes too long.
func (s *Server) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	for s.answering.Load() > 0 {
		if !pause.For(ctx, 10*time.Millisecond) {
			return
		}
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	counting := &counting{ResponseWriter: w, status: http.StatusOK}
	defer func() { s.count(counting.status) }()
	w = counting
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if !s.ready.Load() { // so that few are left that a proxy is about to use when they are closed
		w.Header().Set("Connection", "close")
	}
	if err := s.checkOrigin(r); err != nil {
		s.refuse(w, r, http.StatusForbidden, err.Error())
		return
	}
	switch r.URL.Path {
	case "/healthz":
		plain(w, http.StatusOK)
	case "/readyz":
		if s.ready.Load() {
			plain(w, http.StatusOK)
		} else {
			plain(w, http.StatusServiceUnavailable)
		}
	case Path, Path + "/":
		s.serve(w, r)
	case "/metrics":
		if _, ok := s.appOf(w, r); ok {
			s.metrics(w)
		}
	default:
		s.refuse(w, r, http.StatusNotFound, "There is nothing here; the address is "+Path)
	}
}

// plain answers with the words of a status.
func plain(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, http.StatusText(status)+"\n") // an error means that the client has gone
}

// serve answers a request to [Path], once it is known which app asks.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	owner, ok := s.appOf(w, r)
	if !ok {
		return
	}
	switch err := s.apps.enter(owner); {
	case errors.Is(err, errMany):
		s.refuse(w, r, http.StatusTooManyRequests, "Too many requests of this token are waiting for an answer")
		return
	case err != nil && r.Header.Get(mcp.HeaderSessionID) != "":
		s.refuse(w, r, http.StatusNotFound, "The session has ended; begin again with initialize")
		return
	case err != nil:
		s.refuse(w, r, http.StatusServiceUnavailable, "The server is ending")
		return
	}
	defer s.apps.leave(owner)
	switch {
	case r.Method == http.MethodPost:
		s.answering.Add(1)
		defer s.answering.Add(-1)
		s.post(w, r, owner)
	case r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "GET, POST, DELETE")
		s.refuse(w, r, http.StatusMethodNotAllowed, "The protocol uses GET, POST and DELETE")
	case isModern(r):
		w.Header().Set("Allow", http.MethodPost)
		s.refuse(w, r, http.StatusMethodNotAllowed, "This version of the protocol uses POST alone")
	case r.Method == http.MethodGet:
		s.get(w, r, owner)
	default:
		s.delete(w, r, owner)
	}
}
