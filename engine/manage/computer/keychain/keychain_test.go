package keychain

import (
	"errors"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
)

func TestKeep(t *testing.T) {
	keychaintest.Mock(t)
	s := System()
	for _, c := range []struct {
		wish, value, want string
		added             bool
	}{
		{"token", "one", "token", true}, {"token", "one", "token", false}, {"token", "two", "token-2", true},
		{"token", "three", "token-3", true}, {"token", "two", "token-2", false},
	} {
		if got, added, err := Keep(s, c.wish, c.value); err != nil || got != c.want || added != c.added {
			t.Errorf("%s as %s: %q, %v, %v, want %q", c.value, c.wish, got, added, err, c.want)
		}
		if got, err := s.Get(c.want); err != nil || got != c.value {
			t.Errorf("%s holds %q, %v", c.want, got, err)
		}
	}
	if err := errors.Join(s.Delete("token"), s.Delete("token")); err != nil {
		t.Error(err)
	}
	if has, err := Has(s, "token"); has || err != nil {
		t.Errorf("the secret was removed and is still there: %v, %v", has, err)
	}
	if _, err := s.Get("token"); !errors.Is(err, ErrNone) {
		t.Errorf("a missing secret gives %v", err)
	}
	keychaintest.Fail(t, errors.New("locked"))
	if _, _, err := Keep(s, "token", "x"); err == nil || err.Error() != "the keychain cannot be used: it is locked" {
		t.Errorf("a locked keychain: %v", err)
	}
	if _, err := Has(s, "token"); err == nil {
		t.Error("a locked keychain answers")
	}
	if s.Set("token", "x") == nil || s.Delete("token") == nil {
		t.Error("a locked keychain is changed")
	}
}
