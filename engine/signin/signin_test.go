package signin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
)

// fakeKeychain is a keychain in memory. If fail is set, its calls fail.
type fakeKeychain struct {
	mu   sync.Mutex
	has  map[string]string
	fail error
}

func (c *fakeKeychain) Get(name string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil {
		return "", c.fail
	}
	if value, ok := c.has[name]; ok {
		return value, nil
	}
	return "", keyring.ErrNotFound
}

func (c *fakeKeychain) Set(name, value string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil {
		return c.fail
	}
	if c.has == nil {
		c.has = map[string]string{}
	}
	c.has[name] = value
	return nil
}

func (c *fakeKeychain) Delete(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.has, name)
	return c.fail
}

// start starts a service. change is called before it starts.
func start(t *testing.T, change func(*fakeservice.Service)) *fakeservice.Service {
	t.Helper()
	s := fakeservice.New()
	t.Cleanup(s.Stop)
	if change != nil {
		s.Set(func() { change(s) })
	}
	return s
}

// at returns the entry of a server.
func at(address string) *config.Server { return &config.Server{URL: address} }

func signedIn(t *testing.T, store *Store, s *fakeservice.Service) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := store.SignIn(ctx, at(s.Address()), nil, fakeservice.Browse); err != nil {
		t.Fatalf("signing in: %v", err)
	}
}

// admitted reports whether the server accepts a token.
func admitted(t *testing.T, s *fakeservice.Service, token string) bool {
	t.Helper()
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Address(), strings.NewReader("{}"))
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode != http.StatusUnauthorized
}

func TestSignIn(t *testing.T) {
	tests := map[string]func(*fakeservice.Service){
		"as it should be": nil,
		"not advertised":  func(s *fakeservice.Service) { s.Advertised = false },
		"at the origin": func(s *fakeservice.Service) {
			s.Advertised, s.Document = false, "/.well-known/oauth-protected-resource"
		},
		"at the origin, for the origin": func(s *fakeservice.Service) {
			s.Advertised, s.Document, s.Resource = false, "/.well-known/oauth-protected-resource", s.URL
		},
		"for the origin, advertised": func(s *fakeservice.Service) {
			s.Document, s.Resource = "/.well-known/oauth-protected-resource", s.URL
		},
		"without resource metadata": func(s *fakeservice.Service) { s.Advertised, s.Document = false, "" },
		"without any metadata": func(s *fakeservice.Service) {
			s.Advertised, s.Document, s.Undescribed = false, "", true
		},
		"OpenID":   func(s *fakeservice.Service) { s.MetadataPath = "/.well-known/openid-configuration" },
		"a tenant": func(s *fakeservice.Service) { s.Tenant = "/tenant/1" },
		"OpenID of a tenant": func(s *fakeservice.Service) {
			s.Tenant, s.MetadataPath = "/tenant/1", "/.well-known/openid-configuration/tenant/1"
		},
		"OpenID at a tenant": func(s *fakeservice.Service) {
			s.Tenant, s.MetadataPath = "/tenant/1", "/tenant/1/.well-known/openid-configuration"
		},
		"without word of itself": func(s *fakeservice.Service) { s.Undescribed = true },
		"no issuer comes back":   func(s *fakeservice.Service) { s.Issuer = "none" },
		"an issuer comes back":   func(s *fakeservice.Service) { s.SendsIssuer = true },
		"a page for everything": func(s *fakeservice.Service) {
			s.Advertised, s.Document = false, ""
			s.Override = map[string]http.HandlerFunc{}
			for _, path := range []string{"/mcp", ""} {
				s.Override["/.well-known/oauth-protected-resource"+path] = func(w http.ResponseWriter, _ *http.Request) {
					_, _ = io.WriteString(w, "<!doctype html><p>Welcome")
				}
			}
		},
		"tokens that don't expire": func(s *fakeservice.Service) { s.Lifetime = 0 },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			s := start(t, change)
			keychain := &fakeKeychain{}
			store := Open(Options{Dir: filepath.Join(t.TempDir(), "a", "b"), Keychain: keychain})
			if store.Has(s.Address()) {
				t.Fatal("signed in before")
			}
			if token, err := store.Token(t.Context(), s.Address(), ""); token != "" || err != nil {
				t.Fatalf("a token before: %v", err)
			}
			signedIn(t, store, s)
			token, err := store.Token(t.Context(), s.Address()+"/?key=1", "")
			if err != nil || !admitted(t, s, token) {
				t.Fatalf("the token is not good: %v", err)
			}
			if !store.Has(s.Address()) || store.Unsealed(s.Address()) || len(keychain.has) != 1 ||
				keychain.has["oauth "+s.Address()] == "" {
				t.Errorf("kept: %v, keychain %d", store.Has(s.Address()), len(keychain.has))
			}
			notReadable(t, store, s)
			if other, err := Open(store.options).Token(t.Context(), s.Address(), ""); other != token || err != nil {
				t.Errorf("another engine has another token, %v", err)
			}
			if s.Document != "" && s.Asked()[0].Get("scope") != "read" {
				t.Errorf("asked for the scope %q", s.Asked()[0].Get("scope"))
			}
			if err := store.SignOut(t.Context(), s.Address()); err != nil || store.Has(s.Address()) {
				t.Errorf("signed out: %v", err)
			}
			if len(keychain.has) != 0 {
				t.Error("its key is still in the keychain")
			}
			if token, err := store.Token(t.Context(), s.Address(), ""); token != "" || err != nil {
				t.Errorf("a token afterwards: %v", err)
			}
		})
	}
}

