package signin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
)

// TestHostileMetadata checks that for any metadata of a server or a service there is soon an error, and that
// the user is not sent anywhere.
func TestHostileMetadata(t *testing.T) {
	const resource, service = "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"
	text := func(says string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, says) }
	}
	with := func(s *fakeservice.Service, member string, value any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			says := s.Metadata()
			says[member] = value
			_ = json.NewEncoder(w).Encode(says)
		}
	}
	around := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path+"?"+url.QueryEscape(r.URL.RawQuery)+"x", http.StatusFound)
	}
	tests := map[string]struct {
		path   string
		answer func(s *fakeservice.Service) http.HandlerFunc
		want   string
	}{
		"a huge description of the server": {resource, func(*fakeservice.Service) http.HandlerFunc {
			return text(`{"resource": "` + strings.Repeat("x", 3<<20))
		}, "cannot be read: its answer could not be used"},
		"a description of wrong types": {resource, func(*fakeservice.Service) http.HandlerFunc {
			return text(`{"resource": 5}`)
		}, "belong to another server"},
		"a deep description": {resource, func(*fakeservice.Service) http.HandlerFunc {
			return text(`{"resource": ` + strings.Repeat("[", 1<<19))
		}, "its answer could not be used"},
		"a description that moves": {resource, func(*fakeservice.Service) http.HandlerFunc {
			return around
		}, "leads to another address"},
		"a description elsewhere": {resource, func(*fakeservice.Service) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://127.0.0.1:1/x", http.StatusFound)
			}
		}, "leads to another address"},
		"a service that is no address": {resource, func(s *fakeservice.Service) http.HandlerFunc {
			return text(`{"resource": "` + s.Address() + `", "authorization_servers": ["javascript:alert(1)"]}`)
		}, "is no web address"},
		"a service without encryption": {resource, func(s *fakeservice.Service) http.HandlerFunc {
			return text(`{"resource": "` + s.Address() + `", "authorization_servers": ["http://a.example"]}`)
		}, "without encryption"},
		"a service in a file": {resource, func(s *fakeservice.Service) http.HandlerFunc {
			return text(`{"resource": "` + s.Address() + `", "authorization_servers": ["file://a/etc/passwd"]}`)
		}, "without encryption"},
		"a huge service": {service, func(*fakeservice.Service) http.HandlerFunc {
			return text(`{"issuer": "` + strings.Repeat("x", 3<<20))
		}, "its answer could not be used"},
		"a service of wrong types": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "code_challenge_methods_supported", 256)
		}, "PKCE"},
		"a service that moves": {service, func(*fakeservice.Service) http.HandlerFunc {
			return around
		}, "leads to another address"},
		"a page that runs": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "authorization_endpoint", "javascript:alert(1)")
		}, "does not say where to sign in"},
		"a page in a file": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "authorization_endpoint", "file://x/etc/passwd")
		}, "not safe"},
		"a page without encryption": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "authorization_endpoint", "http://a.example/x")
		}, "not safe"},
		"a page behind another name": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "authorization_endpoint", strings.Replace(s.URL, "://", "://accounts.honest.example@", 1))
		}, "does not say where to sign in"},
		"a page in letters that look like others": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "authorization_endpoint", "https://ex\u0430mple.com/x")
		}, "does not say where to sign in"},
		"no page": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "authorization_endpoint", "")
		}, "does not say where to sign in"},
		"tokens without encryption": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "token_endpoint", "http://a.example/x")
		}, "not safe"},
		"a registration at another site": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "registration_endpoint", "http://a.example/x")
		}, "registers AI apps at another site, a.example"},
		"a registration that is no address": {service, func(s *fakeservice.Service) http.HandlerFunc {
			return with(s, "registration_endpoint", ":")
		}, "has no web address"},
		"a registration that leads away": {"/register", func(*fakeservice.Service) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusTemporaryRedirect) }
		}, "leads to another address"},
		"a registration without an ID": {"/register", func(*fakeservice.Service) http.HandlerFunc {
			return text(`{}`)
		}, "gives no client ID"},
		"a registration that says no": {"/register", func(*fakeservice.Service) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(400)
				text(`{"error": "invalid_redirect_uri", "error_description": "planted"}`)(w, nil)
			}
		}, "does not accept Workbench: it was refused (invalid_redirect_uri)"},
		"a registration with a planted code": {"/register", func(*fakeservice.Service) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(403)
				text(`{"error": "Planted <b>"}`)(w, nil)
			}
		}, "does not accept Workbench: it was refused (HTTP status 403)"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := start(t, nil)
			s.Set(func() { s.Override = map[string]http.HandlerFunc{test.path: test.answer(s)} })
			began := time.Now()
			err := Open(Options{Dir: t.TempDir()}).SignIn(t.Context(), at(s.Address()), nil, func(page string) error {
				t.Errorf("the browser was sent to %s", page)
				return fakeservice.Browse(page)
			})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want %s", err, test.want)
			}
			if err != nil && (len(err.Error()) > 300 || strings.Contains(strings.ToLower(err.Error()), "planted")) {
				t.Errorf("the error is %.1000s", err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("the sign-in took %v", took)
			}
		})
	}
}

