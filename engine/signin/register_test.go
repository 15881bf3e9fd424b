package signin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
)

// TestDocument checks that the document of our client ID is accurate.
func TestDocument(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "assets", filepath.Base(ClientMetadata)))
	if err != nil {
		t.Fatal(err)
	}
	var says struct {
		ID        string   `json:"client_id"`
		Name      string   `json:"client_name"`
		Redirects []string `json:"redirect_uris"`
		Grants    []string `json:"grant_types"`
		Type      string   `json:"application_type"`
		Method    string   `json:"token_endpoint_auth_method"`
	}
	if err := json.Unmarshal(source, &says); err != nil {
		t.Fatal(err)
	}
	if says.ID != ClientMetadata || says.Name != clientName || says.Type != "native" || says.Method != methodNone ||
		!slices.Contains(says.Grants, "refresh_token") {
		t.Errorf("the document is %+v", says)
	}
	if u, err := url.Parse(says.ID); err != nil || u.Scheme != "https" || u.Path == "" {
		t.Errorf("%s cannot be a client ID", says.ID)
	}
	c := registration{document: true}
	if err := c.listen(0); err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if port := fmt.Sprint(callbackPort); strings.Contains(c.redirect, port) != slices.Contains(says.Redirects,
		c.redirect) || !strings.Contains(says.Redirects[0], port) {
		t.Errorf("we come back to %s, the document has %s", c.redirect, says.Redirects)
	}
	other := registration{document: true} // another sign-in is using the port
	if err := other.listen(0); err != nil {
		t.Fatal(err)
	}
	defer other.close()
	u, _ := url.Parse(other.redirect)
	u.Host = u.Hostname()
	if !slices.Contains(says.Redirects, u.String()) {
		t.Errorf("with any port we come back to %s, the document has %s", u, says.Redirects)
	}
}

// TestWhoWeAre checks the order of the specification: as the user has registered us, by our document, by
// registration.
func TestWhoWeAre(t *testing.T) {
	const secret = "s3cret+/ %"
	registered := &config.OAuth{ClientID: "https or not: ä", ClientSecret: secret}
	known := func(s *fakeservice.Service) { s.Known = map[string]string{registered.ClientID: secret} }
	documents := func(s *fakeservice.Service) { s.Documents, s.DocumentID = true, ClientMetadata }
	methods := func(names ...string) func(*fakeservice.Service) {
		return func(s *fakeservice.Service) { s.AuthMethods = names }
	}
	tests := []struct {
		name          string
		oauth         *config.OAuth
		change        []func(*fakeservice.Service)
		id, proof     string // "" if registered for this sign-in
		registrations int
	}{
		{name: "by registering", proof: "none", registrations: 1},
		{name: "by registering, with a secret", change: []func(*fakeservice.Service){methods("client_secret_post")},
			proof: "client_secret_post", registrations: 1},
		{name: "by registering, with either",
			change: []func(*fakeservice.Service){methods("client_secret_post", "client_secret_basic")},
			proof:  "client_secret_basic", registrations: 1},
		{name: "with the document", change: []func(*fakeservice.Service){documents}, id: ClientMetadata, proof: "none"},
		{name: "with the document, none offered",
			change: []func(*fakeservice.Service){documents, methods("none", "private_key_jwt")}, id: ClientMetadata,
			proof: "none"},
		{name: "a secret is needed", change: []func(*fakeservice.Service){documents, methods("client_secret_basic")},
			proof: "client_secret_basic", registrations: 1},
		{name: "as registered", oauth: registered, change: []func(*fakeservice.Service){known, documents},
			id: registered.ClientID, proof: "client_secret_basic"},
		{name: "as registered, posted", oauth: registered,
			change: []func(*fakeservice.Service){known, methods("client_secret_post")}, id: registered.ClientID,
			proof: "client_secret_post"},
		{name: "as registered, though a secret is said to be unknown", oauth: registered,
			change: []func(*fakeservice.Service){known, methods("none")}, id: registered.ClientID,
			proof: "client_secret_post"},
		{name: "as registered, where nobody else can", oauth: registered,
			change: []func(*fakeservice.Service){known, func(s *fakeservice.Service) {
				s.NoRegistration = true
			}}, id: registered.ClientID, proof: "client_secret_basic"},
		{name: "as registered, without a secret", oauth: &config.OAuth{ClientID: "public"},
			change: []func(*fakeservice.Service){func(s *fakeservice.Service) {
				s.Known = map[string]string{"public": ""}
			}}, id: "public", proof: "none"},
		{name: "only scopes are given", oauth: &config.OAuth{Scope: "a b"}, proof: "none", registrations: 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, func(s *fakeservice.Service) {
				for _, change := range test.change {
					change(s)
				}
			})
			store := Open(Options{Dir: t.TempDir()})
			server := &config.Server{URL: s.Address(), OAuth: test.oauth}
			if err := store.SignIn(t.Context(), server, nil, fakeservice.Browse); err != nil {
				t.Fatal(err)
			}
			expire(t, store, s.Address())
			if token, err := store.Token(t.Context(), s.Address(), ""); err != nil || !admitted(t, s, token) {
				t.Errorf("renewed: %v", err)
			}
			if id := s.Asked()[0].Get("client_id"); test.id != "" && id != test.id {
				t.Errorf("we are %q, want %q", id, test.id)
			}
			if n := len(s.Registrations()); n != test.registrations {
				t.Errorf("registered %d times", n)
			}
			for _, said := range s.Registrations() {
				if said["application_type"] != "native" || said["token_endpoint_auth_method"] != test.proof {
					t.Errorf("registered as %v", said)
				}
			}
			parameters, proofs := s.Exchanges()
			if !slices.Equal(proofs, []string{test.proof, test.proof}) {
				t.Errorf("the client was proven with %s, want %s", proofs, test.proof)
			}
			for _, p := range append(parameters, s.Asked()[0]) {
				if p.Get("resource") != s.Address() {
					t.Errorf("asked for a token for %q", p.Get("resource"))
				}
			}
			notInClear := len(s.Registrations()) == 0 && strings.Contains(fmt.Sprint(s.Asked()), secret)
			if notInClear {
				t.Error("the secret went through the browser")
			}
		})
	}
}

