package downstream

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// tellTime limits the posting of a notification.
	tellTime = 10 * time.Second
	// endSessionTime limits the request that ends a session on the server.
	endSessionTime = time.Second
	// dialTime limits connecting to the server's computer.
	dialTime = 15 * time.Second
)

// newHTTPClient returns an HTTP client for one server, with the proxies and certificates of an environment. It has no
// time limit for answers, since tools may take any time, but it limits the size of each message, and it does not send
// headers to another host.
func newHTTPClient(maxMessage int, env []string) *http.Client {
	base := network.Transport(func(name string) string { return process.Getenv(env, name) })
	base.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
		if answer.StatusCode == http.StatusOK {
			return nil
		}
		return words.NewError("network.proxy_refuses", "Status", answer.Status)
	}
	base.DialContext = (&net.Dialer{Timeout: dialTime, KeepAlive: 30 * time.Second}).DialContext
	return &http.Client{
		Transport:     &boundedTransport{base: base, limit: maxMessage},
		CheckRedirect: checkRedirect,
		Jar:           newCookies(),
	}
}

// carrier is the interface of *http.Transport that boundedTransport uses.
type carrier interface {
	http.RoundTripper
	CloseIdleConnections()
}

// boundedTransport is a RoundTripper that records the outcome of each request in its note, and limits the size of
// messages.
type boundedTransport struct {
	base  carrier
	limit int // of one message, in bytes
}

// RoundTrip implements [http.RoundTripper].
func (g *boundedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	var ended context.CancelFunc
	if request.Method == http.MethodDelete {
		ctx, cancel := context.WithTimeout(request.Context(), endSessionTime)
		request, ended = request.WithContext(ctx), cancel
	}
	response, err := g.base.RoundTrip(request)
	if err != nil {
		if ended != nil {
			ended()
		}
		return nil, err
	}
	note, _ := request.Context().Value(noteKey{}).(*note)
	if note != nil {
		note.begin(response.StatusCode, response.Header.Get("Retry-After"))
	}
	response.Body = &cappedBody{ReadCloser: response.Body, limit: g.limit, stream: isStream(response), note: note,
		ended: ended}
	return response, nil
}

// CloseIdleConnections is called by http.Client.
func (g *boundedTransport) CloseIdleConnections() { g.base.CloseIdleConnections() }

// cappedBody is a body whose Read fails if a message exceeds the limit. In an event stream, an empty line ends a
// message.
type cappedBody struct {
	io.ReadCloser
	limit  int
	stream bool
	note   *note
	ended  func() // called by Close; may be nil

	size  int
	last  byte
	blank bool // the last byte ended a line
}

func (b *cappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.note != nil && b.note.failed() {
		b.note.keep(p[:n])
	}
	for _, c := range p[:n] {
		ends := c == '\r' || c == '\n'
		second := c == '\n' && b.last == '\r'
		b.last = c
		switch {
		case second:
		case ends && b.stream && b.blank:
			b.size = 0
		default:
			b.size++
			b.blank = ends
		}
	}
	if b.size > b.limit {
		over := tooLarge(int64(b.size), b.limit)
		if b.note != nil {
			b.note.tooLarge.Store(&over)
		}
		return 0, over
	}
	return n, err
}

func (b *cappedBody) Close() error {
	if b.ended != nil {
		defer b.ended()
	}
	return b.ReadCloser.Close()
}

// describe sets the headers that repeat parts of a message.
func (r *remote) describe(headers http.Header, message jsonrpc.Message) {
	version := modernVersion(message)
	if version == "" {
		if message.Method == "initialize" { // the server may be of the modern era, which requires it
			headers.Set(mcp.HeaderMethod, message.Method)
		}
		return
	}
	headers.Del(mcp.HeaderSessionID)
	headers.Set(mcp.HeaderProtocolVersion, version)
	headers.Set(mcp.HeaderMethod, message.Method)
	member := ""
	switch message.Method {
	case "tools/call", "prompts/get":
		member = "name"
	case "resources/read":
		member = "uri"
	default:
		return
	}
	name, _ := jsonrpc.String(jsonrpc.Lookup(message.Params, member))
	if value, ok := mcp.EncodeHeaderValue(name); ok {
		headers.Set(mcp.HeaderName, value)
	}
	if message.Method != "tools/call" || r.mirrored == nil {
		return
	}
	for _, b := range r.mirrored(name) {
		argument := jsonrpc.Lookup(message.Params, "arguments")
		for _, part := range b.path {
			argument = jsonrpc.Lookup(argument, part)
		}
		if value, ok := headerValue(argument); ok {
			headers.Set(b.header, value)
		}
	}
}