// TestTwoSites checks that a code is sent to another site than the one where the user signs in only if the
// two certainly belong together. "localhost" and "127.0.0.1" are two sites.
func TestTwoSites(t *testing.T) {
	const elsewhere = "http://localhost"
	for name, test := range map[string]struct {
		page, token bool // are at the other site
		sends       bool // the metadata declares that "iss" is sent back
		issuer      string
		want        string
	}{
		"one site":                            {},
		"the page's site names the other":     {token: true},
		"a page elsewhere":                    {page: true, want: "nothing shows that both belong together"},
		"a page elsewhere that says for whom": {page: true, sends: true},
		"a page elsewhere that does not": {page: true, sends: true, issuer: "none",
			want: "does not name the sign-in service it came from"},
		"a page elsewhere for another one": {page: true, sends: true, issuer: "https://honest.example",
			want: "came from another sign-in service"},
		"both elsewhere": {page: true, token: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, func(s *fakeservice.Service) { s.SendsIssuer, s.Issuer = test.sends, test.issuer })
			says := s.Metadata()
			other := elsewhere + s.URL[strings.LastIndexByte(s.URL, ':'):]
			if test.page {
				says["authorization_endpoint"] = other + "/authorize?tenant=1"
			}
			if test.token {
				says["token_endpoint"] = other + "/token"
			}
			s.Set(func() {
				s.Override = map[string]http.HandlerFunc{
					"/.well-known/oauth-authorization-server": func(w http.ResponseWriter, _ *http.Request) {
						_ = json.NewEncoder(w).Encode(says)
					}}
			})
			err := Open(Options{Dir: t.TempDir()}).SignIn(t.Context(), at(s.Address()), nil, fakeservice.Browse)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if _, proofs := s.Exchanges(); test.want != "" && len(proofs) > 0 {
				t.Error("a code was sent")
			}
		})
	}
}

func TestSameSite(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"https://auth.example.com/a", "https://example.com:8443/b", true},
		{"https://accounts.google.com", "https://oauth2.googleapis.com", false},
		{"https://a.co.uk", "https://b.co.uk", false},
		{"https://good.github.io", "https://evil.github.io", false},
		{"https://Example.com.", "https://www.example.com", true},
		{"http://127.0.0.1:1", "http://127.0.0.1:2", true},
		{"http://127.0.0.1", "http://localhost", false},
		{"http://10.0.0.1", "http://11.0.0.1", false},
		{"", "", false},
	} {
		if got := SameSite(c.a, c.b); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// TestDescribedElsewhere checks that metadata is accepted only from the server itself.
func TestDescribedElsewhere(t *testing.T) {
	other := start(t, nil)
	other.Set(func() {
		other.Override = map[string]http.HandlerFunc{other.Document: func(http.ResponseWriter, *http.Request) {
			t.Error("another place was asked")
		}}
	})
	s := start(t, nil)
	s.Set(func() {
		s.Override = map[string]http.HandlerFunc{s.Path: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+other.URL+other.Document+`"`)
			w.WriteHeader(http.StatusUnauthorized)
		}}
	})
	signedIn(t, Open(Options{Dir: t.TempDir()}), s)
}

// TestManyServices checks that only a few of many named services are tried.
func TestManyServices(t *testing.T) {
	s := start(t, nil)
	asked := 0
	s.Set(func() {
		var many []string
		s.Override = map[string]http.HandlerFunc{}
		for i := range 50 {
			tenant := fmt.Sprint("/tenant", i)
			many = append(many, s.URL+tenant)
			s.Override["/.well-known/oauth-authorization-server"+tenant] = func(w http.ResponseWriter, r *http.Request) {
				asked++
				http.NotFound(w, r)
			}
		}
		s.Override[s.Document] = func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]any{"resource": s.Address(), "authorization_servers": many})
		}
	})
	_ = Open(Options{Dir: t.TempDir()}).SignIn(t.Context(), at(s.Address()), nil, func(string) error {
		return errors.New("no browser")
	})
	if asked != maxServers {
		t.Errorf("%d services were asked", asked)
	}
}

// TestSlowService checks that a request that is not answered is given up, with an error that names the host.
func TestSlowService(t *testing.T) {
	for path, want := range map[string]string{
		"/.well-known/oauth-protected-resource/mcp": "what the server says about signing in cannot be read: it did not answer in time",
		"/.well-known/oauth-authorization-server":   "the server's sign-in service was not found: it did not answer in time",
		"/register": "the server's sign-in service does not accept Workbench: it did not answer in time",
		"/token":    "the server's sign-in service gave no token: it did not answer in time",
	} {
		t.Run(path, func(t *testing.T) {
			s := start(t, nil)
			s.Set(func() {
				s.Override = map[string]http.HandlerFunc{path: func(_ http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					<-r.Context().Done()
				}}
			})
			store := Open(Options{Dir: t.TempDir()})
			store.step = 100 * time.Millisecond
			if err := store.SignIn(t.Context(), at(s.Address()), nil, fakeservice.Browse); err == nil || err.Error() != want {
				t.Errorf("the error is %v, want %s", err, want)
			}
		})
	}
}
