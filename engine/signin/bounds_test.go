package signin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
)

// TestTokenThatCanBeSent checks which characters a token may have: those that are allowed in a header, except
// the space.
func TestTokenThatCanBeSent(t *testing.T) {
	for text, ok := range map[string]bool{"": false, "!a~": true, "a b": false, "a\x7f": false, "a\n": false,
		"ä": false} {
		if err := checkToken(&token{AccessToken: text}); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestKindsOfTokens: only a token that needs more than to be sent is refused.
func TestKindsOfTokens(t *testing.T) {
	for kind, ok := range map[string]bool{"": true, "Bearer": true, "user": true, "bot": true, "DPoP": false, "mac": false} {
		if err := checkToken(&token{AccessToken: "a", TokenType: kind}); (err == nil) != ok {
			t.Errorf("%q: %v", kind, err)
		}
	}
}

// TestUsable checks when a token is renewed: shortly before it expires, when a quarter of a short lifetime is
// left, or when the server refuses it.
func TestUsable(t *testing.T) {
	for name, test := range map[string]struct {
		left, life time.Duration
		refused    string
		usable     bool
	}{
		"a while before its end":     {left: 25 * time.Second, life: time.Hour, usable: true},
		"a little before its end":    {left: 15 * time.Second, life: time.Hour},
		"half of a short life":       {left: 15 * time.Second, life: 30 * time.Second, usable: true},
		"the end of a short life":    {left: 5 * time.Second, life: 30 * time.Second},
		"refused before its end":     {left: time.Hour, life: time.Hour, refused: "a"},
		"another one was refused":    {left: time.Hour, life: time.Hour, refused: "b", usable: true},
		"it has no end":              {usable: true},
		"it has no end, but refused": {refused: "a"},
	} {
		e := &entry{Token: token{AccessToken: "a", ExpiresIn: seconds(test.life / time.Second)}}
		if test.life > 0 {
			e.Token.ExpiresAt = time.Now().Add(test.left)
		}
		if got := e.usable(test.refused); got != test.usable {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestLifeOfATokenIsBounded checks the lifetime of a token: zero or less means that it does not expire, and
// the limit is a year.
func TestLifeOfATokenIsBounded(t *testing.T) {
	s := start(t, nil)
	says := ""
	s.Set(func() {
		s.Override = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, says)
		}}
	})
	web := Open(Options{}).newClient(s.Address())
	for life, want := range map[string]time.Duration{
		"0": 0, "-5": 0, "60": time.Minute, "9000000000000000000": maxLife * time.Second,
		`"60"`: time.Minute, `" 60 "`: time.Minute, "60.9": time.Minute, `"60.5"`: time.Minute, "6e1": time.Minute,
		"null": 0, `"never"`: 0, `""`: 0, "true": 0, "[60]": 0, `{"a":1}`: 0, `"Inf"`: maxLife * time.Second, `"NaN"`: 0,
	} {
		says = `{"access_token": "a", "expires_in": ` + life + `, "scope": ["read", "write"]}`
		began := time.Now()
		got, err := new(registration).token(t.Context(), web, s.URL+"/token", url.Values{})
		if err != nil {
			t.Fatal(err)
		}
		if want == 0 && !got.ExpiresAt.IsZero() || want > 0 &&
			(got.ExpiresAt.Before(began.Add(want)) || got.ExpiresAt.After(time.Now().Add(want))) {
			t.Errorf("a life of %s seconds ends at %v", life, got.ExpiresAt)
		}
		if got.Scope != "read write" {
			t.Errorf("the rights are %q", got.Scope)
		}
	}
}

// TestStatus checks that only the HTTP statuses of success count as an answer.
func TestStatus(t *testing.T) {
	s := start(t, nil)
	status := 0
	s.Set(func() {
		s.Override = map[string]http.HandlerFunc{"/x": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "{}")
		}}
	})
	web := Open(Options{}).newClient(s.Address())
	for code, ok := range map[int]bool{200: true, 201: true, 299: true, 300: false, 400: false, 500: false} {
		status = code
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/x", nil)
		var refused *refusedError
		if err := do(web, request, &struct{}{}); (err == nil) != ok || err != nil &&
			(!errors.As(err, &refused) || refused.status != code) {
			t.Errorf("%d: %v", code, err)
		}
	}
}

