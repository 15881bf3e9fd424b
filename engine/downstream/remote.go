package downstream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// remote is the connection to a server at a web address. Its pipe looks like a process to the session: lines written
// to Stdin are posted, and the server's messages appear on Stdout, one on each line. It supports all versions of
// streamable HTTP, and the older transport with one stream of events (SSE).
type remote struct {
	address  string // of the server, for logs: host and path without parts that may be secret
	mask     func(string) string
	entry    *config.Server
	log      *slog.Logger
	client   *http.Client
	tokens   Tokens                      // nil means that there are none
	failed   func(id int64, err error)   // called for a request that will get no answer
	retired  func(reason error)          // called when the server accepts no further requests
	mirrored func(tool string) []binding // returns the arguments of a tool that are also sent as headers

	pipe  *pipe
	state remoteState

	// answering limits how many of our answers are posted at the same time, since each needs a connection.
	answering chan struct{}
	asking    background.Group // posts and streams in progress

	mu       sync.Mutex
	inflight map[int64]inflight // requests without an answer, by id
	left     bool               // nothing is sent any more
}

// remoteState is what is known about the session with the server.
type remoteState struct {
	firstID  atomic.Int64            // the id of the last request of the handshake
	begun    atomic.Bool             // the handshake has succeeded
	session  atomic.Pointer[string]  // the server's session id, nil for none
	version  atomic.Pointer[string]  // the protocol version in the result of initialize
	endpoint atomic.Pointer[url.URL] // where an SSE server accepts posts, nil for streamable HTTP

	leaving  atomic.Pointer[lostError] // why the session has ended, while requests are still answered
	checking atomic.Bool               // checkSession is in progress

	late late // requests whose answer comes on the session's stream
}

// inflight is a request without an answer.
type inflight struct {
	cancel  context.CancelFunc
	modern  bool
	listens bool // it is subscriptions/listen, which is not answered before the end
}

const (
	// listenTime is how long the next message waits until the session's stream was requested.
	listenTime = time.Second
)

// newRemote returns a connection to a remote server. Nothing is sent before the first line is written. See the fields
// of [remote] for failed, retired and mirrored.
func newRemote(
	o Options, failed func(id int64, err error), retired func(error), mirrored func(tool string) []binding,
) (*remote, error) {
	address, err := url.Parse(o.Server.URL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, words.NewError("downstream.no_web_address") // the address may contain a secret
	}
	r := &remote{
		address:   plainAddress(address),
		mask:      o.secrets.mask,
		entry:     o.Server,
		log:       o.Logger,
		client:    newHTTPClient(o.MaxMessage, o.Environ),
		tokens:    o.Tokens,
		failed:    failed,
		retired:   retired,
		mirrored:  mirrored,
		pipe:      newPipe(),
		answering: make(chan struct{}, maxRequests),
		inflight:  map[int64]inflight{},
	}
	if o.Tokens != nil && !authorizes(o.Server) {
		r.client.Transport = &bearer{base: r.client.Transport, tokens: o.Tokens, server: address, shown: o.secrets.addToken}
	}
	background.Go(r.run)
	return r, nil
}

// run posts the queued messages until the connection ends, and then closes it.
func (r *remote) run() {
	defer close(r.pipe.done)
	defer r.pipe.lines.Close()
	if r.entry.Transport == config.TransportSSE {
		if err := r.openStream(); err != nil {
			r.fail(r.pipe.ctx, err)
		}
	}
	for r.pipe.ctx.Err() == nil {
		select {
		case <-r.pipe.ctx.Done():
		case message := <-r.pipe.queue:
			r.send(message)
		}
	}
	r.pipe.lines.Close() // so that a blocked write of a line fails
	r.endSession()
	r.asking.Wait()
	r.client.CloseIdleConnections()
}

