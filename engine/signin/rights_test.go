package signin

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
)

// refused reports a server's refusal of a call to a store, as an engine does.
func refused(t *testing.T, store *Store, s *fakeservice.Service, tool string) (rights string, lacking, asked bool) {
	t.Helper()
	token, err := store.Token(t.Context(), s.Address(), "")
	if err != nil {
		t.Fatal(err)
	}
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Address(),
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`"}}`))
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized && response.StatusCode != http.StatusForbidden {
		t.Fatalf("%s is not refused: %d", tool, response.StatusCode)
	}
	return Open(store.options).Refused(s.Address(), response.StatusCode, response.Header.Values("WWW-Authenticate"))
}

// lastScope returns the scopes that the last sign-in requested.
func lastScope(s *fakeservice.Service) string {
	asked := s.Asked()
	return asked[len(asked)-1].Get("scope")
}

// TestScopes checks what a first sign-in requests (MCP specification, "Scope Selection Strategy").
func TestScopes(t *testing.T) {
	tests := map[string]struct {
		change func(*fakeservice.Service)
		oauth  *config.OAuth
		heard  bool // an engine has called before
		want   string
	}{
		"what the server wants": {change: func(s *fakeservice.Service) { s.Wants = "wanted" }, want: "wanted"},
		"what it lists": {change: func(s *fakeservice.Service) {
			s.ResourceScopes = []string{"a", "b", "a"}
		}, want: "a b"},
		"nothing": {change: func(s *fakeservice.Service) { s.ResourceScopes = nil }, want: ""},
		"what the user says": {change: func(s *fakeservice.Service) {
			s.Wants = "wanted"
		}, oauth: &config.OAuth{Scope: " mine  and "}, want: "mine and"},
		"what only an engine heard": {change: func(s *fakeservice.Service) {
			s.Greets, s.Wants = true, "wanted"
		}, heard: true, want: "wanted"},
		"refresh tokens": {change: func(s *fakeservice.Service) {
			s.Wants, s.Scopes = "wanted", []string{"wanted", "offline_access"}
		}, want: "wanted offline_access"},
		"no refresh tokens": {change: func(s *fakeservice.Service) {
			s.Wants, s.Scopes = "wanted", []string{"wanted"}
		}, want: "wanted"},
		"refresh tokens of no scope": {change: func(s *fakeservice.Service) {
			s.ResourceScopes, s.Scopes = nil, []string{"offline_access"}
		}, want: ""},
		"listed scopes of the service": {change: func(s *fakeservice.Service) {
			s.ResourceScopes, s.Scopes = nil, []string{"admin"}
		}, want: ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := start(t, test.change)
			store := Open(Options{Dir: t.TempDir()})
			if test.heard {
				if rights, lacking, asked := refused(t, store, s, "greet"); lacking || asked {
					t.Errorf("without a sign-in, the lacking rights are %q, requested before: %v", rights, asked)
				}
			}
			if err := store.SignIn(t.Context(), &config.Server{URL: s.Address(), OAuth: test.oauth}, nil,
				fakeservice.Browse); err != nil {
				t.Fatal(err)
			}
			if got := lastScope(s); got != test.want {
				t.Errorf("asked for %q, want %q", got, test.want)
			}
			if prompt := s.Asked()[0].Get("prompt"); (prompt == "consent") != strings.Contains(test.want, offlineAccess) {
				t.Errorf("the prompt is %q", prompt)
			}
		})
	}
}

