package token_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/token"
)

// TestTokens: a token is known until it is removed, by every program, and its file does not have it.
func TestTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "tokens.json")
	store, other := token.Open(path), token.Open(path)
	if _, ok := other.Find(""); ok {
		t.Error("no token is one")
	}
	secret, err := store.Add("n8n")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*token.Store{store, other} {
		if found, ok := s.Find(secret); !ok || found.Name != "n8n" {
			t.Errorf("it is %+v, %v", found, ok)
		}
		if _, ok := s.Find(secret[:len(secret)-1]); ok {
			t.Error("a part of a token is one")
		}
	}
	if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), secret[len("workbench_"):]) {
		t.Errorf("the file has the token: %s, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if err := other.Remove("n8n"); err != nil {
		t.Fatal(err)
	}
	if _, ok := store.Find(secret); ok {
		t.Error("it is valid after it was removed")
	}
}

// TestWhatIsRefused: names that are none, that are taken and that are unknown.
func TestWhatIsRefused(t *testing.T) {
	store := token.Open(filepath.Join(t.TempDir(), "tokens.json"))
	for _, name := range []string{"", " ", "a b", "-x", "a/b", "ä", "a\n", strings.Repeat("x", 65)} {
		if _, err := store.Add(name); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
	if _, err := store.Add("a"); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Add("a"); err == nil {
		t.Error("two tokens have one name")
	}
	if err := store.Remove("b"); err == nil {
		t.Error("a token was removed that is not there")
	}
}

// TestDamagedFile: while the file cannot be read, no token is valid, and none is added, since that would remove the
// others.
func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	store := token.Open(path)
	secret, err := store.Add("a")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := store.Find(secret); ok {
		t.Error("a token of a damaged file is valid")
	}
	if _, err := store.List(); err == nil {
		t.Error("the damage is not told")
	}
	if _, err := store.Add("b"); err == nil {
		t.Error("the damaged file was overwritten")
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := store.Find(secret); !ok {
		t.Error("the token is not valid again")
	}
}

// TestAtOnce: changes that come at once are all made.
func TestAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.json")
	var adding sync.WaitGroup
	for i := range 8 {
		adding.Go(func() {
			if _, err := token.Open(path).Add(fmt.Sprint("app", i)); err != nil {
				t.Error(err)
			}
		})
	}
	adding.Wait()
	if tokens, err := token.Open(path).List(); err != nil || len(tokens) != 8 {
		t.Errorf("there are %d tokens: %v", len(tokens), err)
	}
}

// TestWatch: a change is told.
func TestWatch(t *testing.T) {
	store := token.Open(filepath.Join(t.TempDir(), "tokens.json"))
	if _, err := store.Add("a"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := make(chan struct{}, 100)
	var watching sync.WaitGroup
	watching.Go(func() { _ = store.Watch(ctx, func() { told <- struct{}{} }) })
	for i := 0; ; i++ { // the watch may begin after a change
		if _, err := store.Add(fmt.Sprint("b", i)); err != nil {
			t.Fatal(err)
		}
		select {
		case <-told:
			cancel()
			watching.Wait()
			return
		default:
		}
	}
}
