package downstream

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// tellTime limits the posting of a notification.
	tellTime = 10 * time.Second
	// goodbyeTime limits the request that ends a session on the server.
	goodbyeTime = time.Second
	// dialTime limits connecting to the server's computer.
	dialTime = 15 * time.Second
)

// newHTTPClient returns an HTTP client for one server. It has no time limit for answers, since tools may take
// any time, but it limits the size of each message, and it does not send headers to another host.
func newHTTPClient(maxMessage int) *http.Client {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.DialContext = (&net.Dialer{Timeout: dialTime, KeepAlive: 30 * time.Second}).DialContext
	return &http.Client{
		Transport: &guard{base: base, limit: maxMessage},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			if first := before[0].URL; next.URL.Host != first.Host || first.Scheme == "https" && next.URL.Scheme != "https" {
				// Headers contain tokens, and Go removes only Authorization and Cookie.
				return words.NewError("downstream.redirect_elsewhere", "Host", clean(next.URL.Host, 100))
			}
			if len(before) >= 5 {
				return words.NewError("downstream.redirect_loop")
			}
			return nil
		},
	}
}

// carrier sends the requests; it is an *http.Transport.
type carrier interface {
	http.RoundTripper
	CloseIdleConnections()
}

// guard is a RoundTripper that records the outcome of each request and cuts off messages that are too large.
type guard struct {
	base  carrier
	limit int // of one message, in bytes
}

// RoundTrip implements [http.RoundTripper].
func (g *guard) RoundTrip(request *http.Request) (*http.Response, error) {
	var ended context.CancelFunc
	if request.Method == http.MethodDelete {
		ctx, cancel := context.WithTimeout(request.Context(), goodbyeTime)
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
		note.status.Store(int32(response.StatusCode))
	}
	response.Body = &cappedBody{ReadCloser: response.Body, limit: g.limit, stream: isStream(response), note: note, ended: ended}
	return response, nil
}

// CloseIdleConnections is called by http.Client.
func (g *guard) CloseIdleConnections() { g.base.CloseIdleConnections() }

// cappedBody is a body that fails if a message in it is larger than the limit. In an event stream, messages
// are separated by empty lines.
type cappedBody struct {
	io.ReadCloser
	limit  int
	stream bool
	note   *note
	ended  func() // called when the body is closed; may be nil

	size int
	last byte
}

func (b *cappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.note != nil && b.note.failed() {
		b.note.hear(p[:n])
	}
	for _, c := range p[:n] {
		if c == '\r' {
			continue
		}
		b.size++
		if b.stream && c == '\n' && b.last == '\n' {
			b.size = 0
		}
		b.last = c
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

// note records the outcome of one HTTP request.
type note struct {
	status   atomic.Int32
	tooLarge atomic.Pointer[error]
	lack     atomic.Pointer[lack]

	mu   sync.Mutex
	said []byte // the beginning of the body of an error
}

// failed reports whether the status is that of an error.
func (n *note) failed() bool { return n.status.Load() >= http.StatusBadRequest }

// hear stores the beginning of the body of an error.
func (n *note) hear(part []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said = append(n.said, part[:min(len(part), 2*maxRefusal-len(n.said))]...)
}

// words returns the beginning of the body of an error.
func (n *note) words() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return string(n.said)
}

// forgotten reports whether an error says that the server does not know the session. It should be status 404,
// but servers made with the TypeScript SDK say it in a message.
func (n *note) forgotten(message string) bool {
	message = strings.ToLower(message)
	return n.status.Load() == http.StatusBadRequest && (strings.Contains(message, "session") || strings.Contains(message, "not initialized"))
}

type noteKey struct{}

// noted returns a context that records the outcome of its requests.
func noted(ctx context.Context) (context.Context, *note) {
	n := &note{}
	return context.WithValue(ctx, noteKey{}, n), n
}

// old reports whether the status is one with which servers from before streamable HTTP answer posts.
func (n *note) old() bool {
	switch n.status.Load() {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusGone, http.StatusUnsupportedMediaType:
		return true
	}
	return false
}

// reason returns why a request failed, for people. It wraps an error for the kind of reason.
func (r *remote) reason(note *note, err error) error {
	if over := note.tooLarge.Load(); over != nil {
		return *over
	}
	var lost *url.Error
	var network net.Error
	var unsure *tokenError
	status := int(note.status.Load())
	switch {
	case errors.Is(err, ErrSignIn) || errors.Is(err, ErrUnreachable) || errors.Is(err, ErrStopped):
		return err // already explained
	case errors.As(err, &unsure):
		return words.NewError("downstream.sign_in_unusable", "Address", r.address, "Why", r.brief(unsure.reason)).Because(ErrUnreachable)
	case note.lack.Load() != nil:
		return note.lack.Load().reason(r.address)
	case status == http.StatusUnauthorized:
		if r.tokens != nil && !authorizes(r.entry) {
			return words.NewError("downstream.wants_sign_in", "Address", r.address).Because(ErrSignIn)
		}
		if len(r.entry.Headers) == 0 {
			return words.NewError("downstream.wants_token", "Address", r.address).Because(ErrSignIn)
		}
		return words.NewError("downstream.token_refused", "Address", r.address).Because(ErrSignIn)
	case status == http.StatusForbidden && r.tokens != nil && !authorizes(r.entry):
		return words.NewError("downstream.account_forbidden", "Address", r.address).Because(ErrSignIn)
	case status == http.StatusForbidden:
		return words.NewError("downstream.token_forbidden", "Address", r.address).Because(ErrSignIn)
	case status == http.StatusNotFound && r.session.Load() != nil:
		return words.NewError("downstream.session_ended", "Address", r.address).Because(ErrStopped)
	case status == http.StatusNotFound || status >= 400 && status < 500 && !r.told.Load():
		return words.NewError("downstream.no_server_there", "Address", r.address, "Status", status)
	case errors.As(err, &lost):
		return words.NewError("downstream.unreachable", "Address", r.address, "Why", r.brief(lost.Err)).Because(ErrUnreachable)
	case errors.As(err, &network):
		return words.NewError("downstream.connection_failed", "Address", r.address, "Why", r.brief(err)).Because(ErrUnreachable)
	case status >= 500:
		return words.NewError("downstream.http_status", "Address", r.address, "Status", status, "Words", http.StatusText(status))
	}
	return words.NewError("downstream.address_failed", "Address", r.address, "Why", r.brief(err))
}

// Error numbers of Windows sockets. They differ from those of package syscall with the same meaning, and
// errors.Is does not treat them as equal.
const (
	winsockNoNetwork = syscall.Errno(10051)
	winsockRefused   = syscall.Errno(10061)
	winsockNoHost    = syscall.Errno(10065)
)

// brief returns a short text for an error, without secrets.
func (r *remote) brief(err error) words.Text {
	var unknown *net.DNSError
	switch {
	case err == nil:
		return words.New("downstream.closed")
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return words.New("downstream.no_such_host")
	case errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, winsockRefused):
		return words.New("downstream.nothing_answers")
	case errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, winsockNoNetwork) || errors.Is(err, winsockNoHost):
		return words.New("downstream.no_way_there")
	}
	return words.Of(err).Map(func(part string) string { return clean(secret.Mask(r.mask(part)), maxRefusal) })
}