// endSession tells the server that the session is over. It waits at most a second.
func (r *remote) endSession() {
	if r.state.session.Load() == nil || r.state.leaving.Load() != nil {
		return
	}
	request, err := r.request(context.Background(), http.MethodDelete, nil)
	if err != nil {
		return
	}
	response, err := r.do(request)
	if err != nil {
		r.log.Debug("The server was not told of the end of the session", "error", r.brief(err))
		return
	}
	response.Body.Close()
}

// send posts one message. Notifications are posted in order and before later messages. Requests do not wait for each
// other's answers.
func (r *remote) send(message outgoing) {
	switch {
	case message.Method == "notifications/cancelled":
		r.asking.Go(func() { r.withdraw(message) }) // in parallel, since the server may be slow to accept it
		return
	case message.Kind() == jsonrpc.Response:
		select {
		case r.answering <- struct{}{}:
		case <-r.pipe.ctx.Done():
			return
		}
		r.asking.Go(func() {
			defer func() { <-r.answering }()
			r.tell(message)
		})
		return
	case message.Kind() != jsonrpc.Request:
		r.tell(message)
		if message.Method == "notifications/initialized" && r.state.endpoint.Load() == nil {
			asked := make(chan struct{})
			r.asking.Go(func() { r.listen(sync.OnceFunc(func() { close(asked) })) })
			select { // the stream is requested before the next message, so that no notification is lost
			case <-asked:
			case <-time.After(listenTime):
			}
		}
		return
	}
	id, ok := parseID(message.ID)
	if !ok {
		r.log.Error("A request of ours has a foreign id; this is a bug", "method", message.Method)
		return
	}
	if begins(message.Method) {
		r.state.firstID.Store(id)
		r.state.session.Store(nil)
		r.state.version.Store(nil)
	}
	ctx, cancel := context.WithCancel(r.pipe.ctx)
	r.mu.Lock()
	if r.left {
		r.mu.Unlock()
		cancel()
		return // it does not run, as the session says when it ends
	}
	r.inflight[id] = inflight{cancel, modernVersion(message.Message) != "", message.Method == "subscriptions/listen"}
	r.mu.Unlock()
	r.asking.Go(func() {
		defer func() {
			cancel()
			r.mu.Lock()
			delete(r.inflight, id)
			r.mu.Unlock()
			r.leave()
		}()
		ctx, note := noted(ctx)
		err := background.Catch(func() error { return r.ask(ctx, note, id, message) })
		if err != nil && ctx.Err() == nil {
			r.refused(id, note, message.Method, err)
		}
	})
}

// begins reports whether a method belongs to the handshake.
func begins(method string) bool { return method == "initialize" || method == "server/discover" }

// ask posts a request and passes the answer to the session.
func (r *remote) ask(ctx context.Context, note *note, id int64, message outgoing) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	streams := r.state.late.streams()
	response, err := r.post(ctx, message)
	if err != nil {
		return err
	}
	if message.Method == "initialize" && r.state.endpoint.Load() == nil && note.likeSSE() {
		if response, err = r.tryOlder(ctx, note, message, response); err != nil {
			return err
		}
	}
	defer response.Body.Close()
	if note.failed() {
		return r.turnedDown(note, id, response, stop)
	}
	switch {
	case r.state.endpoint.Load() != nil:
		return nil // the answer comes on the stream
	case isStream(response):
		return r.follow(ctx, note, id, message, response)
	case response.StatusCode == http.StatusAccepted && r.state.late.wait(id, streams):
		return nil // it comes on the session's stream, as the older transport would do it
	}
	return r.readAnswer(note, id, response)
}