// TestMoreRights uses a server whose tools each need another right. Each missing right is requested by a new
// sign-in, which keeps those that were granted before.
func TestMoreRights(t *testing.T) {
	s := start(t, func(s *fakeservice.Service) {
		s.Wants, s.Rights = "basic", map[string]string{"write": "files:write", "burn": "files:burn"}
	})
	store := Open(Options{Dir: t.TempDir(), Keychain: &fakeKeychain{}})
	signedIn(t, store, s)
	for _, step := range []struct{ tool, rights, scope string }{
		{"write", "files:write", "basic files:write"}, {"burn", "files:burn", "basic files:write files:burn"},
	} {
		rights, lacking, asked := refused(t, store, s, step.tool)
		if rights != step.rights || !lacking || asked {
			t.Fatalf("%s lacks %q, %v, asked before: %v", step.tool, rights, lacking, asked)
		}
		signedIn(t, store, s)
		if got := lastScope(s); got != step.scope {
			t.Errorf("asked for %q, want %q", got, step.scope)
		}
		if left, _ := filepath.Glob(filepath.Join(store.options.Dir, "*.wish")); len(left) != 0 {
			t.Errorf("after the sign-in there is still %s", left)
		}
	}
	signedIn(t, store, s)
	if got := lastScope(s); got != "basic files:write files:burn" {
		t.Errorf("signed in once more for %q", got)
	}
	notReadable(t, store, s)
	s.Set(func() { s.Rights["drown"] = "files:drown" })
	refused(t, store, s, "drown")
	if err := store.SignOut(t.Context(), s.Address()); err != nil {
		t.Fatal(err)
	}
	signedIn(t, store, s)
	if got := lastScope(s); got != "basic" {
		t.Errorf("signed out and in for %q", got)
	}
}

// TestRightsThatAreNotGiven checks that the user is not asked again and again to sign in for the same rights.
func TestRightsThatAreNotGiven(t *testing.T) {
	for name, change := range map[string]func(*fakeservice.Service){
		"named":             nil,
		"not named":         func(s *fakeservice.Service) { s.Unheard = true },
		"not named, listed": func(s *fakeservice.Service) { s.Unheard, s.ResourceScopes = true, []string{"files:write"} },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, func(s *fakeservice.Service) {
				s.Wants, s.Rights = "basic", map[string]string{"write": "files:write"}
				s.Grants = func(string) string { return "basic" }
				if change != nil {
					change(s)
				}
			})
			store := Open(Options{Dir: t.TempDir()})
			signedIn(t, store, s)
			for signIns := 1; ; signIns++ {
				_, lacking, asked := refused(t, store, s, "write")
				if !lacking {
					t.Fatal("no rights are lacking")
				}
				if asked {
					if signIns > 2 {
						t.Errorf("%d sign-ins were needed to know it", signIns)
					}
					break
				}
				if signIns == 5 {
					t.Fatal("the sign-ins do not end")
				}
				signedIn(t, store, s)
			}
		})
	}
}

// TestRightsBeforeTheFirstSignIn checks that a first sign-in requests exactly what the server's refusal asks
// for.
func TestRightsBeforeTheFirstSignIn(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir()})
	if _, lacking, _ := store.Refused(s.Address(), http.StatusForbidden,
		[]string{`Bearer error="insufficient_scope", scope="files:write"`}); lacking {
		t.Error("without a sign-in, rights are lacking")
	}
	signedIn(t, store, s)
	if got := lastScope(s); got != "files:write" {
		t.Errorf("asked for %q", got)
	}
}

// TestRefusalsWithoutRights checks that other refusals are not treated as missing rights, and leave nothing
// behind.
func TestRefusalsWithoutRights(t *testing.T) {
	s := start(t, func(s *fakeservice.Service) { s.Wants = "basic" })
	store := Open(Options{Dir: t.TempDir()})
	signedIn(t, store, s)
	for _, headers := range [][]string{nil, {"Basic realm=x"}, {`Bearer error="invalid_token", scope="basic"`},
		{`Bearer scope="` + strings.Repeat("x", 1<<20) + `"`}} {
		for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
			if rights, lacking, asked := store.Refused(s.Address(), status, headers); lacking || asked || rights != "" {
				t.Errorf("%d with %.50s lacks %q, asked before: %v", status, headers, rights, asked)
			}
		}
	}
	if _, lacking, _ := store.Refused("stdio", http.StatusForbidden,
		[]string{`Bearer error="insufficient_scope"`}); lacking {
		t.Error("rights are lacking for something that is not an address")
	}
}
