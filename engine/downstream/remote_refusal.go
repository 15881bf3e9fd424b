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
	// maxRefusal is how much of the text of a refusal is shown, in bytes.
	maxRefusal = 300
	// maxHeard is how much of the body of a refusal is kept for that, in bytes.
	maxHeard = 4 << 10
	// refusalTime is how long the body of a refusal may take to arrive.
	refusalTime = 10 * time.Second
)

// note records the outcome of one HTTP request.
type note struct {
	status   atomic.Int32
	tooLarge atomic.Pointer[error]
	missing  atomic.Pointer[missingRights]

	mu   sync.Mutex
	said []byte // the beginning of the body of an error
}

type noteKey struct{}

// noted returns a context that records the outcome of its requests.
func noted(ctx context.Context) (context.Context, *note) {
	n := &note{}
	return context.WithValue(ctx, noteKey{}, n), n
}

// begin records the status of an answer. What was said before counts no more.
func (n *note) begin(status int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.status.Store(int32(status))
	n.said = nil
}

// failed reports whether the status is that of an error, or of a redirect without an address.
func (n *note) failed() bool { return n.status.Load() >= http.StatusMultipleChoices }

// keep stores the beginning of the body of an error.
func (n *note) keep(part []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said = append(n.said, part[:min(len(part), maxHeard-len(n.said))]...)
}

// words returns the beginning of the body of an error.
func (n *note) words() []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	return bytes.Clone(n.said)
}

// old reports whether the status is one with which servers from before streamable HTTP answer posts.
func (n *note) old() bool {
	switch n.status.Load() {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable,
		http.StatusGone, http.StatusUnsupportedMediaType:
		return true
	}
	return false
}

// errTurnedDown means that an answer has the HTTP status of an error. [remote.reason] makes a sentence of it.
var errTurnedDown = errors.New("the server refused the request")

// readRefusal reads the beginning of the body of a refusal, as far as it comes soon, and closes it.
func readRefusal(response *http.Response) []byte {
	late := background.After(refusalTime, func() { response.Body.Close() })
	defer late.Stop()
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxHeard))
	return body
}

// turnedDown handles an answer to a request that has the HTTP status of an error. stop ends the reading of
// its body.
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

// reason returns why a request failed, for people. It wraps an error for the kind of reason.
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
		return err // already explained
	case errors.As(err, &unsure):
		return words.NewError("downstream.sign_in_unusable", "Address", r.address, "Why", r.brief(unsure.reason)).
			Because(ErrUnreachable)
	case errors.As(err, &moved) && r.state.begun.Load(): // other requests may be answered
		return words.NewError("downstream.address_failed", "Address", r.address, "Why", moved)
	case note.missing.Load() != nil:
		return note.missing.Load().reason(r.address)
	case errors.As(err, &lost):
		return words.NewError("downstream.unreachable", "Address", r.address, "Why", r.brief(lost.Err)).
			Because(ErrUnreachable)
	case note.failed():
		return r.withWords(note, r.status(int(note.status.Load()), err))
	case errors.As(err, new(*lapseError)):
		return words.NewError("downstream.session_ended", "Address", r.address).Because(ErrStopped)
	case errors.As(err, &network):
		return words.NewError("downstream.connection_failed", "Address", r.address, "Why", r.brief(err)).
			Because(ErrUnreachable)
	}
	return words.NewError("downstream.address_failed", "Address", r.address, "Why", r.brief(err))
}

// status returns what the HTTP status of an error means.
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
	case !errors.Is(err, errTurnedDown) && words.Of(err).Code != "": // such as that an answer was not continued
		return words.NewError("downstream.address_failed", "Address", r.address, "Why", r.brief(err))
	}
	return words.NewError("downstream.http_status",
		"Address", r.address, "Status", status, "Words", http.StatusText(status))
}

// withWords adds the server's own words to the reason for a refusal.
func (r *remote) withWords(note *note, reason error) error {
	said := r.clean(plainWords(note.words(), int(note.status.Load())))
	if said == "" {
		return reason
	}
	return words.NewError("downstream.server_says", "What", reason, "Said", said).Because(reason)
}

// page matches what to show of a web page, and a tag in it.
var (
	pageTitle = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title>`)
	pageTag   = lazyregexp.New(`(?s)<style.*?</style>|<script.*?</script>|<[^>]*>`)
)

// plainWords returns what the body of a refusal says, without the form of JSON or HTML; "" if it says no more
// than the status does.
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

// fromJSON returns the sentence of an error in JSON; "" if there is none where web services write it.
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

// noWay returns the text for an address that the system has no way to. macOS also says so of the local network while
// the person has not allowed it.
func noWay(goos, address string) words.Text {
	if parsed, err := url.Parse(address); goos == "darwin" && err == nil && local(parsed.Hostname()) {
		return words.New("downstream.local_network")
	}
	return words.New("network.no_way_there")
}

// local reports whether a host is in the local network, and not this computer.
func local(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return strings.HasSuffix(host, ".local") || host != "" && host != "localhost" && !strings.Contains(host, ".")
}

// clean returns a short text without secrets.
func (r *remote) clean(text string) string { return clean(secret.Mask(r.mask(text)), maxRefusal) }
