package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// remote is the peer behind a web address. It makes of it what a process is: lines written to Stdin are posted, and
// what comes back appears on Stdout, one message a line. HTTP, its streams and sessions are mcp-go's.
type remote struct {
	address string // host and path, without what may be secret
	mask    func(string) string
	entry   *config.Server
	log     *slog.Logger
	client  *http.Client
	tokens  Tokens                    // nil: nobody can sign in
	failed  func(id int64, err error) // tells the session that a request has no answer

	ctx    context.Context // ends with the connection
	cancel context.CancelCauseFunc
	queue  chan jsonrpc.Message
	stdout *io.PipeReader
	lines  *io.PipeWriter
	done   chan struct{}
	asking sync.WaitGroup

	writing sync.Mutex // one line at a time on stdout
	wire    atomic.Pointer[transport.Interface]
	told    atomic.Bool // the server has shaken hands

	mu       sync.Mutex
	inflight map[int64]context.CancelFunc
}

const (
	// maxAsked is how many messages may wait to be posted before the session's writer waits.
	maxAsked = 256
	// maxRefusal is how much of a web server's own words is shown, in bytes.
	maxRefusal = 300
)

// newRemote prepares the connection to a remote server; the first line written to it opens it. failed is called for
// requests that got no answer.
func newRemote(o Options, failed func(id int64, err error)) (*remote, error) {
	address, err := url.Parse(o.Server.URL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, errors.New("the url is no web address; it must begin with https:// or http://") // it may hold a secret
	}
	r := &remote{
		address:  plainAddress(address),
		mask:     newMask(o.Server),
		entry:    o.Server,
		log:      o.Logger,
		client:   newHTTPClient(o.MaxMessage),
		tokens:   o.Tokens,
		failed:   failed,
		queue:    make(chan jsonrpc.Message, maxAsked),
		done:     make(chan struct{}),
		inflight: map[int64]context.CancelFunc{},
	}
	if o.Tokens != nil && !authorizes(o.Server) {
		r.client.Transport = &bearer{base: r.client.Transport, tokens: o.Tokens, server: address}
	}
	r.stdout, r.lines = io.Pipe()
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	go r.run()
	return r, nil
}

// Stdin takes whole lines; closing it closes the connection.
func (r *remote) Stdin() io.WriteCloser { return remoteStdin{r} }

// Stdout gives what the server sends, one message a line.
func (r *remote) Stdout() io.Reader { return r.stdout }

// Stderr is empty: what a remote server logs stays there.
func (r *remote) Stderr() io.Reader { return strings.NewReader("") }

// Pid is 0: there is no process.
func (r *remote) Pid() int { return 0 }

// Done is closed when the connection has ended.
func (r *remote) Done() <-chan struct{} { return r.done }

// ExitError says why the connection ended.
func (r *remote) ExitError() error { return context.Cause(r.ctx) }

// Stop ends the connection and returns when nothing of it is left, or at the end of ctx.
func (r *remote) Stop(ctx context.Context) error {
	r.cancel(ErrClosed)
	select {
	case <-r.done:
	case <-ctx.Done(): // what is left has time limits of its own
	}
	return nil
}

type remoteStdin struct{ r *remote }

func (in remoteStdin) Write(batch []byte) (int, error) {
	for line := range bytes.Lines(batch) {
		message, err := jsonrpc.Parse(bytes.Clone(line)) // the batch isn't ours once we return
		if err != nil {
			return 0, fmt.Errorf("a message of ours cannot be read: %w", err)
		}
		select {
		case in.r.queue <- message:
		case <-in.r.ctx.Done():
			return 0, io.ErrClosedPipe
		}
	}
	return len(batch), nil
}

func (in remoteStdin) Close() error {
	in.r.cancel(ErrClosed)
	return nil
}

// run posts what is queued until the connection ends, and takes it down.
func (r *remote) run() {
	defer close(r.done)
	defer r.lines.Close()
	if err := r.open(r.entry.Transport); err != nil {
		r.fail(r.ctx, err)
	}
	for r.ctx.Err() == nil {
		select {
		case <-r.ctx.Done():
		case message := <-r.queue:
			r.send(message)
		}
	}
	r.lines.Close() // whoever is writing a line gives up
	if wire := r.wire.Load(); wire != nil {
		// It says good-bye to the server, which has a second to hear it.
		if err := (*wire).Close(); err != nil {
			r.log.Debug("closing the connection", "error", err)
		}
	}
	r.asking.Wait()
	r.client.CloseIdleConnections()
}

