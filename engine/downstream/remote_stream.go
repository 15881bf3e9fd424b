package downstream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// endpointTime is how long an SSE server may take to send its endpoint.
	endpointTime = 30 * time.Second
	// retryTime is the pause before a stream is resumed, if the server does not set one.
	retryTime = time.Second
	// minRetryTime and maxFruitless limit the pauses before a stream without messages is resumed.
	minRetryTime = 10 * time.Millisecond
	maxFruitless = 5 * time.Second
)

// isStream reports whether an answer is an event stream.
func isStream(response *http.Response) bool {
	first, _, _ := strings.Cut(response.Header.Get("Content-Type"), ",") // some proxies repeat it
	media, _, _ := mime.ParseMediaType(first)
	return media == "text/event-stream"
}

// events reads an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). [cappedBody] limits
// the size of an event.
type events struct {
	in     *bufio.Reader
	lastID string        // the id of the last complete event
	retry  time.Duration // the pause before the stream is resumed
	cr     bool          // the last line ended with \r, which \n may follow
}

// line returns the next line without its end, which is \r\n, \n or \r. The line is valid until the next call. After
// \r, line does not wait for \n.
func (e *events) line() ([]byte, error) {
	var long []byte
	for {
		if _, err := e.in.Peek(1); err != nil {
			return long, err
		}
		part, _ := e.in.Peek(e.in.Buffered())
		if e.cr {
			e.cr = false
			if part[0] == '\n' {
				_, _ = e.in.Discard(1)
				continue
			}
		}
		end := bytes.IndexAny(part, "\r\n")
		if end < 0 {
			long = append(long, part...)
			_, _ = e.in.Discard(len(part))
			continue
		}
		e.cr = part[end] == '\r'
		line := part[:end]
		if long != nil {
			line = append(long, line...)
		}
		_, _ = e.in.Discard(end + 1)
		return line, nil
	}
}

// next returns the next event of MCP that has data. The last event counts even without the empty line at its end,
// which some servers forget.
func (e *events) next() (name string, data []byte, err error) {
	id, named := "", false
	for {
		line, err := e.line()
		if err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)) {
			if data != nil && errors.Is(err, io.EOF) {
				return name, data, nil
			}
			return "", nil, err
		}
		if len(line) == 0 {
			if named {
				e.lastID = id
			}
			if len(data) > 0 && (name == "" || name == "message" || name == "endpoint") {
				return name, data, nil
			}
			name, data, named = "", nil, false
			continue
		}
		field, value, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("\ufeff")), []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(field) {
		case "event":
			name = string(value)
		case "data":
			if data != nil {
				data = append(data, '\n')
			}
			data = append(data, value...)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				id, named = string(value), true
			}
		case "retry":
			if pause, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				e.retry = max(time.Duration(pause)*time.Millisecond, minRetryTime)
			}
		}
	}
}

// follow passes the messages of the stream that answers a request to the session. If the stream ends before the
// answer, it is resumed if the server supports that (2025-11-25, "Resumability and Redelivery").
func (r *remote) follow(ctx context.Context, note *note, id int64, message outgoing, response *http.Response) error {
	stream := events{retry: retryTime}
	for fruitless := 0; ; fruitless++ {
		stream.in = bufio.NewReader(response.Body)
		_, data, err := stream.next()
		for ; err == nil; _, data, err = stream.next() {
			fruitless = 0
			if lapse := r.lapsed(note, id, data); lapse != nil {
				response.Body.Close()
				return lapse
			}
			if r.pass(data, id) {
				response.Body.Close()
				return nil
			}
		}
		response.Body.Close()
		switch {
		case note.tooLarge.Load() != nil || ctx.Err() != nil:
			return err
		case stream.lastID == "" || modernVersion(message.Message) != "":
			if !errors.Is(err, io.EOF) {
				return err
			}
			return words.NewError("downstream.answer_ended")
		}
		if response, err = r.resume(ctx, note, &stream, fruitless); err != nil {
			return err
		}
	}
}

// maxResumed is how often in a row the server may refuse to resume a stream.
const maxResumed = 5

// resume requests the rest of a stream that ended before the answer. The request itself is not repeated, since it may
// have run.
func (r *remote) resume(ctx context.Context, note *note, stream *events, fruitless int) (*http.Response, error) {
	for tries := 1; ; tries++ {
		wait := min(time.Duration(fruitless)*100*time.Millisecond, maxFruitless)
		if tries > 1 {
			wait = min(time.Second<<(tries-2), maxFruitless)
		}
		if !pause.For(ctx, max(stream.retry, wait)) {
			return nil, ctx.Err()
		}
		response, err := r.get(ctx, stream.lastID)
		if err == nil && !note.failed() && isStream(response) {
			stream.cr = false
			return response, nil
		}
		if err != nil {
			if tries == maxResumed || ctx.Err() != nil {
				return nil, err
			}
			continue
		}
		body := readRefusal(response)
		if tries < maxResumed && mayPass(response.StatusCode) {
			continue
		}
		failure := words.NewError("downstream.answer_not_resumed", "Status", response.StatusCode)
		switch {
		case !note.failed():
		case r.lapse(note, -1, body) != nil:
			r.forgotten(note, r.lapse(note, -1, body))
		default:
			r.checkSession()
		}
		return nil, failure
	}
}

