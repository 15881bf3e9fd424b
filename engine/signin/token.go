package signin

import (
	"context"
	"errors"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// leeway is how long before its end a token is renewed, so that it does not end on its way.
const leeway = 20 * time.Second

// Token returns the access token for a server, "" when nobody has signed in or the sign-in has ended. A token that is about to
// expire, or that the server has just refused, is renewed before; of several engines one does that. An error means that it
// could not be told this time, for example because the network is down.
func (s *Store) Token(ctx context.Context, address, refused string) (string, error) {
	resource, err := resourceOf(address)
	if err != nil {
		return "", nil // nobody can have signed in there
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
	// Another engine may have been first. A refresh token is good for one use.
	if e, err = s.read(resource); err != nil || e == nil {
		return "", err
	}
	if e.usable(refused) {
		return e.Token.AccessToken, nil
	}
	// Whoever asked may give up, but a token that was given for the one we have must not be lost.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTime)
	defer cancel()
	return s.renew(ctx, resource, e)
}

func (e *entry) usable(refused string) bool {
	token := e.Token
	return token.AccessToken != refused && (token.ExpiresAt.IsZero() || time.Until(token.ExpiresAt) > e.leeway())
}

// leeway is shorter for tokens that live so short that they would always be about to expire.
func (e *entry) leeway() time.Duration {
	return min(leeway, time.Duration(e.Token.ExpiresIn)*time.Second/4)
}

// renew exchanges the refresh token for new tokens. The caller has the lock.
func (s *Store) renew(ctx context.Context, resource string, e *entry) (string, error) {
	var got holder
	client := s.newClient(resource)
	handler := transport.NewOAuthHandler(transport.OAuthConfig{
		ClientID: e.ClientID, ClientSecret: e.ClientSecret, TokenEndpointAuthMethod: e.AuthMethod, TokenStore: &got,
		ProtectedResourceMetadataURL: e.Metadata, HTTPClient: client,
	})
	handler.SetBaseURL(e.Base)
	metadata, err := handler.GetServerMetadata(ctx)
	if err != nil {
		return "", plainly("the sign-in cannot be renewed", err)
	}
	if metadata.TokenEndpoint != e.TokenEndpoint {
		return "", nil // the refresh token is not for this place
	}
	if _, err := handler.RefreshToken(ctx, e.Token.RefreshToken); err != nil {
		err = plainly("the sign-in cannot be renewed", err)
		var refused *refusedError
		if errors.As(err, &refused) {
			switch refused.code {
			case "invalid_grant", "invalid_client", "unauthorized_client":
				return "", s.remove(resource) // it has ended for good
			}
		}
		return "", err
	}
	if err := checkToken(got.token); err != nil {
		return "", err
	}
	e.Token = *got.token
	return e.Token.AccessToken, s.write(resource, e)
}