// open makes the transport ready. For SSE it waits for the server's first event.
func (r *remote) open(kind config.Transport) error {
	headers := map[string]string{}
	for _, header := range r.entry.Headers {
		headers[header.Name] = header.Value
	}
	quiet := slog.New(slog.DiscardHandler) // it logs whole bodies
	var wire transport.Interface
	var err error
	if kind == config.TransportSSE {
		wire, err = transport.NewSSE(r.entry.URL, transport.WithHTTPClient(r.client), transport.WithHeaders(headers),
			// How long a call may take is the session's to say.
			transport.WithSSELogger(quiet), transport.WithResponseTimeout(1<<62))
	} else {
		wire, err = transport.NewStreamableHTTP(r.entry.URL, transport.WithHTTPBasicClient(r.client), transport.WithHTTPHeaders(headers),
			// Without the stream of its own there are no list changes between calls.
			transport.WithHTTPLogger(quiet), transport.WithContinuousListening())
	}
	if err != nil {
		return err
	}
	wire.SetNotificationHandler(r.notified)
	if both, ok := wire.(transport.BidirectionalInterface); ok {
		both.SetRequestHandler(answerServer)
	}
	if stream, ok := wire.(*transport.SSE); ok {
		stream.SetConnectionLostHandler(func(err error) {
			r.lost(because(ErrUnreachable, "%s broke the connection: %s", r.address, r.brief(err)))
		})
	}
	if old := r.wire.Swap(&wire); old != nil {
		_ = (*old).Close() // it was never connected
	}
	ctx, note := noted(r.ctx)
	if err := wire.Start(ctx); err != nil {
		return r.reason(note, err)
	}
	return nil
}

// send posts one message. Notifications are posted one after the other and before what comes after them; requests don't
// wait for each other's answers.
func (r *remote) send(message jsonrpc.Message) {
	if message.Method == "notifications/cancelled" {
		r.asking.Go(func() { r.tell(message) }) // a server that is slow to hear it doesn't keep what comes after waiting
		return
	}
	if message.Kind() != jsonrpc.Request {
		r.tell(message)
		return
	}
	id, ok := parseID(message.ID)
	if !ok {
		r.log.Error("a request of ours has an id that isn't ours", "method", message.Method)
		return
	}
	ctx, cancel := context.WithCancel(r.ctx)
	r.mu.Lock()
	r.inflight[id] = cancel
	r.mu.Unlock()
	r.asking.Go(func() {
		defer func() {
			cancel()
			r.mu.Lock()
			delete(r.inflight, id)
			r.mu.Unlock()
		}()
		r.ask(ctx, id, message)
	})
}

// ask posts a request and passes the answer on.
func (r *remote) ask(ctx context.Context, id int64, message jsonrpc.Message) {
	request := transport.JSONRPCRequest{JSONRPC: "2.0", ID: mcp.NewRequestId(id), Method: message.Method}
	if message.Params != nil {
		request.Params = message.Params
	}
	ctx, note := noted(ctx)
	response, err := (*r.wire.Load()).SendRequest(ctx, request)
	if errors.Is(err, transport.ErrLegacySSEServer) && message.Method == "initialize" && note.old() {
		// A 4xx to the first post means a server of the time before (MCP specification, "Backwards Compatibility").
		r.log.Info("the server does not take posts here; trying the older way (SSE)", "url", r.address)
		if r.open(config.TransportSSE) == nil { // else what the first way said is what to mend
			ctx, note = noted(ctx)
			response, err = (*r.wire.Load()).SendRequest(ctx, request)
		}
	}
	switch {
	case err != nil:
		if ctx.Err() == nil {
			r.refused(id, note, err)
		}
		return
	case note.failed() && response != nil && response.Error == nil:
		r.refused(id, note, fmt.Errorf("it answered with the HTTP status %d: %s", note.status.Load(), note.words()))
		return
	case response != nil && response.Error != nil && r.told.Load() && note.forgotten(response.Error.Message):
		r.lost(because(ErrStopped, "%s has ended the session", r.address))
		return
	case response == nil:
		r.failed(id, errors.New("the server ended its answer before there was one"))
		return
	}
	if message.Method == "initialize" && response.Error == nil {
		if version, ok := jsonrpc.String(jsonrpc.Lookup(response.Result, "protocolVersion")); ok {
			if http, ok := (*r.wire.Load()).(transport.HTTPConnection); ok {
				http.SetProtocolVersion(version)
			}
		}
		r.told.Store(true)
	}
	r.emit(answerLine(id, response))
}

