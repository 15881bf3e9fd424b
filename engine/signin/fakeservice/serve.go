package fakeservice

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// ServeHTTP implements [http.Handler].
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	override := s.Override[r.URL.Path]
	s.mu.Unlock()
	metadata := s.MetadataPath
	if metadata == "" {
		metadata = "/.well-known/oauth-authorization-server" + s.Tenant
	}
	switch {
	case override != nil:
		override(w, r)
	case r.URL.Path == s.Path:
		s.checkRights(w, r)
	case r.URL.Path == metadata && !s.Undescribed:
		answer(w, http.StatusOK, s.Metadata())
	case r.URL.Path == "/register":
		s.Register(w, r)
	case r.URL.Path == "/authorize":
		s.authorize(w, r)
	case r.URL.Path == "/token":
		s.token(w, r)
	case s.Document != "" && r.URL.Path == s.Document:
		resource := s.Resource
		if resource == "" {
			resource = s.Address()
		}
		says := map[string]any{"resource": resource, "authorization_servers": []string{s.ID()}}
		if s.ResourceScopes != nil {
			says["scopes_supported"] = s.ResourceScopes
		}
		answer(w, http.StatusOK, says)
	default:
		http.NotFound(w, r)
	}
}

// Metadata returns the metadata of the authorization server.
func (s *Service) Metadata() map[string]any {
	says := map[string]any{
		"issuer": s.ID(), "authorization_endpoint": s.URL + "/authorize?tenant=1", "token_endpoint": s.URL + "/token",
		"response_types_supported": []string{"code"},
	}
	if s.MetadataIssuer != "" {
		says["issuer"] = s.MetadataIssuer
	}
	if !s.NoRegistration {
		says["registration_endpoint"] = s.URL + "/register"
	}
	if !s.NoPKCE {
		says["code_challenge_methods_supported"] = []string{"S256"}
	}
	if s.SendsIssuer {
		says["authorization_response_iss_parameter_supported"] = true
	}
	if s.Documents {
		says["client_id_metadata_document_supported"] = true
	}
	if s.AuthMethods != nil {
		says["token_endpoint_auth_methods_supported"] = s.AuthMethods
	}
	if s.Scopes != nil {
		says["scopes_supported"] = s.Scopes
	}
	return says
}