// TestDocumentIsRefused checks that we register with a service that claims to read documents and then refuses
// ours.
func TestDocumentIsRefused(t *testing.T) {
	for _, refuses := range []string{"back", "token"} {
		t.Run(refuses, func(t *testing.T) {
			s := start(t, func(s *fakeservice.Service) { s.Documents, s.Refuses = true, refuses })
			store := Open(Options{Dir: t.TempDir()})
			signedIn(t, store, s)
			if token, err := store.Token(t.Context(), s.Address(), ""); err != nil || !admitted(t, s, token) {
				t.Errorf("the token is not good: %v", err)
			}
			if len(s.Registrations()) != 1 || len(s.Asked()) != 2 {
				t.Errorf("%d registrations, %d pages", len(s.Registrations()), len(s.Asked()))
			}
		})
		t.Run(refuses+", no registration", func(t *testing.T) {
			s := start(t, func(s *fakeservice.Service) { s.Documents, s.Refuses, s.NoRegistration = true, refuses, true })
			err := Open(Options{Dir: t.TempDir()}).SignIn(t.Context(), at(s.Address()), nil, fakeservice.Browse)
			if err == nil || !strings.Contains(err.Error(), "it was refused (") || len(s.Asked()) != 1 {
				t.Errorf("%d pages, %v", len(s.Asked()), err)
			}
		})
	}
	// A page that does not return to us gives no answer. The next try uses another way.
	s := start(t, func(s *fakeservice.Service) { s.Documents, s.Refuses = true, "page" })
	store := Open(Options{Dir: t.TempDir()})
	ctx, giveUp := context.WithCancel(t.Context())
	err := store.SignIn(ctx, at(s.Address()), nil, func(page string) error {
		defer giveUp()
		return fakeservice.Browse(page)
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("after cancelling: %v", err)
	}
	signedIn(t, store, s)
	if len(s.Registrations()) != 1 {
		t.Errorf("%d registrations", len(s.Registrations()))
	}
}

// TestCallbackPort checks that the browser returns to the port that the user has registered, at both addresses
// of localhost, or that there is an error that says why not.
func TestCallbackPort(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "::1"} {
		taken, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
		if err != nil {
			t.Logf("this computer has no %s", host)
			continue
		}
		port := taken.Addr().(*net.TCPAddr).Port
		s := start(t, func(s *fakeservice.Service) { s.Known = map[string]string{"me": ""} })
		server := &config.Server{URL: s.Address(), OAuth: &config.OAuth{ClientID: "me", CallbackPort: port}}
		store := Open(Options{Dir: t.TempDir()})
		if err := store.SignIn(t.Context(), server, nil, fakeservice.Browse); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf(`the port %d, the "callbackPort"`, port)) {
			t.Errorf("a port in use at %s: %v", host, err)
		}
		for _, other := range []string{"127.0.0.1", "::1"} {
			if other != host && hasAddress(other) {
				free, err := net.Listen("tcp", net.JoinHostPort(other, fmt.Sprint(port)))
				if err != nil {
					t.Fatalf("Workbench still listens at %s: %v", other, err)
				}
				free.Close()
			}
		}
		taken.Close()
		browse := func(page string) error {
			for _, other := range []string{"127.0.0.1", "::1"} {
				if conn, err := net.Dial("tcp", net.JoinHostPort(other, fmt.Sprint(port))); err == nil {
					conn.Close()
				} else if hasAddress(other) {
					t.Errorf("nobody listens at %s", other)
				}
			}
			return fakeservice.Browse(page)
		}
		if err := store.SignIn(t.Context(), server, nil, browse); err != nil {
			t.Fatal(err)
		}
		if redirect := s.Asked()[0].Get("redirect_uri"); redirect != fmt.Sprintf("http://localhost:%d/callback", port) {
			t.Errorf("came back to %s", redirect)
		}
	}
}

