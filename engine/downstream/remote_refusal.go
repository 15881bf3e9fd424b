package downstream

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// maxRefusal limits the text of a refusal that is shown, in bytes.
	maxRefusal = 300
	// maxHeard limits the body of a refusal that is read, in bytes.
	maxHeard = 4 << 10
	// refusalTime is how long reading the body of a refusal may take.
	refusalTime = 10 * time.Second
)

// note records the outcome of an HTTP request.
type note struct {
	status   atomic.Int32
	tooLarge atomic.Pointer[error]
	missing  atomic.Pointer[missingRights]
	again    atomic.Pointer[time.Time] // when the server takes requests again, if it has said so

	mu   sync.Mutex
	said []byte // the beginning of the body, for a status of an error
}

type noteKey struct{}

// noted returns a context whose requests record their outcome in the note.
func noted(ctx context.Context) (context.Context, *note) {
	n := &note{}
	return context.WithValue(ctx, noteKey{}, n), n
}

// begin records the status of an answer and its Retry-After, and discards the body of an earlier one.
func (n *note) begin(status int, retryAfter string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.status.Store(int32(status))
	n.again.Store(again(retryAfter, time.Now()))
	n.said = nil
}

// failed reports whether the status is an error, or a redirect that was not followed.
func (n *note) failed() bool { return n.status.Load() >= http.StatusMultipleChoices }

// keep stores a part of the body, up to the limit.
func (n *note) keep(part []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said = append(n.said, part[:min(len(part), maxHeard-len(n.said))]...)
}

// words returns the beginning of the body.
func (n *note) words() []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	return bytes.Clone(n.said)
}

// likeSSE reports whether the status is one with which SSE servers answer posts.
func (n *note) likeSSE() bool {
	switch n.status.Load() {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable,
		http.StatusGone, http.StatusUnsupportedMediaType:
		return true
	}
	return false
}

// errTurnedDown means that an answer has the status of an error. [remote.reason] explains it.
var errTurnedDown = errors.New("the server refused the request")

// readRefusal reads the beginning of a body and closes it.
func readRefusal(response *http.Response) []byte {
	late := background.After(refusalTime, func() { response.Body.Close() })
	defer late.Stop()
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxHeard))
	return body
}

// turnedDown handles an answer with the status of an error. stop ends reading its body.
func (r *remote) turnedDown(note *note, id int64, response *http.Response, stop func()) error {
	late := background.After(refusalTime, stop)
	defer late.Stop()
	body, err := io.ReadAll(response.Body)
	if note.tooLarge.Load() != nil {
		return err
	}
	if isStream(response) {
		stream := events{in: bufio.NewReader(bytes.NewReader(body))}
		if _, data, err := stream.next(); err == nil {
			body = data
		}
	}
	answer, err := jsonrpc.Parse(body)
	carries := err == nil && carriesAnswer(answer)
	if lapse := r.lapse(note, id, body); lapse != nil {
		return lapse
	}
	if carries && note.missing.Load() == nil && response.StatusCode != http.StatusUnauthorized {
		r.deliver(id, answer)
		return nil
	}
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
	default:
		r.checkSession()
	}
	return errTurnedDown
}

// reason returns why a request failed, for people. The result wraps an error of this package such as [ErrSignIn].
func (r *remote) reason(note *note, err error) error {
	if over := note.tooLarge.Load(); over != nil {
		return *over
	}
	var lost *url.Error
	var network net.Error
	var unsure *tokenError
	var moved *redirectError
	switch {
	case errors.Is(err, ErrSignIn) || errors.Is(err, ErrUnreachable) || errors.Is(err, ErrStopped):
		return err // it has a reason already
	case errors.As(err, &unsure):
		return words.NewError("downstream.sign_in_unusable", "Address", r.address, "Why", r.brief(unsure.reason)).
			Because(ErrUnreachable)
	case errors.As(err, &moved) && r.state.begun.Load(): // other requests may succeed
		return words.NewError("downstream.address_failed", "Address", r.address, "Why", moved)
	case note.missing.Load() != nil:
		return note.missing.Load().reason(r.address)
	case errors.As(err, &lost):
		return words.NewError("downstream.unreachable", "Address", r.address, "Why", r.brief(lost.Err)).
			Because(ErrUnreachable)
	case note.failed():
		return r.withWords(note, withTime(note, r.status(int(note.status.Load()), err)))
	case errors.As(err, new(*lapseError)):
		return words.NewError("downstream.session_ended", "Address", r.address).Because(ErrStopped)
	case errors.As(err, &network):
		return words.NewError("downstream.connection_failed", "Address", r.address, "Why", r.brief(err)).
			Because(ErrUnreachable)
	}
	return words.NewError("downstream.address_failed", "Address", r.address, "Why", r.brief(err))
}

