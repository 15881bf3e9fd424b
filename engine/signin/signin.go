package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Patience is how long the user may take to sign in.
const Patience = 5 * time.Minute

// ErrTimeout means that the user did not come back from the browser within [Patience].
const ErrTimeout = words.Code("signin.nobody")

// ErrDenied means that the user or the service refused in the browser.
const ErrDenied = words.Code("signin.denied")

// SignIn lets the user sign in to a server in the browser, and stores the tokens. It uses the address in the
// server's entry, and the registration of Workbench there; references in the entry must be expanded. SignIn
// returns when the browser has returned, after [Patience], or when ctx ends.
//
// SignIn first calls agree with the address at which the user would sign in, and does nothing there before
// agree has returned nil; a nil agree means that the user has agreed. Then it calls open with the page to
// show, and a second time if the service refuses our first client ID. Both are called on any goroutine.
func (s *Store) SignIn(ctx context.Context, server *config.Server, agree, open func(url string) error) error {
	resource, err := resourceOf(server.URL)
	if err != nil {
		return err
	}
	keychain.Acted() // only a person signs in
	ctx, cancel := context.WithTimeoutCause(ctx, Patience, ErrTimeout)
	defer cancel()
	e, err := s.newEntry(ctx, resource, server, agree, open)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
	unlock, err := s.lock(ctx, resource)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.write(resource, e); err != nil {
		return err
	}
	s.forgetWish(resource)
	return nil
}

// newEntry performs the sign-in.
func (s *Store) newEntry(ctx context.Context, resource string, server *config.Server, agree,
	open func(url string) error) (*entry, error) {
	web := s.newClient(resource)
	known := s.wish(resource)
	says := ask(ctx, web, server.URL)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if says.document == "" {
		says.document = known.Document
	}
	at, err := discover(ctx, web, resource, says.document)
	if err != nil {
		return nil, err
	}
	if err := at.check(web); err != nil {
		return nil, err
	}
	before, err := s.read(resource)
	if err != nil || before == nil || before.Issuer == "" {
		before = &entry{} // an entry that cannot be read is replaced
	}
	if id := server.OAuth.ID(); id != "" && id == before.ClientID && at.Issuer != before.Issuer {
		return nil, words.NewError("signin.other_service")
	}
	if agree != nil {
		if err := agree(at.AuthorizationEndpoint); err != nil {
			return nil, err
		}
	}
	scopes, all := at.scopes(server.OAuth, says, known, before)
	who, err := s.register(ctx, web, at, server.OAuth, scopes, known.Register && at.RegistrationEndpoint != "")
	if err != nil {
		return nil, err
	}
	got, err := who.signIn(ctx, web, at, scopes, open)
	if who.document && err != nil && at.RegistrationEndpoint != "" {
		var refused *refusedError
		switch {
		case ctx.Err() != nil: // the service may refuse the document in the browser, without returning to us
			known.Register = true
			s.keepWish(resource, known)
		case errors.As(err, &refused) && refused.unknown():
			if who, err = s.register(ctx, web, at, server.OAuth, scopes, true); err != nil {
				return nil, err
			}
			got, err = who.signIn(ctx, web, at, scopes, open)
		}
	}
	if err != nil {
		return nil, err
	}
	return &entry{
		Token: *got, ClientID: who.id, ClientSecret: who.secret, AuthMethod: who.method,
		Issuer: at.Issuer, TokenEndpoint: at.TokenEndpoint, Resource: at.resource, Asked: scopes, All: all,
	}, nil
}

// offlineAccess is the scope for refresh tokens.
const offlineAccess = "offline_access"

// scopes returns the scopes to request (MCP specification, "Scope Selection Strategy" and "Step-Up
// Authorization Flow"): those that the user has configured, else those that the server requires, else those
// that it lists. It adds the scopes of the last sign-in, and those that the server missed in it. all reports
// whether they are all that the server lists.
func (s *service) scopes(registered *config.OAuth, says challenge, known wish,
	before *entry) (scopes []string, all bool) {
	var prior []string
	if before.Issuer == s.Issuer {
		prior = before.Asked
	}
	switch {
	case registered != nil && registered.Scope != "":
		scopes = strings.Fields(registered.Scope)
	case len(says.scopes) > 0:
		scopes = says.scopes
	case len(known.Scopes) > 0 && !known.More:
		scopes = known.Scopes
	case len(prior) == 0:
		scopes = s.offered
	}
	if known.More && len(known.Scopes) == 0 { // the server has not said what is missing
		scopes = slices.Concat(scopes, s.offered)
	}
	if scopes = cleanScopes(slices.Concat(prior, scopes, known.Scopes)); len(scopes) > 0 &&
		slices.Contains(s.Scopes, offlineAccess) {
		scopes = cleanScopes(append(scopes, offlineAccess))
	}
	return scopes, within(s.offered, scopes)
}

// signIn lets the user sign in to a service, and gets the token. It closes the client.
func (r *registration) signIn(ctx context.Context, web *http.Client, at *service, scopes []string,
	open func(url string) error) (*token, error) {
	state, verifier := randomText(), randomText()
	page, err := r.page(at, scopes, state, verifier)
	if err != nil {
		r.close()
		return nil, err
	}
	var got *token
	back := newCallback(state, at, func(code string) (err error) {
		got, err = r.token(ctx, web, at.TokenEndpoint, url.Values{
			"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {r.redirect}, "code_verifier": {verifier},
			"resource": {at.resource},
		})
		if err != nil {
			return plainly("signin.no_token", err)
		}
		return nil
	})
	stop := back.serve(r.listeners)
	defer stop()
	if err := open(page); err != nil {
		return nil, words.NewError("signin.no_browser", "Why", err)
	}
	select {
	case err := <-back.result:
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return got, nil
}