// readAnswer passes an answer that is not a stream to the session.
func (r *remote) readAnswer(note *note, id int64, response *http.Response) error {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if lapse := r.lapsed(note, id, body); lapse != nil {
		return lapse
	}
	answer, err := parseSent(body)
	switch {
	case err == nil && carriesAnswer(answer):
		r.deliver(id, answer)
		return nil
	case errors.Is(err, jsonrpc.ErrBatch) && r.pass(body, id):
		return nil
	case r.passEvents(body, id):
		return nil
	case len(bytes.TrimSpace(body)) == 0:
		return words.NewError("downstream.answer_ended")
	case !strings.Contains(response.Header.Get("Content-Type"), "json"):
		return words.NewError("downstream.content_type", "Type", response.Header.Get("Content-Type"))
	case err != nil:
		return words.NewError("downstream.answer_unreadable", "Why", err)
	}
	return words.NewError("downstream.answer_empty")
}

// passEvents passes the messages of a body to the session if it is a stream, although its Content-Type does not say
// so. It reports whether the answer to the request with the id was among them.
func (r *remote) passEvents(body []byte, id int64) (answers bool) {
	if !bytes.HasPrefix(body, []byte("data:")) && !bytes.HasPrefix(body, []byte("event:")) &&
		!bytes.HasPrefix(body, []byte("id:")) {
		return false
	}
	stream := events{in: bufio.NewReader(bytes.NewReader(body))}
	for {
		_, data, err := stream.next()
		if err != nil {
			return answers
		}
		answers = r.pass(data, id) || answers
	}
}

// deliver passes an answer to the session, with the id of the request.
func (r *remote) deliver(id int64, answer jsonrpc.Message) {
	r.state.late.answered(id)
	if id == r.state.firstID.Load() && answer.Error == nil {
		if version, ok := jsonrpc.String(jsonrpc.Lookup(answer.Result, "protocolVersion")); ok {
			r.state.version.Store(&version)
		}
		r.state.begun.Store(true)
	}
	line := strconv.AppendInt([]byte(`{"jsonrpc":"2.0","id":`), id, 10)
	if answer.Error != nil {
		line = appendLine(append(line, `,"error":`...), answer.Error)
	} else {
		line = appendLine(append(line, `,"result":`...), answer.Result)
	}
	r.pipe.emit(append(line, "}\n"...))
}

// byteOrderMark is what some servers on Windows begin a message with.
var byteOrderMark = []byte("\ufeff")

// parseSent parses a message of the server. It accepts a byte order mark and a missing version.
func parseSent(data []byte) (jsonrpc.Message, error) {
	message, err := jsonrpc.Parse(bytes.TrimPrefix(data, byteOrderMark))
	if errors.Is(err, jsonrpc.ErrVersion) {
		err = nil
	}
	return message, err
}

// pass passes a message from a stream to the session. It reports whether it is the answer to the request with the id.
func (r *remote) pass(data []byte, id int64) (answers bool) {
	message, err := parseSent(data)
	if errors.Is(err, jsonrpc.ErrBatch) { // of version 2025-03-26
		elements, _ := jsonrpc.Elements(bytes.TrimPrefix(data, byteOrderMark))
		for _, element := range elements {
			answers = element[0] == '{' && r.pass(element, id) || answers
		}
		return answers
	}
	if err == nil && message.Kind() == jsonrpc.Response {
		if answered, ok := parseID(message.ID); ok {
			r.deliver(answered, message)
			return answered == id
		}
	}
	if err != nil {
		data = bytes.ReplaceAll(data, []byte{'\n'}, []byte{' '}) // the session logs the invalid message
	}
	r.pipe.emit(append(appendLine(nil, data), '\n'))
	return false
}

// withdraw cancels a request on the server. In the modern era, closing the connection does that.
func (r *remote) withdraw(message outgoing) {
	id, ok := parseID(jsonrpc.Lookup(message.Params, "requestId"))
	r.mu.Lock()
	asked := r.inflight[id]
	r.mu.Unlock()
	if ok && asked.cancel != nil {
		defer asked.cancel() // after the notification was posted
	}
	if !asked.modern && r.state.begun.Load() {
		r.tell(message)
	}
}

