package signin

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
)

// TestRenewal checks that a token that has expired, or was refused early, is renewed once, however many
// callers want it.
func TestRenewal(t *testing.T) {
	s := start(t, func(s *fakeservice.Service) { s.Slow = 50 * time.Millisecond })
	keychain := &fakeKeychain{}
	store := Open(Options{Dir: t.TempDir(), Keychain: keychain})
	signedIn(t, store, s)
	for round := 1; round <= 2; round++ {
		old, err := store.Token(t.Context(), s.Address(), "")
		if err != nil {
			t.Fatal(err)
		}
		refused := ""
		if round == 1 {
			expire(t, store, s.Address())
		} else {
			refused = old
			s.ExpireAccess()
		}
		var wg sync.WaitGroup
		for range 2 {
			engine := Open(store.options)
			for range 4 {
				wg.Go(func() {
					token, err := engine.Token(t.Context(), s.Address(), refused)
					if err != nil || token == old || !admitted(t, s, token) {
						t.Errorf("the renewed token is not good: %v", err)
					}
				})
			}
		}
		wg.Wait()
		if s.Renewals() != round || s.Reused() != 0 {
			t.Fatalf("%d renewals, %d reuses", s.Renewals(), s.Reused())
		}
	}
	notReadable(t, store, s)
}

// expire makes the stored token expired.
func expire(t *testing.T, store *Store, address string) {
	t.Helper()
	resource, _ := resourceOf(address)
	unlock, err := store.lock(t.Context(), resource)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	e, err := store.read(resource)
	if err != nil {
		t.Fatal(err)
	}
	e.Token.ExpiresAt = time.Now().Add(-time.Minute)
	if err := store.write(resource, e); err != nil {
		t.Fatal(err)
	}
}

func TestRenewalThatFails(t *testing.T) {
	s := start(t, nil)
	store := Open(Options{Dir: t.TempDir()})
	signedIn(t, store, s)
	expire(t, store, s.Address())
	s.Set(func() { s.Down = true })
	_, err := store.Token(t.Context(), s.Address(), "")
	if err == nil || !store.Has(s.Address()) {
		t.Errorf("a service that does not work ended the sign-in: %v", err)
	}
	for _, secret := range s.Secrets() {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the error contains a token: %v", err)
		}
	}
	s.Set(func() { s.Down = false })
	if token, err := store.Token(t.Context(), s.Address(), ""); err != nil || !admitted(t, s, token) {
		t.Errorf("the store does not recover: %v", err)
	}
	expire(t, store, s.Address())
	s.Revoke()
	if token, err := store.Token(t.Context(), s.Address(), ""); token != "" || err != nil || store.Has(s.Address()) {
		t.Errorf("a sign-in that was revoked is still there: %v", err)
	}
}

// TestRenewalThatIsRefused: the sign-in has ended if the service says so, in whatever words, but not for an error that
// passes, and not as long as the token can be used.
func TestRenewalThatIsRefused(t *testing.T) {
	s := start(t, nil)
	for says, ended := range map[string]bool{
		`400 {"error":"invalid_grant"}`: true, `400 {"error":"invalid_request"}`: true, `401 {"error":"invalid_client"}`: true,
		`200 {"error":"bad_refresh_token"}`: true, `200 {"error":"token_expired"}`: true, `200 {"error":"ratelimited"}`: false,
		`400 {"error":"temporarily_unavailable"}`: false, `429 {"error":"too_many_requests"}`: false, `403 <html>`: false,
		`503 {"error":"invalid_grant"}`: false,
	} {
		s.Set(func() { s.Override = nil })
		store := Open(Options{Dir: t.TempDir()})
		signedIn(t, store, s)
		status, body, _ := strings.Cut(says, " ")
		s.Set(func() {
			s.Override = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, _ *http.Request) {
				code, _ := strconv.Atoi(status)
				w.WriteHeader(code)
				_, _ = io.WriteString(w, body)
			}}
		})
		resource, _ := resourceOf(s.Address())
		e, err := store.read(resource)
		if err != nil {
			t.Fatal(err)
		}
		e.Token.ExpiresAt = time.Now().Add(leeway / 2)
		if e.Token.ExpiresIn == 0 || store.write(resource, e) != nil {
			t.Fatal("the token does not expire, or cannot be kept")
		}
		if token, err := store.Token(t.Context(), s.Address(), ""); token != e.Token.AccessToken || err != nil {
			t.Errorf("%s: before it expires, there is %q, %v", says, token, err)
		}
		expire(t, store, s.Address())
		token, err := store.Token(t.Context(), s.Address(), "")
		if token != "" || (err == nil) != ended || store.Has(s.Address()) == ended {
			t.Errorf("%s: %q, %v, still signed in: %v", says, token, err, store.Has(s.Address()))
		}
	}
}

// TestTokenWithoutNews checks that a renewal keeps what the answer does not repeat, and that an error counts
// even with a status of success.
func TestTokenWithoutNews(t *testing.T) {
	s := start(t, func(s *fakeservice.Service) { s.Wants = "basic" })
	store := Open(Options{Dir: t.TempDir()})
	signedIn(t, store, s)
	for says, want := range map[string]string{`{"access_token": "new"}`: "new",
		`{"access_token": "new", "error": "slow_down"}`: ""} {
		s.Set(func() {
			s.Override = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, says)
			}}
		})
		resource, _ := resourceOf(s.Address())
		before, err := store.read(resource)
		if err != nil {
			t.Fatal(err)
		}
		expire(t, store, s.Address())
		token, err := store.Token(t.Context(), s.Address(), "")
		if token != want || (err == nil) != (want != "") {
			t.Errorf("%s gives %q, %v", says, token, err)
		}
		after, err := store.read(resource)
		if err != nil || after.Token.RefreshToken != before.Token.RefreshToken || after.Token.Scope != "basic" {
			t.Errorf("after %s there is %+v, %v", says, after, err)
		}
	}
}
