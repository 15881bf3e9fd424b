// Package fakeservice is a remote MCP server with a sign-in service, for tests. It supports discovery,
// registration, authorization with PKCE, and refresh tokens that can be used once.
package fakeservice

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Service is the server. Its fields may be changed before the first request.
type Service struct {
	*httptest.Server

	// Path is the path of the MCP server.
	Path string
	// Lifetime of access tokens; if 0, they do not expire.
	Lifetime time.Duration
	// Document is the path of the protected resource metadata; if empty, there is none. If Advertised is set,
	// a 401 names it.
	Document   string
	Advertised bool
	// Resource is the resource in the metadata; if empty, the MCP server.
	Resource string
	// Undescribed leaves out the metadata of the authorization server, NoPKCE the declaration of PKCE, and
	// NoRegistration the registration.
	Undescribed, NoPKCE, NoRegistration bool
	// Issuer is the issuer that is sent back with a code; if empty, our own; if "none", none. If SendsIssuer
	// is set, the metadata declares that an issuer is sent back.
	Issuer      string
	SendsIssuer bool
	// MetadataIssuer is the issuer in the metadata; if empty, our own. MetadataPath is the path of the
	// metadata; if empty, the usual one. Tenant is the path of our own identifier.
	MetadataIssuer, MetadataPath, Tenant string
	// TokenType is the type of all tokens; if empty, Bearer.
	TokenType string
	// AuthMethods are the declared ways to authenticate at the token endpoint; if nil, none are declared.
	AuthMethods []string
	// Scopes are the scopes that the authorization server lists, ResourceScopes those of the MCP server.
	Scopes, ResourceScopes []string
	// Wants is the scope that the MCP server first asks for, and Rights the scope that each tool needs; empty
	// means none.
	Wants  string
	Rights map[string]string
	// If Unheard is set, a challenge for too few rights does not name them. If Greets is set, the handshake
	// needs no sign-in.
	Unheard, Greets bool
	// Grants returns which of the requested scopes are granted; nil means all.
	Grants func(asked string) string
	// If Documents is set, the address of a document can be a client ID. DocumentID is the only accepted one.
	// Refuses says where others are refused: on the page, which does not return to the client; in the answer
	// that the browser brings back; or at the token endpoint.
	Documents           bool
	DocumentID, Refuses string
	// Known are the secrets of clients that are already registered. They may use any redirect address on this
	// computer.
	Known map[string]string
	// Override has handlers that replace those of the service, by path.
	Override map[string]http.HandlerFunc
	// Deny makes the user refuse.
	Deny bool
	// Slow is how long a renewal takes.
	Slow time.Duration
	// Down makes the token endpoint answer 503.
	Down bool

	mcp http.Handler

	mu       sync.Mutex
	number   int
	clients  map[string]string // redirect addresses by client
	codes    map[string]code
	access   map[string]time.Time // when they expire
	refresh  map[string]string    // the client that each belongs to
	used     map[string]bool      // refresh tokens that were used
	renewals int
	reused   int
	asked    []url.Values
	granted  map[string]string // scopes of tokens
	wished   []map[string]any  // requests for registration
	told     []url.Values      // requests to the token endpoint
	proofs   []string          // how clients authenticated there
}

type code struct{ client, redirect, challenge, scope string }

// New starts a service. The caller must close it.
func New() *Service {
	tools := server.NewMCPServer("guarded", "1.0.0", server.WithToolCapabilities(true))
	tools.AddTool(mcp.NewTool("greet"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("hello"), nil
	})
	s := &Service{
		Path: "/mcp", Lifetime: time.Hour, Document: "/.well-known/oauth-protected-resource/mcp", Advertised: true,
		mcp:     server.NewStreamableHTTPServer(tools),
		clients: map[string]string{}, codes: map[string]code{}, access: map[string]time.Time{},
		refresh: map[string]string{}, used: map[string]bool{}, granted: map[string]string{},
		ResourceScopes: []string{"read", "bad\"scope"},
	}
	s.Server = httptest.NewServer(s)
	return s
}

// Stop stops the service.
func (s *Service) Stop() {
	s.CloseClientConnections()
	s.Close()
}

// Address returns the address of the MCP server.
func (s *Service) Address() string { return s.URL + s.Path }

// Renewals returns how often tokens were renewed.
func (s *Service) Renewals() int { s.mu.Lock(); defer s.mu.Unlock(); return s.renewals }

// Reused returns how often a refresh token was used a second time.
func (s *Service) Reused() int { s.mu.Lock(); defer s.mu.Unlock(); return s.reused }

// Asked returns the parameters of all authorizations.
func (s *Service) Asked() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Registrations returns the requests for registration.
func (s *Service) Registrations() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.wished)
}

// Exchanges returns the parameters of all requests for tokens, and how the clients authenticated.
func (s *Service) Exchanges() (parameters []url.Values, proofs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.told), slices.Clone(s.proofs)
}

// Secrets returns all issued tokens.
func (s *Service) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for token := range s.access {
		all = append(all, token)
	}
	for token := range s.refresh {
		all = append(all, token)
	}
	for token := range s.used {
		all = append(all, token)
	}
	return all
}

// ExpireAccess makes the MCP server refuse all access tokens from now on.
func (s *Service) ExpireAccess() { s.mu.Lock(); defer s.mu.Unlock(); clear(s.access) }

// Revoke ends all sign-ins.
func (s *Service) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
	clear(s.refresh)
}

// Set changes fields while requests may be running.
func (s *Service) Set(change func()) { s.mu.Lock(); defer s.mu.Unlock(); change() }

// ID returns our issuer identifier.
func (s *Service) ID() string { return s.URL + s.Tenant }

// next returns a new random word. The caller must hold s.mu.
func (s *Service) next(kind string) string {
	s.number++
	return fmt.Sprintf("%s-%d-%x", kind, s.number, sha256.Sum256(fmt.Append(nil, kind, s.number)))[:40]
}

func answer(w http.ResponseWriter, status int, says any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(says)
}

// Browse is a browser whose user signs in: it opens the address and follows all redirects.
func Browse(address string) error {
	response, err := http.Get(address)
	if err != nil {
		return err
	}
	return response.Body.Close()
}