// tell posts a message without an answer.
func (r *remote) tell(message outgoing) {
	ctx, cancel := context.WithTimeout(r.pipe.ctx, tellTime)
	defer cancel()
	ctx, note := noted(ctx)
	response, err := r.post(ctx, message)
	if err == nil {
		if note.failed() {
			readRefusal(response)
			err = errTurnedDown
		} else {
			response.Body.Close()
		}
	}
	if err != nil && r.pipe.ctx.Err() == nil {
		// If the connection is broken, the next request will report it.
		r.log.Debug("A message did not reach the server", "method", message.Method, "error", r.reason(note, err))
	}
}

// post posts a message.
func (r *remote) post(ctx context.Context, message outgoing) (*http.Response, error) {
	request, err := r.request(ctx, http.MethodPost, message.line)
	if err != nil {
		return nil, err
	}
	r.describe(request.Header, message.Message)
	response, err := r.do(request)
	if err != nil {
		return nil, err
	}
	// Most servers send the session id with the answer to initialize, some with a later one.
	session := response.Header.Get("Mcp-Session-Id")
	begun := message.Method == "initialize" || r.state.begun.Load() && modernVersion(message.Message) == ""
	if begun && response.StatusCode < http.StatusMultipleChoices && session != "" && len(session) <= maxKey &&
		session != request.Header.Get("Mcp-Session-Id") {
		r.state.session.Store(&session)
	}
	return response, nil
}

// do sends a request with the headers of the server's entry, except for those that describe the bodies.
func (r *remote) do(request *http.Request) (*http.Response, error) {
	for _, header := range r.entry.Headers {
		switch http.CanonicalHeaderKey(header.Name) {
		case "Accept-Encoding": // Go would not decompress the answer
		case "Content-Type":
		case "Accept":
			request.Header.Set("Accept", request.Header.Get("Accept")+", "+header.Value)
		case "Host":
			request.Host = header.Value
		default:
			request.Header.Set(header.Name, header.Value)
		}
	}
	return r.client.Do(request)
}

// request returns a request with the headers of the session.
func (r *remote) request(ctx context.Context, method string, body []byte) (*http.Request, error) {
	address := r.entry.URL
	if endpoint := r.state.endpoint.Load(); endpoint != nil && method == http.MethodPost {
		address = endpoint.String()
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, reader)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", network.UserAgent)
	switch method {
	case http.MethodPost:
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
	case http.MethodGet:
		request.Header.Set("Accept", "text/event-stream")
		request.Header.Set("Cache-Control", "no-cache")
	}
	if session := r.state.session.Load(); session != nil {
		request.Header.Set("Mcp-Session-Id", *session)
	}
	if version := r.state.version.Load(); version != nil {
		request.Header.Set("Mcp-Protocol-Version", *version)
	}
	return request, nil
}

// refused reports to the session that a request got no answer, or ends the connection if it cannot be used any longer.
func (r *remote) refused(id int64, note *note, method string, err error) {
	reason := r.reason(note, err)
	var lapse *lapseError
	switch {
	case errors.As(err, &lapse):
		r.lapsedOn(id, lapse, reason)
	case method == "subscriptions/listen":
		r.failed(id, reason)
	case slices.ContainsFunc([]error{ErrSignIn, ErrUnreachable, ErrStopped}, func(e error) bool {
		return errors.Is(reason, e)
	}):
		r.lost(reason)
	case r.state.begun.Load() || method == "server/discover":
		r.failed(id, reason)
	case method == "initialize" && note.likeSSE():
		r.failed(id, initializeRefused{reason})
	default:
		r.lost(reason)
	}
}

// fail ends the connection, unless ctx has ended.
func (r *remote) fail(ctx context.Context, reason error) {
	if ctx.Err() == nil {
		r.lost(reason)
	}
}

// lost ends the connection. Only the first reason is kept.
func (r *remote) lost(reason error) {
	r.pipe.cancel(&lostError{reason: reason})
}