// status returns what the status of an error means.
func (r *remote) status(status int, err error) error {
	signs := r.tokens != nil && !authorizes(r.entry)
	switch {
	case status == http.StatusUnauthorized && signs:
		return words.NewError("downstream.wants_sign_in", "Address", r.address).Because(ErrSignIn)
	case status == http.StatusUnauthorized && len(r.entry.Headers) == 0:
		return words.NewError("downstream.wants_token", "Address", r.address).Because(ErrSignIn)
	case status == http.StatusUnauthorized:
		return words.NewError("downstream.token_refused", "Address", r.address).Because(ErrSignIn)
	case errors.As(err, new(*lapseError)):
		return words.NewError("downstream.session_ended", "Address", r.address).Because(ErrStopped)
	case status == http.StatusForbidden && signs:
		return words.NewError("downstream.account_forbidden", "Address", r.address).Because(ErrSignIn)
	case status == http.StatusForbidden:
		return words.NewError("downstream.token_forbidden", "Address", r.address).Because(ErrSignIn)
	case status < http.StatusInternalServerError && status >= http.StatusBadRequest && !r.state.begun.Load() &&
		!mayPass(status) && status != http.StatusPaymentRequired:
		return words.NewError("downstream.no_server_there", "Address", r.address, "Status", status)
	case !errors.Is(err, errTurnedDown) && words.Of(err).Code != "": // such as downstream.answer_not_resumed
		return words.NewError("downstream.address_failed", "Address", r.address, "Why", r.brief(err))
	}
	return words.NewError("downstream.http_status",
		"Address", r.address, "Status", status, "Words", http.StatusText(status))
}

// withTime adds to the reason for a refusal when the server takes requests again.
func withTime(note *note, reason error) error {
	at := note.again.Load()
	if at == nil {
		return reason
	}
	when := words.Seconds(*at)
	if time.Until(*at) > 12*time.Hour {
		when = words.At(words.Date(*at), when)
	}
	return words.NewError("downstream.again_at", "What", reason, "Time", when).Because(reason)
}

// withWords adds the server's own text to the reason for a refusal.
func (r *remote) withWords(note *note, reason error) error {
	said := r.clean(plainWords(note.words(), int(note.status.Load())))
	if said == "" {
		return reason
	}
	return words.NewError("downstream.server_says", "What", reason, "Said", said).Because(reason)
}

var (
	// pageTitle matches the title of a web page.
	pageTitle = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title>`)
	// pageTag matches what is not text in a web page.
	pageTag = lazyregexp.New(`(?s)<style.*?</style>|<script.*?</script>|<[^>]*>`)
)

// plainWords returns the text in the body of a refusal, which may be JSON or HTML; "" if it only repeats the status.
func plainWords(body []byte, status int) string {
	text := strings.TrimSpace(string(body))
	switch {
	case strings.HasPrefix(text, "{"):
		if said := fromJSON([]byte(text)); said != "" {
			text = said
		}
	case strings.HasPrefix(text, "<"):
		if title := pageTitle.FindStringSubmatch(text); title != nil {
			text = title[1]
		}
		text = strings.Join(strings.Fields(pageTag.ReplaceAllString(text, " ")), " ")
	}
	known := strings.ToLower(http.StatusText(status))
	if known != "" && strings.HasSuffix(strings.ToLower(strings.TrimRight(text, ". ")), known) {
		return ""
	}
	return text
}

// fromJSON returns the message in a JSON object, from one of the members that web services use; "" if there is none.
func fromJSON(object []byte) string {
	if !json.Valid(object) {
		return ""
	}
	for _, name := range []string{"error_description", "message", "detail", "error", "title", "reason"} {
		value := jsonrpc.Lookup(object, name)
		if text, ok := jsonrpc.String(value); ok && text != "" {
			return text
		}
		if len(value) > 0 && value[0] == '{' {
			if text, ok := jsonrpc.String(jsonrpc.Lookup(value, "message")); ok && text != "" {
				return text
			}
		}
	}
	return ""
}

// brief returns a short text for an error, without secrets.
func (r *remote) brief(err error) words.Text {
	switch said := words.Network(err); {
	case err == nil:
		return words.New("downstream.closed")
	case said.Code == "network.no_way_there":
		return noWay(runtime.GOOS, r.address)
	case !said.IsZero():
		return said
	}
	return words.Of(err).Map(r.clean)
}

// noWay returns the text for an address without a route. macOS reports this error also for the local network until the
// person has allowed access to it.
func noWay(goos, address string) words.Text {
	if parsed, err := url.Parse(address); goos == "darwin" && err == nil && local(parsed.Hostname()) {
		return words.New("downstream.local_network")
	}
	return words.New("network.no_way_there")
}

// local reports whether a host is in the local network, but not this computer.
func local(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return strings.HasSuffix(host, ".local") || host != "" && host != "localhost" && !strings.Contains(host, ".")
}

// clean returns a short text without secrets.
func (r *remote) clean(text string) string { return clean(secret.Mask(r.mask(text)), maxRefusal) }
