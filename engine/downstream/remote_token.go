package downstream

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Tokens provides access tokens for remote servers to which the user has signed in.
type Tokens interface {
	// Token returns the access token for the server at a URL, or "" if the user has not signed in. If refused is not
	// "", the server has refused that token, so another one is needed. Token may use the network, but does not ask the
	// user to sign in. An error is temporary.
	Token(ctx context.Context, url, refused string) (string, error)
	// Refused records for the next sign-in why the server at a URL refused a request: the HTTP status, 401 or 403, and
	// the WWW-Authenticate headers. lacking means that the sign-in does not have the rights that the server now
	// requires, and rights names those, if the server does. asked means that the sign-in has already asked for them,
	// so that a new one would not get them.
	Refused(url string, status int, headers []string) (rights string, lacking, asked bool)
}

// bearer is a RoundTripper that sends a token with each request to one server. It is used instead of
// transport.WithHTTPOAuth of mcp-go, which treats every failed renewal as a missing sign-in, even without a network,
// and does not renew a token that a server refuses early.
type bearer struct {
	base   http.RoundTripper
	tokens Tokens
	server *url.URL
	shown  func(token string) // called with each token before it is sent
}

// tokenError means that the token could not be determined.
type tokenError struct{ reason error }

func (e *tokenError) Error() string { return "the sign-in cannot be used: " + e.reason.Error() }

// maxDrained limits the body of a refusal that is read so that the connection can be used again, in bytes.
const maxDrained = 64 << 10

// RoundTrip implements [http.RoundTripper].
func (b *bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme != b.server.Scheme || !strings.EqualFold(request.URL.Host, b.server.Host) {
		return b.base.RoundTrip(request) // the token is only for one server
	}
	response, err := b.show(request)
	if err != nil || response.StatusCode != http.StatusUnauthorized && response.StatusCode != http.StatusForbidden {
		return response, err
	}
	rights, lacking, asked := b.tokens.Refused(b.server.String(), response.StatusCode,
		response.Header.Values("WWW-Authenticate"))
	if note, _ := request.Context().Value(noteKey{}).(*note); note != nil && lacking {
		note.missing.Store(&missingRights{rights, asked})
	}
	return response, nil
}

// show sends a request with the token, if there is one. If the server refuses the token, it sends the request again
// with a new one.
func (b *bearer) show(request *http.Request) (*http.Response, error) {
	address := b.server.String()
	token, err := b.tokens.Token(request.Context(), address, "")
	if err != nil {
		if request.Body != nil {
			_ = request.Body.Close()
		}
		return nil, &tokenError{err}
	}
	if token == "" {
		return b.base.RoundTrip(request)
	}
	response, err := b.base.RoundTrip(b.withToken(request, token))
	if err != nil || response.StatusCode != http.StatusUnauthorized || request.Body != nil && request.GetBody == nil {
		return response, err
	}
	renewed, err := b.tokens.Token(request.Context(), address, token)
	if err == nil && (renewed == "" || renewed == token) {
		return response, nil
	}
	_, _ = io.CopyN(io.Discard, response.Body, maxDrained)
	_ = response.Body.Close()
	if err != nil {
		return nil, &tokenError{err}
	}
	again := b.withToken(request, renewed)
	if request.GetBody != nil {
		if again.Body, err = request.GetBody(); err != nil {
			return nil, err
		}
	}
	return b.base.RoundTrip(again)
}

// missingRights are the rights that a request needs and the sign-in does not have.
type missingRights struct {
	rights string // as the server names them; may be ""
	asked  bool   // a new sign-in would not get them
}

// reason returns the error for people.
func (l *missingRights) reason(address string) error {
	rights := clean(l.rights, maxRefusal)
	if l.asked {
		return words.NewError("downstream.rights_missing", "Address", address, "Rights", rights)
	}
	return words.NewError("downstream.rights_wanted", "Address", address, "Rights", rights).Because(ErrSignIn)
}

// CloseIdleConnections is called by http.Client.
func (b *bearer) CloseIdleConnections() {
	if base, ok := b.base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// withToken returns a copy of a request with a token.
func (b *bearer) withToken(request *http.Request, token string) *http.Request {
	b.shown(token)
	shown := request.Clone(request.Context())
	shown.Header.Set("Authorization", "Bearer "+token)
	return shown
}

// authorizes reports whether an entry has an Authorization header.
func authorizes(server *config.Server) bool {
	return slices.ContainsFunc(server.Headers, func(header config.Variable) bool {
		return strings.EqualFold(header.Name, "Authorization")
	})
}