// notReadable checks that no file contains a token, and that all files belong to the user alone.
func notReadable(t *testing.T, store *Store, s *fakeservice.Service) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(store.options.Dir, "*"))
	for _, file := range files {
		source, _ := os.ReadFile(file)
		for _, secret := range s.Secrets() {
			if strings.Contains(string(source), secret) {
				t.Errorf("%s contains a token", file)
			}
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
			t.Errorf("%s can be read by others: %v %v", file, info.Mode(), err)
		}
	}
}

// TestSystemKeychain checks that the key is in the system's keychain, and that configurations cannot refer to
// it.
func TestSystemKeychain(t *testing.T) {
	keychaintest.Mock(t)
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir(), Keychain: SystemKeychain()})
	signedIn(t, store, s)
	if key, err := (keychain.Keys{}).Get("oauth " + s.Address()); err != nil || len(key) != 44 {
		t.Errorf("the keychain has %d characters, %v", len(key), err)
	}
	if _, err := config.SystemLookup().Keyring("oauth " + s.Address()); !errors.Is(err, keyring.ErrNotFound) {
		t.Errorf("a configuration gets the key: %v", err)
	}
	notReadable(t, store, s)
	if err := store.SignOut(t.Context(), s.Address()); err != nil {
		t.Error(err)
	}
	if _, err := (keychain.Keys{}).Get("oauth " + s.Address()); !errors.Is(err, keyring.ErrNotFound) {
		t.Errorf("after signing out, the keychain gives %v", err)
	}
}

func TestWithoutKeychain(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir(), Keychain: &fakeKeychain{fail: errors.New("locked")}})
	signedIn(t, store, s)
	if !store.Unsealed(s.Address()) {
		t.Error("Unsealed is false although the keychain was not used")
	}
	files, _ := filepath.Glob(filepath.Join(store.options.Dir, "*.json"))
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	if info, _ := os.Stat(files[0]); info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("the file can be read by others: %v", info.Mode())
	}
	token, err := Open(Options{Dir: store.options.Dir}).Token(t.Context(), s.Address(), "")
	if err != nil || !admitted(t, s, token) {
		t.Errorf("the token is not good: %v", err)
	}
	// The keychain has been unlocked: the next renewal encrypts the sign-in.
	store = Open(Options{Dir: store.options.Dir, Keychain: &fakeKeychain{}})
	if renewed, err := store.Token(t.Context(), s.Address(), token); err != nil || renewed == token ||
		store.Unsealed(s.Address()) {
		t.Errorf("after a renewal it is still unsealed, %v", err)
	}
	notReadable(t, store, s)
	// It stays encrypted although the keychain refuses again, since the key is known.
	store.options.Keychain = &fakeKeychain{fail: errors.New("locked")}
	token, _ = store.Token(t.Context(), s.Address(), "")
	if renewed, err := store.Token(t.Context(), s.Address(), token); err != nil || renewed == token ||
		store.Unsealed(s.Address()) {
		t.Errorf("a renewal has unsealed it, %v", err)
	}
}