// mayPass reports whether a status means that the server may answer later.
func mayPass(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout:
		return true
	}
	return false
}

// get requests the session's stream, or the rest of a stream after the event lastID.
func (r *remote) get(ctx context.Context, lastID string) (*http.Response, error) {
	request, err := r.request(ctx, http.MethodGet, nil)
	if err != nil {
		return nil, err
	}
	if lastID != "" {
		request.Header.Set("Last-Event-ID", lastID)
	}
	return r.do(request)
}

// listen requests the session's stream and passes its messages to the session. Some servers have none. It calls asked
// when the first request was sent, or when listen returns.
func (r *remote) listen(asked func()) {
	defer asked()
	r.state.late.open()
	defer func() { r.unanswered(r.state.late.end(false)) }()
	var pace pace
	stream := events{retry: retryTime}
	offered := false
	for pace.wait(r.pipe.ctx) {
		begun := time.Now()
		ctx, note := noted(r.pipe.ctx)
		response, err := r.get(httptrace.WithClientTrace(ctx,
			&httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { asked() }}), stream.lastID)
		asked()
		switch {
		case err != nil:
		case response.StatusCode == http.StatusMethodNotAllowed || response.StatusCode == http.StatusNotFound && !offered:
			response.Body.Close()
			return
		case response.StatusCode == http.StatusOK && isStream(response):
			offered = true
			stream.in, stream.cr = bufio.NewReader(response.Body), false
			for {
				_, data, err := stream.next()
				if err != nil {
					break
				}
				r.pass(data, 0)
			}
			response.Body.Close()
			if stream.lastID == "" { // otherwise what was not sent comes with the next one
				r.unanswered(r.state.late.end(true))
			}
		default:
			body := readRefusal(response)
			if note.failed() && response.StatusCode != http.StatusUnauthorized && r.lapse(note, -1, body) != nil {
				r.forgotten(note, r.lapse(note, -1, body))
				return
			}
			stream.lastID = "" // the id may be the reason
		}
		pace.ended(time.Since(begun))
		if !pause.For(r.pipe.ctx, max(stream.retry, retryTime)) {
			return
		}
	}
}

// unanswered reports to the session that requests get no answer. Those that were answered are left alone by it.
func (r *remote) unanswered(ids []int64) {
	for _, id := range ids {
		r.failed(id, words.NewError("downstream.answer_ended"))
	}
}

// tryOlder checks whether a server that refuses initialize uses the older transport (SSE). It returns the answer to
// the message by either transport. An error of the modern era is returned unchanged.
func (r *remote) tryOlder(ctx context.Context, note *note, message outgoing,
	response *http.Response) (*http.Response, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxDrained))
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if answer, err := jsonrpc.Parse(body); err == nil && answer.Error != nil && isModernError(ParseError(answer.Error)) {
		return response, nil
	}
	r.log.Info("The server does not take posts here; trying the older way (SSE)", "url", r.address)
	if r.openStream() != nil {
		return response, nil // the first answer is reported
	}
	note.status.Store(http.StatusOK)
	return r.post(ctx, message)
}

// openStream opens the stream of an SSE server, and waits for its endpoint.
func (r *remote) openStream() error {
	ctx, cancel := context.WithCancel(r.pipe.ctx)
	late := background.After(endpointTime, cancel)
	defer late.Stop()
	ctx, note := noted(ctx)
	response, err := r.get(ctx, "")
	if err == nil && (response.StatusCode != http.StatusOK || !isStream(response)) {
		response.Body.Close()
		err = words.NewError("downstream.no_stream", "Status", response.StatusCode)
	}
	if err != nil {
		cancel()
		return r.reason(note, err)
	}
	stream := events{in: bufio.NewReader(response.Body)}
	for r.state.endpoint.Load() == nil {
		name, data, err := stream.next()
		if err != nil {
			cancel()
			response.Body.Close()
			return r.reason(note, words.NewError("downstream.no_endpoint", "Why", err))
		}
		if name != "endpoint" {
			continue
		}
		named, err := response.Request.URL.Parse(string(data))
		if err != nil {
			cancel()
			response.Body.Close()
			return r.reason(note, words.NewError("downstream.no_endpoint", "Why", err))
		}
		// Messages go nowhere else. Behind a proxy, a server may name the host or scheme that it knows itself.
		endpoint := *response.Request.URL
		endpoint.Path, endpoint.RawPath, endpoint.RawQuery = named.Path, named.RawPath, named.RawQuery
		r.state.endpoint.Store(&endpoint)
	}
	r.asking.Go(func() {
		defer cancel()
		defer response.Body.Close()
		for {
			_, data, err := stream.next()
			if err != nil {
				if over := note.tooLarge.Load(); over != nil {
					err = *over
				}
				r.fail(r.pipe.ctx, words.NewError("downstream.connection_broken", "Address", r.address, "Why",
					r.brief(err)).Because(ErrUnreachable))
				return
			}
			r.pass(data, 0)
		}
	})
	return nil
}
