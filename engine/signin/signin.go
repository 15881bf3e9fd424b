package signin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// Patience is how long the user may take to sign in.
const Patience = 5 * time.Minute

// clientName is how services call us towards the user.
const clientName = "Workbench Desktop"

// ErrTimeout means that the user did not come back from the browser within [Patience].
var ErrTimeout = errors.New("nobody signed in within 5 minutes")

// ErrDenied means that the user, or the service, said no in the browser.
var ErrDenied = errors.New("the sign-in was not allowed")

// SignIn has the user sign in to a server in the browser, which open shows an address in, and keeps what comes of it. It returns
// when the browser has come back, after [Patience], or with the error of ctx. Open may be called on any goroutine.
func (s *Store) SignIn(ctx context.Context, address string, open func(url string) error) error {
	resource, err := resourceOf(address)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, Patience, ErrTimeout)
	defer cancel()
	e, err := s.newEntry(ctx, resource, address, open)
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
	return s.write(resource, e)
}

// newEntry signs in.
func (s *Store) newEntry(ctx context.Context, resource, address string, open func(url string) error) (*entry, error) {
	// Dynamic ports of 127.0.0.1 are what RFC 8252, section 7.3, has for programs on a computer.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the browser would not find back to Workbench: %w", err)
	}
	defer listener.Close()
	redirect := "http://" + listener.Addr().String() + callbackPath

	client := s.newClient(resource)
	var got holder
	service, err := discover(ctx, client, resource, address, func(scopes []string, document string) *transport.OAuthHandler {
		return transport.NewOAuthHandler(transport.OAuthConfig{
			RedirectURI: redirect, Scopes: scopes, TokenStore: &got, PKCEEnabled: true,
			ProtectedResourceMetadataURL: document, HTTPClient: client,
		})
	})
	if err != nil {
		return nil, err
	}
	if err := checkService(service.metadata, client); err != nil {
		return nil, err
	}
	if service.metadata.RegistrationEndpoint == "" {
		return nil, errors.New("the server's sign-in service does not know Workbench and takes no new programs; use a token in a header instead")
	}
	handler := service.handler
	if err := handler.RegisterClient(ctx, clientName); err != nil {
		return nil, plainly("the server's sign-in service does not take Workbench", err)
	}
	if handler.GetClientID() == "" {
		return nil, errors.New("the server's sign-in service does not take Workbench: it gives no client ID")
	}
	verifier, err := transport.GenerateCodeVerifier()
	if err != nil {
		return nil, err
	}
	state, err := transport.GenerateState()
	if err != nil {
		return nil, err
	}
	page, err := handler.GetAuthorizationURL(ctx, state, transport.GenerateCodeChallenge(verifier))
	if err != nil {
		return nil, plainly("the server's sign-in service cannot be used", err)
	}
	if before := service.metadata.AuthorizationEndpoint; strings.Contains(before, "?") { // which mcp-go does not expect
		page = before + "&" + strings.TrimPrefix(page, before+"?")
	}

	issuer := ""
	if known(service.metadata) {
		issuer = service.metadata.Issuer
	}
	back := newCallback(state, issuer, func(code string) error {
		if err := handler.ProcessAuthorizationResponse(ctx, code, state, verifier); err != nil {
			return plainly("the server's sign-in service gave no token", err)
		}
		return checkToken(got.token)
	})
	stop := back.serve(listener)
	defer stop()
	if err := open(page); err != nil {
		return nil, fmt.Errorf("the browser cannot be opened: %w", err)
	}
	select {
	case err := <-back.result:
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return &entry{
		Token: *got.token, ClientID: handler.GetClientID(), ClientSecret: handler.GetClientSecret(),
		AuthMethod: handler.GetTokenEndpointAuthMethod(), Base: service.base, Metadata: service.document,
		TokenEndpoint: service.metadata.TokenEndpoint,
	}, nil
}

// holder is where mcp-go leaves a token.
type holder struct{ token *transport.Token }

func (h *holder) GetToken(ctx context.Context) (*transport.Token, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, transport.ErrNoToken
}

func (h *holder) SaveToken(_ context.Context, token *transport.Token) error {
	h.token = token // a token that was given is kept, whether or not somebody still waits
	return nil
}

// checkToken refuses what cannot be sent as a bearer token (RFC 6750, section 2.1).
func checkToken(token *transport.Token) error {
	switch {
	case token == nil || token.AccessToken == "":
		return errors.New("the server's sign-in service gave no token")
	case token.TokenType != "" && !strings.EqualFold(token.TokenType, "bearer"):
		return errors.New("the server's sign-in service gave a kind of token that Workbench cannot use")
	case strings.IndexFunc(token.AccessToken, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0:
		return errors.New("the server's sign-in service gave a token that cannot be sent")
	}
	return nil
}