// tell posts a notification.
func (r *remote) tell(message jsonrpc.Message) {
	if message.Method == "notifications/cancelled" {
		if id, ok := parseID(jsonrpc.Lookup(message.Params, "requestId")); ok {
			r.mu.Lock()
			cancel := r.inflight[id]
			r.mu.Unlock()
			if cancel != nil {
				defer cancel() // after the server has been told
			}
		}
	}
	notification := mcp.JSONRPCNotification{JSONRPC: "2.0"}
	notification.Method = message.Method
	if message.Params != nil {
		if err := json.Unmarshal(message.Params, &notification.Params); err != nil {
			r.log.Error("a notification of ours cannot be read", "method", message.Method, "error", err)
			return
		}
	}
	ctx, cancel := context.WithTimeout(r.ctx, tellTime)
	defer cancel()
	ctx, note := noted(ctx)
	if err := (*r.wire.Load()).SendNotification(ctx, notification); err != nil && r.ctx.Err() == nil {
		// What matters is noticed by the next request.
		r.log.Debug("telling the server", "method", message.Method, "error", r.reason(note, err))
	}
}

// notified passes on what the server says of its own accord.
func (r *remote) notified(notification mcp.JSONRPCNotification) {
	line, err := json.Marshal(notification)
	if err != nil {
		r.log.Debug("a notification of the server cannot be passed on", "error", err)
		return
	}
	r.emit(append(line, '\n'))
}

// answerServer answers what the server asks for.
func answerServer(_ context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if request.Method == "ping" {
		return transport.NewJSONRPCResultResponse(request.ID, json.RawMessage("{}")), nil
	}
	return transport.NewJSONRPCErrorResponse(request.ID, methodNotFound,
		fmt.Sprintf("method '%s' is not supported by this client", clean(request.Method, 100)), nil), nil
}

// emit writes a line to Stdout.
func (r *remote) emit(line []byte) {
	r.writing.Lock()
	defer r.writing.Unlock()
	_, _ = r.lines.Write(line) // fails when the connection ends, and then nobody waits for it
}

// answerLine writes a response as one line, its result as the server sent it.
func answerLine(id int64, response *transport.JSONRPCResponse) []byte {
	line := fmt.Appendf(make([]byte, 0, 64+len(response.Result)), `{"jsonrpc":"2.0","id":%d,`, id)
	switch {
	case response.Error != nil:
		line = fmt.Appendf(line, `"error":{"code":%d,"message":`, response.Error.Code)
		line = jsonrpc.AppendString(line, response.Error.Message)
		if data, err := json.Marshal(response.Error.Data); err == nil && response.Error.Data != nil {
			line = append(append(line, `,"data":`...), data...)
		}
		line = append(line, '}')
	case len(response.Result) == 0:
		line = append(line, `"result":null`...)
	default:
		line = append(line, `"result":`...)
		line = jsonrpc.AppendCompact(line, response.Result)
	}
	return append(line, "}\n"...)
}

// refused tells the session that a request got no answer, or ends the connection when none will.
func (r *remote) refused(id int64, note *note, err error) {
	reason := r.reason(note, err)
	if slices.ContainsFunc([]error{ErrSignIn, ErrUnreachable, ErrStopped}, func(e error) bool { return errors.Is(reason, e) }) || !r.told.Load() {
		r.lost(reason)
		return
	}
	r.failed(id, reason)
}

// fail ends the connection unless ctx has ended.
func (r *remote) fail(ctx context.Context, reason error) {
	if ctx.Err() == nil {
		r.lost(reason)
	}
}

// lost ends the connection. The first reason counts.
func (r *remote) lost(reason error) {
	r.cancel(&lostError{reason})
}

// lostError says why a connection to a remote server ended by itself.
type lostError struct{ reason error }

func (e *lostError) Error() string   { return e.reason.Error() }
func (e *lostError) Unwrap() []error { return []error{e.reason, ErrStopped} }