// TestKeyIsGone checks the error for a sign-in whose key is missing from the keychain, and that a new sign-in
// replaces it.
func TestKeyIsGone(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir(), Keychain: &fakeKeychain{}})
	signedIn(t, store, s)
	other := Open(Options{Dir: store.options.Dir, Keychain: &fakeKeychain{}})
	if token, err := other.Token(t.Context(), s.Address(), ""); token != "" || !errors.Is(err, errNoKey) {
		t.Errorf("without the key: %v", err)
	}
	signedIn(t, other, s)
	if _, err := other.Token(t.Context(), s.Address(), ""); err != nil {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	tests := map[string]struct {
		change func(*fakeservice.Service)
		want   string
	}{
		"the user says no": {func(s *fakeservice.Service) { s.Deny = true }, "was not allowed"},
		"another service answers": {func(s *fakeservice.Service) {
			s.Issuer = "https://other.example"
		}, "another sign-in service"},
		"no PKCE":               {func(s *fakeservice.Service) { s.NoPKCE = true }, "does not offer PKCE"},
		"no registration":       {func(s *fakeservice.Service) { s.NoRegistration = true }, "use a token in a header"},
		"another kind of token": {func(s *fakeservice.Service) { s.TokenType = "DPoP" }, "kind of token"},
		"metadata of another": {func(s *fakeservice.Service) {
			s.Resource, s.Undescribed = "https://victim.example/mcp", true
		}, "belong to another server"},
		"metadata of a neighbour with a shorter name": {func(s *fakeservice.Service) {
			s.Resource, s.Path, s.Document = s.Address(), s.Path+"2", s.Document+"2"
		}, "belong to another server"},
		"metadata of a neighbour": {func(s *fakeservice.Service) {
			s.Resource = s.Address() + "2"
		}, "belong to another server"},
		"metadata of no server":     {func(s *fakeservice.Service) { s.Resource = "urn:x" }, "belong to another server"},
		"the service does not work": {func(s *fakeservice.Service) { s.Down = true }, "HTTP status 503"},
		"metadata under another name": {func(s *fakeservice.Service) {
			s.MetadataIssuer = "https://victim.example"
		}, "says that it is another one"},
		"the same at the server's own place": {func(s *fakeservice.Service) {
			s.Advertised, s.Document, s.MetadataIssuer = false, "", "https://victim.example"
		}, "says that it is another one"},
		"an issuer of another": {func(s *fakeservice.Service) {
			s.Issuer, s.SendsIssuer = "https://other.example", true
		}, "another sign-in service"},
		"no issuer, though it has said so": {func(s *fakeservice.Service) {
			s.Issuer, s.SendsIssuer = "none", true
		}, "does not name the sign-in service"},
		"an issuer with a final slash": {func(s *fakeservice.Service) {
			s.Issuer = s.URL + "/"
		}, "another sign-in service"},
		"an issuer in capitals": {func(s *fakeservice.Service) {
			s.Issuer = "HTTP" + strings.TrimPrefix(s.URL, "http")
		}, "another sign-in service"},
		"two issuers": {func(s *fakeservice.Service) {
			s.Override = map[string]http.HandlerFunc{"/authorize": func(w http.ResponseWriter, r *http.Request) {
				query := r.URL.Query()
				http.Redirect(w, r, query.Get("redirect_uri")+"?code=x&iss="+s.URL+"&iss=https://other.example&state="+
					query.Get("state"), http.StatusFound)
			}}
		}, "another sign-in service"},
		"an error of another": {func(s *fakeservice.Service) {
			s.Deny, s.Issuer = true, "https://other.example"
		}, "another sign-in service"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := start(t, test.change)
			store := Open(Options{Dir: t.TempDir(), Keychain: &fakeKeychain{}})
			err := store.SignIn(t.Context(), at(s.Address()), nil, fakeservice.Browse)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("the error is %v, want %s", err, test.want)
			}
			if strings.Contains(err.Error(), "echo") || strings.Contains(err.Error(), "code_verifier") {
				t.Errorf("the error contains the request: %v", err)
			}
			if store.Has(s.Address()) {
				t.Error("a sign-in was kept")
			}
		})
	}
}

