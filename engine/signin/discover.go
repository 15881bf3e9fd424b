package signin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// found is the sign-in service of a server.
type found struct {
	handler  *transport.OAuthHandler
	metadata *transport.AuthServerMetadata
	base     string // what the handler has as the server's address
	document string // address of the protected resource metadata; empty: the one that follows from base
	scopes   []string
}

// newHandler makes mcp-go's part, for scopes to ask for and the address of the protected resource metadata, which may be empty.
type newHandler func(scopes []string, document string) *transport.OAuthHandler

// known tells whether the service describes itself. Otherwise its addresses are guesses (MCP specification of 2025-03-26).
func known(metadata *transport.AuthServerMetadata) bool {
	return len(metadata.ResponseTypesSupported) > 0
}

// discover finds the sign-in service of a resource (RFC 9728, RFC 8414). mcp-go follows one path; the specification has several,
// tried here in its order: the document that the server names, the one for its path, the one for its origin.
func discover(ctx context.Context, client *http.Client, resource, address string, newHandler newHandler) (*found, error) {
	challenge := ask(ctx, client, address)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	u, err := url.Parse(resource)
	if err != nil {
		return nil, err
	}
	origin := u.Scheme + "://" + u.Host
	ways := []found{{base: resource, document: challenge.document}, {base: resource}}
	if origin != resource {
		ways = append(ways, found{base: resource, document: origin + wellKnown}, found{base: origin})
	}
	var guess *found
	var first error
	for _, way := range ways {
		if way.base == resource && way.document != "" && !sameOrigin(way.document, resource) {
			continue
		}
		if err := way.look(ctx, client, challenge, newHandler); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if first == nil {
				first = err
			}
			continue
		}
		if known(way.metadata) {
			return &way, nil
		}
		if guess == nil {
			guess = &way
		}
	}
	if guess != nil {
		return guess, nil
	}
	return nil, plainly("the server's sign-in service was not found", first)
}

// wellKnown is where protected resource metadata is, before the path of the resource (RFC 9728, section 3).
const wellKnown = "/.well-known/oauth-protected-resource"

// look goes one way.
func (f *found) look(ctx context.Context, client *http.Client, challenge challenge, newHandler newHandler) error {
	f.scopes = challenge.scopes
	if f.scopes == nil {
		f.scopes = offered(ctx, client, f.base, f.document)
	}
	f.handler = newHandler(f.scopes, f.document)
	f.handler.SetBaseURL(f.base)
	var err error
	f.metadata, err = f.handler.GetServerMetadata(ctx)
	return err
}

// challenge is what a server says to those who have not signed in.
type challenge struct {
	document string   // address of its protected resource metadata
	scopes   []string // that it wants
}

// ask calls at a server without a token. Servers of before streamable HTTP answer only the second call.
func ask(ctx context.Context, client *http.Client, address string) challenge {
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + mcp.LATEST_PROTOCOL_VERSION +
		`","capabilities":{},"clientInfo":{"name":"mcp-workbench","version":"0"}}}`
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		request, err := http.NewRequestWithContext(ctx, method, address, nil)
		if err != nil {
			return challenge{}
		}
		request.Header.Set("Accept", "text/event-stream")
		if method == http.MethodPost {
			request, err = http.NewRequestWithContext(ctx, method, address, bytes.NewReader([]byte(hello)))
			if err != nil {
				return challenge{}
			}
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", "application/json, text/event-stream")
		}
		response, err := client.Do(request)
		if err != nil {
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusUnauthorized {
			return readChallenge(response.Header.Values("WWW-Authenticate"))
		}
	}
	return challenge{}
}

// parameter is one of a challenge (RFC 9110, section 11.4), quoted or not.
var parameter = regexp.MustCompile(`(?i)(?:^|[\s,])(resource_metadata|scope)\s*=\s*(?:"([^"\\]*)"|([^\s",]+))`)

func readChallenge(headers []string) challenge {
	var c challenge
	for _, header := range headers {
		for _, m := range parameter.FindAllStringSubmatch(header, -1) {
			value := m[2] + m[3]
			switch {
			case strings.EqualFold(m[1], "scope") && c.scopes == nil:
				c.scopes = cleanScopes(strings.Fields(value))
			case strings.EqualFold(m[1], "resource_metadata") && c.document == "":
				c.document = value
			}
		}
	}
	return c
}

// offered are the scopes that a server's metadata lists, which mcp-go passes over. They are what to ask for when the server has not
// said what it wants (MCP specification, "Scope Selection Strategy").
func offered(ctx context.Context, client *http.Client, base, document string) []string {
	if document == "" {
		u, err := url.Parse(base)
		if err != nil {
			return nil
		}
		document = u.Scheme + "://" + u.Host + wellKnown + u.EscapedPath()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, document, nil)
	if err != nil {
		return nil
	}
	response, err := client.Do(request)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	var says struct {
		Scopes []string `json:"scopes_supported"`
	}
	if response.StatusCode != http.StatusOK || json.NewDecoder(response.Body).Decode(&says) != nil {
		return nil
	}
	return cleanScopes(says.Scopes)
}

// maxScopes is how many scopes are asked for.
const maxScopes = 100

// cleanScopes leaves out what is no scope (RFC 6749, section 3.3).
func cleanScopes(scopes []string) []string {
	scopes = slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool {
		return scope == "" || len(scope) > 200 || strings.IndexFunc(scope, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }) >= 0
	})
	return scopes[:min(len(scopes), maxScopes)]
}

// sameOrigin tells whether two addresses have one scheme and host.
func sameOrigin(a, b string) bool {
	ua, err := url.Parse(a)
	if err != nil {
		return false
	}
	ub, err := url.Parse(b)
	return err == nil && ua.Scheme == ub.Scheme && strings.EqualFold(ua.Host, ub.Host)
}

// checkService refuses a service that is not safe to sign in with. That its addresses are encrypted is checked here for the
// browser; for us newClient sees to it.
func checkService(metadata *transport.AuthServerMetadata, client *http.Client) error {
	careful := client.Transport.(*careful)
	for _, address := range []string{metadata.AuthorizationEndpoint, metadata.TokenEndpoint} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			return errors.New("the server's sign-in service does not say where to sign in")
		}
		if err := careful.check(u); err != nil {
			return plainly("the server's sign-in service is not safe", err)
		}
	}
	// "If code_challenge_methods_supported is absent … MCP clients MUST refuse to proceed" (MCP specification, Authorization).
	if known(metadata) && !slices.Contains(metadata.CodeChallengeMethodsSupported, "S256") {
		return errors.New("the server's sign-in service is not safe: it does not offer PKCE")
	}
	return nil
}
