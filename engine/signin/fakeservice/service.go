// Package fakeservice is a remote MCP server with a sign-in service, for tests: discovery, registration, authorization with PKCE,
// and refresh tokens that are good for one use.
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

	// Path is where the MCP server is.
	Path string
	// Lifetime of access tokens; 0: they do not expire.
	Lifetime time.Duration
	// Document is where the protected resource metadata is; empty: there is none. Advertised: a 401 names it.
	Document   string
	Advertised bool
	// Resource is what the metadata says it is about; empty: the MCP server.
	Resource string
	// Undescribed leaves out the metadata of the authorization server, NoPKCE the word that it knows PKCE, NoRegistration the
	// registration.
	Undescribed, NoPKCE, NoRegistration bool
	// Issuer is what comes back with a code; empty: our own; "none": nothing. SendsIssuer: the metadata says that one comes back.
	Issuer      string
	SendsIssuer bool
	// MetadataIssuer is who the metadata says that it is about; empty: us. MetadataPath is where it is; empty: at the usual place.
	// Tenant is the path of our own identifier.
	MetadataIssuer, MetadataPath, Tenant string
	// TokenType is that of all tokens; empty: Bearer.
	TokenType string
	// AuthMethods are the ways in which a client can authenticate at the token endpoint; nil: not said.
	AuthMethods []string
	// Scopes are those that the authorization server lists, ResourceScopes those of the MCP server.
	Scopes, ResourceScopes []string
	// Wants is the scope that the MCP server asks for in the first place, and Rights the one that each tool needs; empty: none.
	Wants  string
	Rights map[string]string
	// Unheard: the challenge for too few rights does not name them. Greets: initialize and what follows it need no sign-in.
	Unheard, Greets bool
	// Grants says which of the scopes that were asked for are given; nil: all.
	Grants func(asked string) string
	// Documents: clients may have the address of a document as their ID. DocumentID is the only one that is taken; Refuses says where
	// others are refused: on the page, which does not lead back, in what the browser brings back, or at the token endpoint.
	Documents           bool
	DocumentID, Refuses string
	// Known are the secrets of the clients that are registered already. They come back to any address of this computer.
	Known map[string]string
	// Override answers instead of us where it has a path.
	Override map[string]http.HandlerFunc
	// Deny has the user say no.
	Deny bool
	// Slow is how long a renewal takes.
	Slow time.Duration
	// Down has the token endpoint answer 503.
	Down bool

	mcp http.Handler

	mu       sync.Mutex
	number   int
	clients  map[string]string // redirect addresses by client
	codes    map[string]code
	access   map[string]time.Time // when they end
	refresh  map[string]string    // the client of each
	used     map[string]bool      // refresh tokens
	renewals int
	reused   int
	asked    []url.Values
	granted  map[string]string // scopes of tokens
	wished   []map[string]any  // registrations
	told     []url.Values      // what came to the token endpoint
	proofs   []string          // how clients authenticated there
}

type code struct{ client, redirect, challenge, scope string }

// New starts a service, which the caller closes.
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

// Stop ends it.
func (s *Service) Stop() {
	s.CloseClientConnections()
	s.Close()
}

// Address is that of the MCP server.
func (s *Service) Address() string { return s.URL + s.Path }

// Renewals is how often tokens were renewed.
func (s *Service) Renewals() int { s.mu.Lock(); defer s.mu.Unlock(); return s.renewals }

// Reused is how often a refresh token came a second time.
func (s *Service) Reused() int { s.mu.Lock(); defer s.mu.Unlock(); return s.reused }

// Asked are the parameters of all authorizations.
func (s *Service) Asked() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Registrations are what clients said when they registered.
func (s *Service) Registrations() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.wished)
}

// Exchanges are the parameters of all requests for tokens, and how the clients authenticated.
func (s *Service) Exchanges() (parameters []url.Values, proofs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.told), slices.Clone(s.proofs)
}

// Secrets are all tokens that were given.
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

// ExpireAccess has the MCP server refuse all access tokens from now on, before their time.
func (s *Service) ExpireAccess() { s.mu.Lock(); defer s.mu.Unlock(); clear(s.access) }

// Revoke ends all sign-ins.
func (s *Service) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
	clear(s.refresh)
}

// Set changes something while requests may be under way.
func (s *Service) Set(change func()) { s.mu.Lock(); defer s.mu.Unlock(); change() }

// ID is our identifier.
func (s *Service) ID() string { return s.URL + s.Tenant }

// next makes a word. The caller holds s.mu.
func (s *Service) next(kind string) string {
	s.number++
	return fmt.Sprintf("%s-%d-%x", kind, s.number, sha256.Sum256(fmt.Append(nil, kind, s.number)))[:40]
}

func answer(w http.ResponseWriter, status int, says any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(says)
}

// Browse is a browser whose user signs in: it follows the address to where it leads.
func Browse(address string) error {
	response, err := http.Get(address)
	if err != nil {
		return err
	}
	return response.Body.Close()
}