// TestWrongState checks that only the answer to our own request counts, whatever other requests come before.
func TestWrongState(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir()})
	err := store.SignIn(t.Context(), at(s.Address()), nil, func(address string) error {
		asked, err := url.Parse(address)
		if err != nil {
			return err
		}
		for _, query := range []string{"?state=wrong&code=stolen", "?code=stolen", "?error=access_denied", ""} {
			response, err := http.Get(asked.Query().Get("redirect_uri") + query)
			if err != nil {
				return err
			}
			said, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if response.StatusCode != http.StatusBadRequest || strings.Contains(string(said), "stolen") {
				t.Errorf("%q was answered with %d", query, response.StatusCode)
			}
		}
		response, err := http.Get(address)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if said, _ := io.ReadAll(response.Body); !strings.Contains(string(said),
			"You are signed in. You can close this page.") {
			t.Errorf("the page is %s", said)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestGivenUp(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir()})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var redirect string
	err := store.SignIn(ctx, at(s.Address()), nil, func(address string) error {
		asked, _ := url.Parse(address)
		redirect = asked.Query().Get("redirect_uri")
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
	if _, err := http.Get(redirect); err == nil {
		t.Error("the port for the browser is still open")
	}
	failed := errors.New("no browser")
	if err := store.SignIn(t.Context(), at(s.Address()), nil, func(string) error {
		return failed
	}); !errors.Is(err, failed) {
		t.Errorf("no browser: %v", err)
	}
	for _, address := range []string{"http://example.com/mcp", "ftp://x/", "", "://"} {
		if err := store.SignIn(t.Context(), at(address), nil, fakeservice.Browse); err == nil {
			t.Errorf("signed in to %q", address)
		}
	}
}

// TestElsewhere checks that a refresh token is sent only to the service that it came from.
func TestElsewhere(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir()})
	signedIn(t, store, s)
	expire(t, store, s.Address())
	s.Set(func() {
		s.Override = map[string]http.HandlerFunc{
			"/.well-known/oauth-authorization-server": func(w http.ResponseWriter, _ *http.Request) {
				says := s.Metadata()
				says["token_endpoint"] = s.URL + "/other"
				_ = json.NewEncoder(w).Encode(says)
			},
			"/other": func(http.ResponseWriter, *http.Request) { t.Error("another place saw the refresh token") },
		}
	})
	if token, err := store.Token(t.Context(), s.Address(), ""); token == "" || err != nil || s.Renewals() != 1 {
		t.Errorf("%d renewals, %v", s.Renewals(), err)
	}
}

func TestResource(t *testing.T) {
	for address, want := range map[string]string{
		"https://Example.com:443/mcp/?key=1#x": "https://example.com/mcp",
		"https://user:pw@example.com":          "https://example.com",
		"https://example.com:8443/a%2Fb":       "https://example.com:8443/a%2Fb",
		"http://127.0.0.1:80/x":                "http://127.0.0.1/x",
		"http://[::1]:9/x":                     "http://[::1]:9/x",
		"http://localhost/x":                   "http://localhost/x",
		"http://example.com/x":                 "",
		"https:///x":                           "",
		"stdio":                                "",
	} {
		if got, err := resourceOf(address); got != want || (err == nil) != (want != "") {
			t.Errorf("resourceOf(%q) is %q, %v; want %q", address, got, err, want)
		}
	}
}

// TestInsecure checks that an encrypted server cannot send us, or the user, to an unencrypted address.
func TestInsecure(t *testing.T) {
	c := &careful{}
	for address, ok := range map[string]bool{
		"https://a.example/x": true, "http://a.example/x": false, "http://127.0.0.1/x": false, "file:///etc/passwd": false,
	} {
		u, _ := url.Parse(address)
		if err := c.check(u); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
	c.local = true
	if u, _ := url.Parse("http://a.example/x"); c.check(u) == nil {
		t.Error("http to another computer")
	}
}

func FuzzChallenge(f *testing.F) {
	f.Add(`Bearer resource_metadata="https://a/b", scope="read write"`)
	f.Add(`Basic realm="x", Bearer scope=a,resource_metadata=https://a`)
	f.Add(`scope="\"`)
	f.Fuzz(func(t *testing.T, header string) {
		c := readChallenge([]string{header})
		for _, scope := range c.scopes {
			if scope == "" || strings.ContainsAny(scope, " \"\\\n") {
				t.Errorf("%q gives the scope %q", header, scope)
			}
		}
	})
}