// TestNothingBeforeTheUserAgrees: a service hears nothing of us before the user has agreed to sign in there.
func TestNothingBeforeTheUserAgrees(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir()})
	refusal := errors.New("no")
	opened := false
	err := store.SignIn(t.Context(), at(s.Address()), func(page string) error {
		if Host(page) != Host(s.URL) {
			t.Errorf("the user is asked about %s", page)
		}
		return refusal
	}, func(string) error { opened = true; return nil })
	if !errors.Is(err, refusal) || opened || len(s.Registrations()) != 0 || len(s.Asked()) != 0 {
		t.Errorf("%v; %d registrations, %d pages", err, len(s.Registrations()), len(s.Asked()))
	}
	if err := store.SignIn(t.Context(), at(s.Address()), func(string) error {
		if len(s.Registrations()) != 0 {
			t.Error("registered before the user has agreed")
		}
		return nil
	}, fakeservice.Browse); err != nil || len(s.Registrations()) != 1 {
		t.Errorf("%v; %d registrations", err, len(s.Registrations()))
	}
}

// TestRegistrationAtItsOwnSite: another site than that of the metadata does not hear of us.
func TestRegistrationAtItsOwnSite(t *testing.T) {
	for issuer, sites := range map[string]map[string]bool{
		"https://auth.example.com": {"https://auth.example.com/register": true, "https://login.example.com/r": true,
			"https://example.org/r": false, "https://example.com.evil.org/r": false},
		"https://a.github.io": {"https://a.github.io/r": true, "https://b.github.io/r": false}, // a public suffix
		"http://127.0.0.1:1":  {"http://127.0.0.1:2/r": true, "http://127.0.0.2:1/r": false},
	} {
		for endpoint, want := range sites {
			asked := false
			web := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
				asked = true
				return nil, errors.New("asked")
			})}
			service := &service{known: true}
			service.Issuer, service.RegistrationEndpoint = issuer, endpoint
			err := new(registration).registerNow(t.Context(), web, service, nil)
			if asked != want || !want && !strings.Contains(err.Error(), "registers AI apps at another site, "+Host(endpoint)) {
				t.Errorf("%s of %s: asked %v, %v", endpoint, issuer, asked, err)
			}
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestRegistrationWithoutScopes: a service that takes no scopes in a registration is asked once more without.
func TestRegistrationWithoutScopes(t *testing.T) {
	for _, takes := range []bool{true, false} {
		var wished []map[string]any
		s := start(t, nil)
		s.Set(func() {
			s.Override = map[string]http.HandlerFunc{"/register": func(w http.ResponseWriter, r *http.Request) {
				var wants map[string]any
				_ = json.NewDecoder(r.Body).Decode(&wants)
				wished = append(wished, wants)
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"error":"invalid_client_metadata"}`)
			}}
			if takes {
				refuse := s.Override["/register"]
				s.Override["/register"] = func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					r.Body = io.NopCloser(bytes.NewReader(body))
					if bytes.Contains(body, []byte(`"scope"`)) {
						refuse(w, r)
						return
					}
					s.Register(w, r)
				}
			}
		})
		err := Open(Options{Dir: t.TempDir()}).SignIn(t.Context(), at(s.Address()), nil, fakeservice.Browse)
		if takes && (err != nil || len(wished) != 1 || s.Asked()[0].Get("scope") == "") {
			t.Errorf("%v after %d refusals", err, len(wished))
		}
		if !takes && (err == nil || len(wished) != 2 || wished[1]["scope"] != nil) {
			t.Errorf("%v after %d refusals: %v", err, len(wished), wished)
		}
	}
}

// TestClientOfAnotherService checks that a client ID is sent only to its own service.
func TestClientOfAnotherService(t *testing.T) {
	s := start(t, func(s *fakeservice.Service) { s.Known = map[string]string{"me": ""} })
	server := &config.Server{URL: s.Address(), OAuth: &config.OAuth{ClientID: "me"}}
	store := Open(Options{Dir: t.TempDir()})
	if err := store.SignIn(t.Context(), server, nil, fakeservice.Browse); err != nil {
		t.Fatal(err)
	}
	moved := start(t, nil)
	s.Set(func() {
		s.Override = map[string]http.HandlerFunc{s.Document: func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]any{"resource": s.Address(), "authorization_servers": []string{moved.URL}})
		}}
	})
	if err := store.SignIn(t.Context(), server, nil, fakeservice.Browse); err == nil ||
		!strings.Contains(err.Error(), "another sign-in service now") || len(moved.Asked()) != 0 {
		t.Errorf("%d pages of the other service, %v", len(moved.Asked()), err)
	}
	// Without a configured client ID, it registers with the new service, and uses nothing of the first one.
	if err := store.SignIn(t.Context(), at(s.Address()), nil, fakeservice.Browse); err != nil ||
		len(moved.Registrations()) != 1 {
		t.Errorf("%d registrations, %v", len(moved.Registrations()), err)
	}
}
