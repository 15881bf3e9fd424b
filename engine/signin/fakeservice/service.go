// Package fakeservice is a remote MCP server with a sign-in service, for tests: discovery, registration, authorization with PKCE,
// and refresh tokens that are good for one use.
package fakeservice

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
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
	// Issuer is what comes back with a code; empty: our own. TokenType is that of all tokens; empty: Bearer.
	Issuer, TokenType string
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
}

type code struct{ client, redirect, challenge string }

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
		refresh: map[string]string{}, used: map[string]bool{},
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

// ServeHTTP is for http.Server.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case s.Path:
		s.guard(w, r)
	case "/.well-known/oauth-authorization-server":
		if s.Undescribed {
			http.NotFound(w, r)
			return
		}
		says := map[string]any{
			"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize?tenant=1", "token_endpoint": s.URL + "/token",
			"response_types_supported": []string{"code"},
		}
		if !s.NoRegistration {
			says["registration_endpoint"] = s.URL + "/register"
		}
		if !s.NoPKCE {
			says["code_challenge_methods_supported"] = []string{"S256"}
		}
		answer(w, http.StatusOK, says)
	case "/register":
		s.register(w, r)
	case "/authorize":
		s.authorize(w, r)
	case "/token":
		s.token(w, r)
	default:
		if s.Document == "" || r.URL.Path != s.Document {
			http.NotFound(w, r)
			return
		}
		resource := s.Resource
		if resource == "" {
			resource = s.Address()
		}
		answer(w, http.StatusOK, map[string]any{
			"resource": resource, "authorization_servers": []string{s.URL}, "scopes_supported": []string{"read", "bad\"scope"},
		})
	}
}

func (s *Service) guard(w http.ResponseWriter, r *http.Request) {
	header := r.Header.Get("Authorization")
	s.mu.Lock()
	end, ok := s.access[strings.TrimPrefix(header, "Bearer ")]
	s.mu.Unlock()
	if !ok || !end.IsZero() && time.Now().After(end) {
		challenge := `Bearer error="invalid_token"`
		if s.Advertised {
			challenge += fmt.Sprintf(`, resource_metadata="%s%s"`, s.URL, s.Document)
		}
		w.Header().Set("WWW-Authenticate", challenge)
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	s.mcp.ServeHTTP(w, r)
}

func (s *Service) register(w http.ResponseWriter, r *http.Request) {
	var wants struct {
		Redirects []string `json:"redirect_uris"`
	}
	if json.NewDecoder(r.Body).Decode(&wants) != nil || len(wants.Redirects) != 1 {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_redirect_uri"})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.next("client")
	s.clients[id] = wants.Redirects[0]
	answer(w, http.StatusCreated, map[string]any{"client_id": id, "token_endpoint_auth_method": "none"})
}

// authorize is the page on which the user signs in and says yes.
func (s *Service) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, query)
	redirect := query.Get("redirect_uri")
	if s.clients[query.Get("client_id")] != redirect || redirect == "" || query.Get("code_challenge_method") != "S256" || query.Get("tenant") != "1" && !s.Undescribed {
		http.Error(w, "no such client", http.StatusBadRequest)
		return
	}
	back := url.Values{"state": {query.Get("state")}}
	if s.Deny {
		back.Set("error", "access_denied")
	} else {
		made := s.next("code")
		s.codes[made] = code{query.Get("client_id"), redirect, query.Get("code_challenge")}
		back.Set("code", made)
		back.Set("iss", s.URL)
		if s.Issuer != "" {
			back.Set("iss", s.Issuer)
		}
	}
	http.Redirect(w, r, redirect+"?"+back.Encode(), http.StatusFound)
}

func (s *Service) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	if r.Form.Get("grant_type") == "refresh_token" {
		time.Sleep(s.Slow)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	client := r.Form.Get("client_id")
	refuse := func() { answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"}) }
	switch {
	case s.Down:
		http.Error(w, "echo "+r.Form.Encode(), http.StatusServiceUnavailable)
		return
	case r.Form.Get("grant_type") == "authorization_code":
		is, ok := s.codes[r.Form.Get("code")]
		delete(s.codes, r.Form.Get("code"))
		sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
		if !ok || is.client != client || is.redirect != r.Form.Get("redirect_uri") || is.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			refuse()
			return
		}
	case r.Form.Get("grant_type") == "refresh_token":
		old := r.Form.Get("refresh_token")
		if s.used[old] { // stolen, as far as we can know
			s.reused++
			clear(s.access)
			clear(s.refresh)
		}
		if s.refresh[old] != client || client == "" {
			refuse()
			return
		}
		delete(s.refresh, old)
		s.used[old] = true
		s.renewals++
	default:
		refuse()
		return
	}
	access, refresh := s.next("access"), s.next("refresh")
	var end time.Time
	if s.Lifetime > 0 {
		end = time.Now().Add(s.Lifetime)
	}
	s.access[access], s.refresh[refresh] = end, client
	kind := s.TokenType
	if kind == "" {
		kind = "bearer"
	}
	answer(w, http.StatusOK, map[string]any{"access_token": access, "token_type": kind, "refresh_token": refresh, "expires_in": int(s.Lifetime.Seconds())})
}

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