// checkRights passes a request to the MCP server if its token allows that.
func (s *Service) checkRights(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var message struct {
		Method string
		Params struct{ Name string }
	}
	_ = json.Unmarshal(body, &message) // without a message, no rights are needed
	if s.Greets && (message.Method == "initialize" || strings.HasPrefix(message.Method, "notifications/") ||
		r.Method != http.MethodPost) {
		s.mcp.ServeHTTP(w, r)
		return
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	end, ok := s.access[token]
	scopes := strings.Fields(s.granted[token])
	needs := s.Rights[message.Params.Name]
	s.mu.Unlock()
	refuse := func(status int, problem, scope string) {
		challenge := fmt.Sprintf("Bearer error=%q", problem)
		if scope != "" {
			challenge += fmt.Sprintf(", scope=%q", scope)
		}
		if s.Advertised {
			challenge += fmt.Sprintf(`, resource_metadata="%s%s"`, s.URL, s.Document)
		}
		w.Header().Set("WWW-Authenticate", challenge)
		http.Error(w, "who are you?", status)
	}
	switch {
	case !ok || !end.IsZero() && time.Now().After(end):
		refuse(http.StatusUnauthorized, "invalid_token", s.Wants)
	case needs != "" && !slices.Contains(scopes, needs):
		if s.Unheard {
			needs = ""
		}
		refuse(http.StatusForbidden, "insufficient_scope", needs)
	default:
		s.mcp.ServeHTTP(w, r)
	}
}

// Register registers a client.
func (s *Service) Register(w http.ResponseWriter, r *http.Request) {
	var wants map[string]any
	if json.NewDecoder(r.Body).Decode(&wants) != nil {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_client_metadata"})
		return
	}
	redirects, _ := wants["redirect_uris"].([]any)
	if len(redirects) != 1 || s.NoRegistration {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_redirect_uri"})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wished = append(s.wished, wants)
	id := s.next("client")
	s.clients[id] = redirects[0].(string)
	says := map[string]any{"client_id": id, "token_endpoint_auth_method": wants["token_endpoint_auth_method"]}
	if wants["token_endpoint_auth_method"] != "none" {
		if s.Known == nil {
			s.Known = map[string]string{}
		}
		s.Known[id] = s.next("secret")
		says["client_secret"] = s.Known[id]
	}
	answer(w, http.StatusCreated, says)
}

// takes reports whether a client may use a redirect address. The caller must hold s.mu.
func (s *Service) takes(client, redirect string) bool {
	if at, ok := s.clients[client]; ok {
		return at == redirect
	}
	_, known := s.Known[client]
	return (known || s.Documents && strings.HasPrefix(client, "https://")) && strings.HasPrefix(redirect, "http://")
}

// authorize is the page on which the user signs in and consents. It redirects at once.
func (s *Service) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, query)
	redirect := query.Get("redirect_uri")
	stranger := strings.HasPrefix(query.Get("client_id"), "https://") && query.Get("client_id") != s.DocumentID
	if !s.takes(query.Get("client_id"), redirect) || stranger && s.Refuses == "page" || redirect == "" ||
		query.Get("code_challenge_method") != "S256" || query.Get("tenant") != "1" && !s.Undescribed {
		http.Error(w, "no such client", http.StatusBadRequest)
		return
	}
	back := url.Values{"state": {query.Get("state")}}
	switch {
	case s.Deny:
		back.Set("error", "access_denied")
	case stranger && s.Refuses == "back":
		back.Set("error", "unauthorized_client")
	default:
		made := s.next("code")
		s.codes[made] = code{query.Get("client_id"), redirect, query.Get("code_challenge"), query.Get("scope")}
		back.Set("code", made)
	}
	switch s.Issuer {
	case "none":
	case "":
		back.Set("iss", s.ID())
	default:
		back.Set("iss", s.Issuer)
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
	client, secret := r.Form.Get("client_id"), r.Form.Get("client_secret")
	proof := "none"
	if secret != "" {
		proof = "client_secret_post"
	}
	if id, password, ok := r.BasicAuth(); ok {
		client, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(password)
		proof = "client_secret_basic"
	}
	s.told, s.proofs = append(s.told, r.Form), append(s.proofs, proof)
	scope := ""
	refuse := func() { answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"}) }
	switch {
	case s.Down:
		http.Error(w, "echo "+r.Form.Encode(), http.StatusServiceUnavailable)
		return
	case s.Known[client] != secret,
		s.Refuses == "token" && strings.HasPrefix(client, "https://") && client != s.DocumentID:
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	case r.Form.Get("grant_type") == "authorization_code":
		is, ok := s.codes[r.Form.Get("code")]
		delete(s.codes, r.Form.Get("code"))
		sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
		if !ok || is.client != client || is.redirect != r.Form.Get("redirect_uri") ||
			is.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			refuse()
			return
		}
		scope = is.scope
	case r.Form.Get("grant_type") == "refresh_token":
		old := r.Form.Get("refresh_token")
		if s.used[old] { // the token may be stolen
			s.reused++
			clear(s.access)
			clear(s.refresh)
		}
		if s.refresh[old] != client || client == "" {
			refuse()
			return
		}
		scope = s.granted[old]
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
	if s.Grants != nil && r.Form.Get("grant_type") != "refresh_token" {
		scope = s.Grants(scope)
	}
	s.access[access], s.refresh[refresh], s.granted[access] = end, client, scope
	s.granted[refresh] = scope
	kind := s.TokenType
	if kind == "" {
		kind = "bearer"
	}
	answer(w, http.StatusOK, map[string]any{
		"access_token": access, "token_type": kind, "refresh_token": refresh, "expires_in": int(s.Lifetime.Seconds()),
		"scope": scope,
	})
}
