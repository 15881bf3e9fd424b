package approval_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestKeychain(t *testing.T) {
	keychaintest.Mock(t)
	path := filepath.Join(t.TempDir(), "approvals.json")
	a := approval.New(approval.Options{Path: path, Keychain: approval.SystemKeychain()})
	cfg := parse(t, memory)
	if err := a.Begin(t.Context(), file, cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), "approvals.key")); err == nil {
		t.Error("the key is in a file, too")
	}
	if _, err := keyring.Get("workbench", "approvals "+filepath.Dir(path)); err == nil {
		t.Error("a configuration can refer to the key")
	}
	// A key in a file is ignored if the keychain has a key.
	forger := newPerson(t, `"evil":{"command":"sh"}`)
	for _, name := range []string{"approvals.json", "approvals.key"} {
		raw, _ := os.ReadFile(filepath.Join(forger.folder, name))
		_ = os.WriteFile(filepath.Join(filepath.Dir(path), name), raw, 0o600)
	}
	b := approval.New(approval.Options{Path: path, Keychain: approval.SystemKeychain()})
	if err := b.Check(t.Context(), forger.cfg.Toolboxes[0].Servers[0]); !errors.Is(err, approval.ErrChanged) {
		t.Errorf("the forged record gives %v", err)
	}
	// After the record was deleted, this is not a first start.
	_ = os.Remove(path)
	if err := b.Check(t.Context(), cfg.Toolboxes[0].Servers[0]); !errors.Is(err, approval.ErrChanged) {
		t.Errorf("without the record: %v", err)
	}
}

// slow is a keychain that answers only when told to.
type slow struct{ answer chan string }

func (s slow) Get(string) (string, error) { return <-s.answer, nil }
func (s slow) Set(string, string) error   { return errors.New("no") }