// TestRedirects checks that requests for metadata follow a few redirects within their host, and no more.
func TestRedirects(t *testing.T) {
	s := start(t, nil)
	s.Set(func() {
		s.Override = map[string]http.HandlerFunc{"/end": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "{}")
		}}
		for i := range 6 {
			next := fmt.Sprint("/move", i-1)
			if i == 0 {
				next = "/end"
			}
			s.Override[fmt.Sprint("/move", i)] = func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, next, http.StatusFound)
			}
		}
	})
	web := Open(Options{}).newClient(s.Address())
	for moves := 1; moves <= 6; moves++ {
		err := get(t.Context(), web, fmt.Sprint(s.URL, "/move", moves-1), &struct{}{})
		if (err == nil) != (moves <= 4) {
			t.Errorf("%d moves: %v", moves, err)
		}
	}
}

// TestWordOfAService checks that only a short code of a service's error is repeated.
func TestWordOfAService(t *testing.T) {
	long := strings.Repeat("a", 40)
	for code, want := range map[string]string{"invalid_grant": "invalid_grant", long: long, long + "a": "", "a b": "",
		"A": ""} {
		if got := word(code); got != want {
			t.Errorf("%q is %q", code, got)
		}
	}
}

// TestScopesThatCanBeAskedFor checks the form of a scope (RFC 6749, section 3.3), its length, and the number
// of scopes.
func TestScopesThatCanBeAskedFor(t *testing.T) {
	long := strings.Repeat("x", 200)
	got := cleanScopes([]string{"!", "a~", "", "a", "a", `"`, `\`, "a b", "a\x7f", "ä", long, long + "x"})
	if want := []string{"!", "a~", "a", long}; !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
	var many []string
	for i := range 2 * maxScopes {
		many = append(many, fmt.Sprint(i))
	}
	if got := cleanScopes(many); !slices.Equal(got, many[:maxScopes]) {
		t.Errorf("of many scopes there are %d", len(got))
	}
}

// TestFirstWordOfAChallengeCounts checks that a repeated parameter of a challenge is ignored.
func TestFirstWordOfAChallengeCounts(t *testing.T) {
	c := readChallenge([]string{
		`Basic realm="x"`, `Bearer scope="a b", resource_metadata="https://one.example"`,
		`Bearer scope="c", resource_metadata="https://two.example", error="insufficient_scope"`, `Bearer error="other"`,
	})
	if !slices.Equal(c.scopes, []string{"a", "b"}) || c.document != "https://one.example" || !c.insufficient {
		t.Errorf("read was %+v", c)
	}
}

// TestAsk checks that a server is first asked with initialize, as by a client, and then with GET, as older
// servers need it.
func TestAsk(t *testing.T) {
	for _, refuses := range []string{http.MethodPost, http.MethodGet} {
		s := start(t, nil)
		var heard []string
		s.Set(func() {
			s.Override = map[string]http.HandlerFunc{s.Path: func(w http.ResponseWriter, r *http.Request) {
				var message struct{ Method string }
				_ = json.NewDecoder(r.Body).Decode(&message) // GET has no body
				heard = append(heard, strings.Join(
					[]string{r.Method, message.Method, r.Header.Get("Content-Type"), r.Header.Get("Accept")}, " "))
				w.Header().Set("WWW-Authenticate", `Bearer scope="for `+r.Method+`"`)
				if r.Method == refuses {
					w.WriteHeader(http.StatusUnauthorized)
				} else {
					w.WriteHeader(http.StatusForbidden)
				}
			}}
		})
		says := ask(t.Context(), Open(Options{}).newClient(s.Address()), s.Address())
		if !slices.Equal(says.scopes, []string{"for", refuses}) {
			t.Errorf("a server that refuses %s wants %q", refuses, says.scopes)
		}
		want := []string{"POST initialize application/json application/json, text/event-stream", "GET   text/event-stream"}
		if refuses == http.MethodPost {
			want = want[:1]
		}
		if !slices.Equal(heard, want) {
			t.Errorf("a server that refuses %s received %q", refuses, heard)
		}
	}
}

// TestDescriptionWithoutServices checks that the sign-in service of a server that names none is searched at
// the server's own address.
func TestDescriptionWithoutServices(t *testing.T) {
	s := start(t, nil)
	s.Set(func() {
		s.Override = map[string]http.HandlerFunc{s.Document: func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]any{"resource": s.Address(), "authorization_servers": []string{}})
		}}
	})
	signedIn(t, Open(Options{Dir: t.TempDir()}), s)
}

// TestWhichFailureIsTold checks that the failure of a service that exists but cannot be used is reported,
// whatever the other failures are.
func TestWhichFailureIsTold(t *testing.T) {
	for name, tenants := range map[string][]string{"first": {"/other", "/none"}, "last": {"/none", "/other"},
		"before another failure": {"/other", "/broken"}} {
		s := start(t, nil)
		s.Set(func() {
			var named []string
			for _, tenant := range tenants {
				named = append(named, s.URL+tenant)
			}
			s.Override = map[string]http.HandlerFunc{
				s.Document: func(w http.ResponseWriter, _ *http.Request) {
					_ = json.NewEncoder(w).Encode(map[string]any{"resource": s.Address(), "authorization_servers": named})
				},
				wellKnownServer + "/other": func(w http.ResponseWriter, _ *http.Request) {
					_ = json.NewEncoder(w).Encode(s.Metadata())
				},
				wellKnownServer + "/broken": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{") },
			}
		})
		err := Open(Options{Dir: t.TempDir()}).SignIn(t.Context(), at(s.Address()), nil, fakeservice.Browse)
		if err == nil || !strings.Contains(err.Error(), "says that it is another one") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCovers checks which declared resources belong to a server.
func TestCovers(t *testing.T) {
	const resource = "https://a.example/x/mcp"
	for declared, want := range map[string]bool{
		resource: true, resource + "/": true, "https://a.example": true, "https://A.example/x/": true,
		"https://a.example/x":   true,
		"https://a.example/x/m": false, resource + "/more": false, "https://b.example/x": false, "http://a.example/x": false,
		"": false, "://": false,
		"https://a.example/x?a=b": false, "https://a.example/x#y": false, "https://honest@a.example/x": false,
	} {
		if got := covers(declared, resource); got != want {
			t.Errorf("%q covers the resource: %v", declared, got)
		}
	}
}

// TestIssuer checks that an issuer must be a web address without a query (RFC 8414, section 2), and that no
// other is requested.
func TestIssuer(t *testing.T) {
	s := start(t, nil)
	web := Open(Options{}).newClient(s.Address())
	for issuer, ok := range map[string]bool{
		s.URL: true, s.URL + "/": true, s.URL + "?a=b": false, s.URL + "#a": false, "https://": false, "urn:x": false,
		"://": false, "": false,
	} {
		if _, err := metadataOf(t.Context(), web, issuer); (err == nil) != ok {
			t.Errorf("%q: %v", issuer, err)
		}
	}
}

// TestNothingIsWishedForNothing checks that a refusal without information leaves no file, and that one that
// names only a document stores it for the sign-in.
func TestNothingIsWishedForNothing(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir()})
	wishes := func() []string {
		found, _ := filepath.Glob(filepath.Join(store.options.Dir, "*.wish"))
		return found
	}
	store.Refused(s.Address(), http.StatusUnauthorized, []string{"Basic realm=x"})
	if left := wishes(); len(left) != 0 {
		t.Errorf("left is %s", left)
	}
	s.Set(func() {
		s.Advertised, s.Document, s.Undescribed, s.Tenant = false, "/elsewhere", false, "/only/named/there"
	})
	store.Refused(s.Address(), http.StatusUnauthorized, []string{`Bearer resource_metadata="` + s.URL + `/elsewhere"`})
	if len(wishes()) != 1 {
		t.Fatal("the document is forgotten")
	}
	signedIn(t, store, s)
	if len(wishes()) != 0 {
		t.Error("the wish is still there after the sign-in")
	}
}

// TestWishIsBounded checks that a file that is too large, or not ours, is ignored.
func TestWishIsBounded(t *testing.T) {
	store := Open(Options{Dir: t.TempDir()})
	const start, end = `{"more": true, "document": "`, `"}`
	for size, want := range map[int]bool{maxWish: true, maxWish + 1: false} {
		text := start + strings.Repeat("x", size-len(start)-len(end)) + end
		if err := os.WriteFile(store.wishPath("https://a.example"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := store.wish("https://a.example"); got.More != want {
			t.Errorf("a wish of %d bytes is read: %v", size, got.More)
		}
	}
}

// TestOldSignInLacksNothing checks that a sign-in whose requested scopes are unknown is not reported as
// lacking rights when it has ended.
func TestOldSignInLacksNothing(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir()})
	signedIn(t, store, s)
	resource, _ := resourceOf(s.Address())
	for _, asked := range [][]string{nil, {"read"}} {
		e, err := store.read(resource)
		if err != nil {
			t.Fatal(err)
		}
		e.Asked = asked
		if err := store.write(resource, e); err != nil {
			t.Fatal(err)
		}
		for scope, want := range map[string]bool{"read": false, "write": len(asked) > 0} {
			_, lacking, _ := store.Refused(s.Address(), http.StatusUnauthorized,
				[]string{`Bearer error="invalid_token", scope="` + scope + `"`})
			if lacking != want {
				t.Errorf("a sign-in for %q that is refused %s lacks rights: %v", asked, scope, lacking)
			}
		}
	}
}

// TestRegistrationSaysNoEmptyScope checks that a registration names the needed scopes, and has no member for
// scopes if none are needed.
func TestRegistrationSaysNoEmptyScope(t *testing.T) {
	for _, scopes := range [][]string{nil, {"a", "b"}} {
		s := start(t, func(s *fakeservice.Service) { s.ResourceScopes = scopes })
		signedIn(t, Open(Options{Dir: t.TempDir()}), s)
		scope, said := s.Registrations()[0]["scope"]
		if said != (scopes != nil) || said && scope != "a b" {
			t.Errorf("for %q, the client was registered with %v", scopes, scope)
		}
	}
}

// TestLastRefusalCounts checks that the next sign-in uses the server's last refusal.
func TestLastRefusalCounts(t *testing.T) {
	s := start(t, func(s *fakeservice.Service) { s.Greets = true })
	store := Open(Options{Dir: t.TempDir()})
	for _, scope := range []string{"first", "first", "last"} {
		store.Refused(s.Address(), http.StatusUnauthorized, []string{`Bearer scope="` + scope + `"`})
	}
	signedIn(t, store, s)
	if got := lastScope(s); got != "last" {
		t.Errorf("asked for %q", got)
	}
}

// fullKeychain is a keychain that stores nothing new.
type fullKeychain struct{ fakeKeychain }

func (*fullKeychain) Set(string, string) error { return errors.New("full") }

// TestKeychainThatTakesNothing checks that nothing is encrypted with a key that the keychain has not stored,
// not even at the second try.
func TestKeychainThatTakesNothing(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir(), Keychain: &fullKeychain{}})
	for range 2 {
		signedIn(t, store, s)
		if token, err := Open(store.options).Token(t.Context(), s.Address(), ""); err != nil || !admitted(t, s, token) {
			t.Errorf("another engine cannot read the sign-in: %v", err)
		}
	}
}

func TestHost(t *testing.T) {
	for address, want := range map[string]string{"https://a.example:8443/x": "a.example:8443",
		"https://a.example": "a.example", "urn:x": "", "https://%": ""} {
		if got := Host(address); got != want {
			t.Errorf("the host of %q is %q", address, got)
		}
	}
}

// TestResourceOfAToken checks the resource for which a token is requested: the one that the server declares,
// or the server's own address if it declares none.
func TestResourceOfAToken(t *testing.T) {
	for _, declares := range []bool{true, false} {
		s := start(t, func(s *fakeservice.Service) { s.Resource = s.URL })
		want := s.URL
		if !declares {
			want = s.Address()
			s.Set(func() {
				s.Advertised = false
				s.Override = map[string]http.HandlerFunc{s.Document: func(w http.ResponseWriter, _ *http.Request) {
					_ = json.NewEncoder(w).Encode(map[string]any{"authorization_servers": []string{s.URL}})
				}}
			})
		}
		signedIn(t, Open(Options{Dir: t.TempDir()}), s)
		told, _ := s.Exchanges()
		if got := told[0].Get("resource"); got != want || s.Asked()[0].Get("resource") != want {
			t.Errorf("asked for a token for %q, want %q", got, want)
		}
	}
}

// TestRightsThatAreNotNamed checks that a new sign-in is offered if a server does not say what is missing,
// unless everything that it lists was requested.
func TestRightsThatAreNotNamed(t *testing.T) {
	s := start(t, func(s *fakeservice.Service) {
		s.Wants, s.Rights, s.Unheard = "basic", map[string]string{"write": "files:write"}, true
		s.ResourceScopes = []string{"basic", "files:write"}
		s.Grants = func(string) string { return "basic" }
	})
	store := Open(Options{Dir: t.TempDir()})
	for _, want := range []bool{false, true} {
		signedIn(t, store, s)
		if _, lacking, asked := refused(t, store, s, "write"); !lacking || asked != want {
			t.Errorf("signed in for %q, rights are lacking: %v, requested before: %v", lastScope(s), lacking, asked)
		}
	}
}

// TestNamed checks which hosts can be shown to a person.
func TestNamed(t *testing.T) {
	for host, want := range map[string]bool{"a.example": true, "a~b.example:1": true, "": false, "a b": false,
		"a\x7f": false, "ä.example": false} {
		if got := named(&url.URL{Scheme: "https", Host: host}); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	if named(&url.URL{Host: "a.example", User: url.User("honest.example")}) {
		t.Error("a user stands before the host")
	}
}

// TestOddTypesInDocuments: a member of another type than it must have costs no more than itself.
func TestOddTypesInDocuments(t *testing.T) {
	for document, want := range map[string]string{
		`{"issuer":"i","token_endpoint":"t","scopes_supported":["a","b"],"authorization_response_iss_parameter_supported":true}`: "i t [a b] true",
		"\ufeff" + `{"issuer":"i","token_endpoint":"t","scopes_supported":"a b"}`:                                                "i t [a b] false",
		`{"issuer":"i","scopes_supported":null,"token_endpoint":"t"}`:                                                            "i t [] false",
		`{"issuer":"i","scopes_supported":{"a":1},"authorization_response_iss_parameter_supported":"true","token_endpoint":"t"}`: "i t [] false",
		`{"token_endpoint":5,"issuer":"i"}`: "i  [] false",
	} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(document))
		}))
		var says authorizationServer
		err := get(t.Context(), web.Client(), web.URL, &says)
		web.Close()
		if got := fmt.Sprint(says.Issuer, " ", says.TokenEndpoint, " ", says.Scopes, " ", says.SendsIssuer); err != nil ||
			got != want {
			t.Errorf("%s gives %s, %v; want %s", document, got, err, want)
		}
	}
}
