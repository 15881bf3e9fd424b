package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// token is a service's answer to a request for tokens (RFC 6749, section 5.1).
type token struct {
	AccessToken  string    `json:"access_token"`
	TokenType    string    `json:"token_type"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	ExpiresIn    seconds   `json:"expires_in,omitempty"`
	Scope        rights    `json:"scope,omitempty"`
	ExpiresAt    time.Time `json:"expires_at,omitzero"`
}

// seconds is a number of seconds. Some services write it as text or with a fraction.
type seconds int64

// UnmarshalJSON implements [json.Unmarshaler]. What is no number counts as absent.
func (s *seconds) UnmarshalJSON(source []byte) error {
	number, err := strconv.ParseFloat(strings.Trim(strings.TrimSpace(string(source)), `" `), 64)
	if err != nil || !(number > 0) {
		number = 0
	}
	*s = seconds(min(number, maxLife))
	return nil
}

// rights are scopes, separated by spaces. Some services write a list.
type rights string

// UnmarshalJSON implements [json.Unmarshaler]. What is neither text nor a list of texts counts as absent.
func (r *rights) UnmarshalJSON(source []byte) error {
	var text string
	var list []string
	if json.Unmarshal(source, &text) != nil && json.Unmarshal(source, &list) == nil {
		text = joined(list)
	}
	*r = rights(text)
	return nil
}

// leeway is how long before it expires a token is renewed, so that it does not expire on its way.
const leeway = 20 * time.Second

// Token returns the access token for a server, or "" if nobody has signed in or the sign-in has ended. A
// token that is about to expire, or that the server has just refused, is renewed first; only one of several
// engines does so. An error means that the token could not be determined this time, for example because the
// network is down.
func (s *Store) Token(ctx context.Context, address, refused string) (string, error) {
	resource, err := resourceOf(address)
	if err != nil {
		return "", nil // a sign-in is not possible at such an address
	}
	e, err := s.read(resource)
	if err != nil || e == nil {
		return "", err
	}
	if e.usable(refused) {
		return e.Token.AccessToken, nil
	}
	if e.Token.RefreshToken == "" {
		return "", nil
	}
	unlock, err := s.lock(ctx, resource)
	if err != nil {
		return "", err
	}
	defer unlock()
	// Another engine may have renewed it. A refresh token can be used only once.
	if e, err = s.read(resource); err != nil || e == nil {
		return "", err
	}
	if e.usable(refused) {
		return e.Token.AccessToken, nil
	}
	// The caller may give up, but a new token must not be lost, since the old refresh token is then used up.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTime)
	defer cancel()
	fresh, err := s.renew(ctx, resource, e)
	if err != nil && e.Token.AccessToken != refused && time.Until(e.Token.ExpiresAt) > 0 {
		return e.Token.AccessToken, nil // some services renew only what has expired
	}
	if refusal, ok := errors.AsType[*refusedError](err); ok && refusal.forGood() {
		return "", s.remove(resource)
	}
	return fresh, err
}

func (e *entry) usable(refused string) bool {
	token := e.Token
	return token.AccessToken != refused && (token.ExpiresAt.IsZero() || time.Until(token.ExpiresAt) > e.leeway())
}

// leeway returns a shorter time for tokens with a short lifetime, which would otherwise always be about to
// expire.
func (e *entry) leeway() time.Duration {
	return min(leeway, time.Duration(e.Token.ExpiresIn)*time.Second/4)
}

// renew exchanges the refresh token for new tokens at the service that issued it. The caller must hold the
// lock.
func (s *Store) renew(ctx context.Context, resource string, e *entry) (string, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {e.Token.RefreshToken}}
	if e.Resource != "" { // sign-ins of earlier versions do not have it
		form.Set("resource", e.Resource)
	}
	who := registration{id: e.ClientID, secret: e.ClientSecret, method: e.AuthMethod}
	got, err := who.token(ctx, s.newClient(resource), e.TokenEndpoint, form)
	if err != nil {
		return "", plainly("signin.not_renewed", err)
	}
	if got.RefreshToken == "" {
		got.RefreshToken = e.Token.RefreshToken
	}
	if got.Scope == "" {
		got.Scope = e.Token.Scope
	}
	e.Token = *got
	return e.Token.AccessToken, s.write(resource, e)
}

// token requests a token from a token endpoint.
func (r *registration) token(ctx context.Context, web *http.Client, endpoint string, form url.Values) (*token, error) {
	request, err := r.tokenRequest(ctx, endpoint, form)
	if err != nil {
		return nil, err
	}
	var got struct {
		token
		Error string `json:"error"` // some services report an error with status 200
	}
	if err := do(web, request, &got); err != nil {
		return nil, err
	}
	if got.Error != "" {
		return nil, &refusedError{code: got.Error}
	}
	if got.ExpiresIn > 0 {
		got.ExpiresAt = time.Now().Add(time.Duration(got.ExpiresIn) * time.Second)
	}
	return &got.token, checkToken(&got.token)
}

// maxLife is the longest lifetime of a token, in seconds: a year.
const maxLife = 365 * 24 * 60 * 60

func (r *registration) tokenRequest(ctx context.Context, endpoint string, form url.Values) (*http.Request, error) {
	basic := r.secret != "" && r.method == methodBasic
	if !basic {
		form.Set("client_id", r.id)
		if r.secret != "" && r.method != methodNone {
			form.Set("client_secret", r.secret)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if basic { // encoded as in a form (RFC 6749, section 2.3.1)
		request.SetBasicAuth(url.QueryEscape(r.id), url.QueryEscape(r.secret))
	}
	return request, nil
}

// checkToken refuses a token that cannot be sent as a bearer token (RFC 6750, section 2.1). Services have words of their
// own for those that can: Slack's are "user" and "bot".
func checkToken(t *token) error {
	switch {
	case t.AccessToken == "":
		return words.Code("signin.no_token")
	case slices.Contains([]string{"dpop", "mac", "pop", "n_a"}, strings.ToLower(t.TokenType)):
		return words.Code("signin.token_kind") // more than the token has to be sent
	case strings.IndexFunc(t.AccessToken, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0:
		return words.Code("signin.token_unsendable")
	}
	return nil
}

// randomText returns a random secret made of letters, digits, "-" and "_".
func randomText() string {
	bytes := make([]byte, 32)
	_, _ = rand.Read(bytes) // never fails
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// challengeOf returns the PKCE challenge of a verifier (RFC 7636, section 4.2).
func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