func TestSlowKeychain(t *testing.T) {
	p := newPerson(t, memory)
	keychain := slow{make(chan string)}
	a := approval.New(approval.Options{Path: filepath.Join(p.folder, "approvals.json"), Keychain: keychain, Patience: 20 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	woken := make(chan struct{}, 10)
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx, func() { woken <- struct{}{} }) }()
	server := p.cfg.Toolboxes[0].Servers[0]
	for range 2 {
		if err := a.Check(t.Context(), server); !words.Is(err, "approval.unknown") || !words.Is(err, "approval.keychain_slow") {
			t.Fatal(err)
		}
	}
	close(keychain.answer) // the keychain has no key
	<-woken
	if err := a.Check(t.Context(), server); !errors.Is(err, approval.ErrChanged) {
		t.Error(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestLockedKeychain(t *testing.T) {
	p := newPerson(t, memory)
	keychaintest.Fail(t, errors.New("the keyring is locked"))
	a := approval.New(approval.Options{Path: filepath.Join(p.folder, "approvals.json"), Keychain: approval.SystemKeychain()})
	server := p.cfg.Toolboxes[0].Servers[0]
	if err := a.Check(t.Context(), server); !words.Is(err, "approval.keychain_unread") {
		t.Error(err)
	}
	if _, err := a.Waiting(t.Context(), file, p.cfg); !words.Is(err, "approval.unknown") {
		t.Error(err)
	}
	// If nobody has set up a window, a locked keychain does not keep a server from running.
	none := approval.New(approval.Options{Path: filepath.Join(t.TempDir(), "approvals.json"), Keychain: approval.SystemKeychain()})
	for range 2 { // the second question finds the answer of the first
		if err := none.Check(t.Context(), server); err != nil {
			t.Error(err)
		}
	}
}

// TestDeletedWhileLocked: if the record is missing and the keychain refuses, this is not a first start.
func TestDeletedWhileLocked(t *testing.T) {
	keychaintest.Mock(t)
	folder := t.TempDir()
	path, history := filepath.Join(folder, "approvals.json"), filepath.Join(folder, "history")
	open := func() *approval.Approvals {
		return approval.New(approval.Options{Path: path, Keychain: approval.SystemKeychain(), Traces: []string{history}})
	}
	cfg := parse(t, memory)
	server := cfg.Toolboxes[0].Servers[0]
	fresh := open() // it found nothing and has not looked again
	if err := fresh.Check(t.Context(), server); err != nil {
		t.Fatal(err)
	}
	running := open()
	if err := running.Begin(t.Context(), file, cfg); err != nil {
		t.Fatal(err)
	}
	keychaintest.Fail(t, errors.New("the keyring is locked"))
	remove := func(name string) {
		t.Helper()
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	remove(path)
	if err := running.Check(t.Context(), server); !errors.Is(err, approval.ErrChanged) {
		t.Errorf("a program that knows the key reports %v", err)
	}
	for _, a := range []*approval.Approvals{fresh, open()} {
		if err := a.Check(t.Context(), server); !words.Is(err, "approval.unknown") {
			t.Errorf("a program that does not know the key reports %v", err)
		}
	}
	// The history alone shows it too. What follows from a refusal of the keychain is valid for one question
	// only.
	remove(path + ".lock")
	again := open()
	if err := again.Check(t.Context(), server); err != nil {
		t.Error(err)
	}
	if err := os.Mkdir(history, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, a := range []*approval.Approvals{again, open()} {
		if err := a.Check(t.Context(), server); !words.Is(err, "approval.unknown") {
			t.Errorf("with a history: %v", err)
		}
	}
}

// TestUnreachableKeychain: if the key is in the keychain, a program that cannot reach the keychain neither
// trusts a key in a file nor seals with one.
func TestUnreachableKeychain(t *testing.T) {
	keychaintest.Mock(t)
	path := filepath.Join(t.TempDir(), "approvals.json")
	open := func() *approval.Approvals {
		return approval.New(approval.Options{Path: path, Keychain: approval.SystemKeychain()})
	}
	cfg := parse(t, memory)
	server := cfg.Toolboxes[0].Servers[0]
	desktop := open()
	if err := desktop.Begin(t.Context(), file, cfg); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	keychaintest.Fail(t, words.Code("expand.keychain_no_session"))
	forger := newPerson(t, `"evil":{"command":"sh"}`)
	evil := forger.cfg.Toolboxes[0].Servers[0]
	forged := map[string][]byte{}
	for _, name := range []string{"approvals.json", "approvals.key"} {
		if forged[name], err = os.ReadFile(filepath.Join(forger.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	put := func(name string, raw []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("approvals.key", forged["approvals.key"])
	for _, entry := range []*config.Server{server, evil} {
		if err := open().Check(t.Context(), entry); !words.Is(err, "approval.keychain_unreachable") {
			t.Errorf("without the keychain: %v", err)
		}
	}
	waiting := approval.Waiting{Toolbox: "dev", Server: server}
	if err := open().Approve(t.Context(), file, cfg, waiting); !words.Is(err, "approval.keychain_unreachable") {
		t.Errorf("approving gives %v", err)
	}
	if raw, _ := os.ReadFile(path); !slices.Equal(raw, good) {
		t.Error("the record was sealed again")
	}
	// A program that has the key from the keychain does not trust a record that names the key file.
	put("approvals.json", forged["approvals.json"])
	if err := desktop.Check(t.Context(), evil); !words.Is(err, "approval.keychain_unreachable") {
		t.Errorf("the forged record gives %v", err)
	}
	put("approvals.json", good)
	if err := desktop.Check(t.Context(), server); err != nil {
		t.Errorf("a program that knows the key reports %v", err)
	}
}

// stuck is a keychain without a key. Storing a key in it does not end until the test says so.
type stuck struct{ answer chan error }

func (s stuck) Get(string) (string, error) { return "", keyring.ErrNotFound }
func (s stuck) Set(string, string) error   { return <-s.answer }

// TestStuckKeychain: a keychain that does not store the key delays neither the caller nor other programs.
func TestStuckKeychain(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "approvals.json")
	keychain := stuck{make(chan error)}
	a := approval.New(approval.Options{Path: path, Keychain: keychain, Patience: 20 * time.Millisecond})
	cfg := parse(t, memory)
	began := make(chan error, 1)
	go func() { began <- a.Begin(t.Context(), file, cfg) }()
	select {
	case err := <-began:
		if !words.Is(err, "approval.not_kept") || !words.Is(err, "approval.keychain_slow") {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the caller waits for the keychain")
	}
	if _, err := os.Stat(path + ".lock"); !os.IsNotExist(err) {
		t.Errorf("the file was locked: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Begin(gone, file, cfg); err == nil {
		t.Error("the approval was stored")
	}
	// After the keychain has answered, the next try is still a first start.
	close(keychain.answer)
	patient := time.Now().Add(time.Minute)
	for {
		err := a.Begin(t.Context(), file, cfg)
		if err == nil {
			break
		}
		if time.Now().After(patient) {
			t.Fatal(err)
		}
	}
	if err := a.Check(t.Context(), cfg.Toolboxes[0].Servers[0]); err != nil {
		t.Error(err)
	}
}

// lockable is a keychain for one key. It can be locked.
type lockable struct {
	locked atomic.Bool
	value  string
}

func (l *lockable) Get(string) (string, error) {
	switch {
	case l.locked.Load():
		return "", errors.New("the keyring is locked")
	case l.value == "":
		return "", keyring.ErrNotFound
	}
	return l.value, nil
}

func (l *lockable) Set(_, value string) error {
	l.value = value
	return nil
}

// TestUnlockedKeychain: what was decided because of a locked keychain is checked again without being asked.
func TestUnlockedKeychain(t *testing.T) {
	keychain := &lockable{}
	path := filepath.Join(t.TempDir(), "approvals.json")
	open := func() *approval.Approvals {
		return approval.New(approval.Options{Path: path, Keychain: keychain, Retry: 30 * time.Millisecond})
	}
	cfg := parse(t, memory)
	if err := open().Begin(t.Context(), file, cfg); err != nil {
		t.Fatal(err)
	}
	keychain.locked.Store(true)
	a := open()
	told := make(chan error, 10)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- a.Run(ctx, func() { told <- a.Check(ctx, cfg.Toolboxes[0].Servers[0]) })
	}()
	if err := a.Check(t.Context(), cfg.Toolboxes[0].Servers[0]); !words.Is(err, "approval.unknown") {
		t.Fatal(err)
	}
	unlocked := false
	for deadline := time.After(time.Minute); ; {
		select {
		case err := <-told:
			if unlocked && err == nil {
				cancel()
				<-ended
				return
			}
		case <-deadline:
			t.Fatal("the keychain was not asked again")
		}
		if !unlocked {
			keychain.locked.Store(false)
			unlocked = true
		}
	}
}
