package approval_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// counting is a keychain that counts how often it is asked.
type counting struct {
	approval.Keychain
	asked int
}

func (c *counting) Get(name string) (string, error) {
	c.asked++
	return c.Keychain.Get(name)
}

// TestWhatIsRead: the file is read again only if it has changed, and the keychain is asked once.
func TestWhatIsRead(t *testing.T) {
	keychaintest.Mock(t)
	path := filepath.Join(t.TempDir(), "approvals.json")
	program := func() (*approval.Approvals, *counting) {
		c := &counting{Keychain: approval.SystemKeychain()}
		return approval.New(approval.Options{Path: path, Keychain: c}), c
	}
	cfg := parse(t, memory)
	server := cfg.Toolboxes[0].Servers[0]
	check := func(a *approval.Approvals, want error) {
		t.Helper()
		if err := a.Check(t.Context(), server); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	a, asked := program()
	check(a, nil) // no window has been set up
	check(a, nil)
	if asked.asked != 1 {
		t.Errorf("the keychain was asked %d times while there was no file", asked.asked)
	}
	other, _ := program()
	if err := other.Begin(t.Context(), file, parse(t, `"x":{"command":"x"}`)); err != nil {
		t.Fatal(err)
	}
	asked.asked = 0
	check(a, approval.ErrChanged)
	waiting, err := other.Waiting(t.Context(), file, cfg)
	if err != nil || len(waiting) != 1 {
		t.Fatal(waiting, err)
	}
	if err := other.Approve(t.Context(), file, cfg, waiting...); err != nil {
		t.Fatal(err)
	}
	check(a, nil)
	if asked.asked != 1 {
		t.Errorf("the keychain was asked %d times about one key", asked.asked)
	}
	// A file with the size and time of the one already read is not read again.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(path)
	if err := os.WriteFile(path, []byte(strings.Repeat(" ", len(raw))), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	check(a, nil)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	check(a, approval.ErrChanged)
}

// TestNothingShown: nothing is written if nothing is approved, or if a save does not change what runs.
func TestNothingShown(t *testing.T) {
	p := newPerson(t, memory)
	path := filepath.Join(p.folder, "approvals.json")
	before, _ := os.ReadFile(path)
	p.must(p.a.Approve(t.Context(), file, p.cfg))
	if after, _ := os.ReadFile(path); !slices.Equal(before, after) {
		t.Error("approving nothing has written the file")
	}
	// Saving a description does not need the keychain, so a locked keychain does not prevent it.
	locked := approval.New(approval.Options{Path: path, Keychain: failing{errors.New("locked")}})
	two := memory + `,"b":{"command":"b"}`
	p.must(locked.Save(t.Context(), file, parse(t, two), parse(t, two)))
	for _, after := range []string{memory, two + `,"c":{"command":"c"}`, memory + `,"b":{"command":"c"}`, memory + `,"c":{"command":"b"}`} {
		if err := locked.Save(t.Context(), file, parse(t, two), parse(t, after)); !words.Is(err, "approval.keychain_unread") {
			t.Errorf("%s: %v", after, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Get(string) (string, error) { return "", f.err }
func (f failing) Set(string, string) error   { return f.err }

// TestFilesApart: the approvals of one file do not depend on what a person does in another.
func TestFilesApart(t *testing.T) {
	p := newPerson(t, memory)
	other := "/home/u/other.json"
	with := parse(t, memory+`,"b":{"command":"b"}`)
	p.must(p.a.Save(t.Context(), other, p.cfg, with))
	p.must(p.a.Save(t.Context(), file, p.cfg, parse(t, ``)))
	if waiting, err := p.a.Waiting(t.Context(), other, with); err != nil || len(waiting) > 0 {
		t.Errorf("%v waits in the other file, %v", waiting, err)
	}
	p.must(p.a.SetFree(t.Context(), file, parse(t, `"c":{"command":"c"}`), false))
	if waiting, err := p.a.Waiting(t.Context(), other, with); err != nil || len(waiting) > 0 {
		t.Errorf("%v waits in the other file, %v", waiting, err)
	}
}

// TestOldestIsForgotten checks the maximum number of stored entries that are not in the configuration.
func TestOldestIsForgotten(t *testing.T) {
	const most = 4096
	var entries []string
	for i := range most + 1 {
		entries = append(entries, fmt.Sprintf(`"s%d":{"command":"c%d"}`, i, i))
	}
	many := func(n int) *config.Config { return parse(t, strings.Join(entries[len(entries)-n:], ",")) }
	p := newPerson(t, `"x":{"command":"x"}`)
	for _, c := range []struct{ entries, waiting int }{{most, 0}, {most + 1, 1}} {
		all := many(c.entries)
		p.must(p.a.SetFree(t.Context(), file, all, false))
		if waiting, err := p.a.Waiting(t.Context(), file, all); err != nil || len(waiting) > 0 {
			t.Errorf("%d of the configuration wait, %v", len(waiting), err)
		}
		p.must(p.a.SetFree(t.Context(), "/home/u/other.json", parse(t, `"y":{"command":"y"}`), false))
		waiting, err := p.a.Waiting(t.Context(), file, all)
		if err != nil || len(waiting) != c.waiting {
			t.Errorf("%d of %d wait, %v", len(waiting), c.entries, err)
		}
		if len(waiting) == 1 && waiting[0].Server.Name != "s0" {
			t.Errorf("%s is forgotten", waiting[0].Server.Name)
		}
		p.must(p.a.SetFree(t.Context(), "/home/u/other.json", parse(t, ``), false))
	}
}

// slowly is a keychain that answers with an error after a while.
type slowly struct {
	takes time.Duration
	asked int
}

func (s *slowly) Get(string) (string, error) {
	s.asked++
	time.Sleep(s.takes)
	return "", errors.New("locked")
}
func (s *slowly) Set(string, string) error { return errors.New("locked") }

// TestKeychainIsNotAskedAtOnce: a keychain that has refused is not asked again for some time. Everybody who
// waits for the keychain waits no longer than the first one.
func TestKeychainIsNotAskedAtOnce(t *testing.T) {
	path := filepath.Join(newPerson(t, memory).folder, "approvals.json")
	server := parse(t, memory).Toolboxes[0].Servers[0]
	synctest.Test(t, func(t *testing.T) {
		chain := &slowly{}
		a := approval.New(approval.Options{Path: path, Keychain: chain})
		for _, c := range []struct {
			pause time.Duration
			asked int
		}{{0, 1}, {19 * time.Second, 1}, {2 * time.Second, 2}, {10 * time.Second, 2}} {
			time.Sleep(c.pause)
			if err := a.Check(t.Context(), server); !words.Is(err, "approval.keychain_unread") || chain.asked != c.asked {
				t.Errorf("after another %v: %v, asked %d times, want %d", c.pause, err, chain.asked, c.asked)
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		a := approval.New(approval.Options{Path: path, Keychain: &slowly{takes: time.Minute}, Patience: 10 * time.Second})
		began := time.Now()
		go func() { _ = a.Check(t.Context(), server) }()
		time.Sleep(6 * time.Second)
		if err := a.Check(t.Context(), server); !words.Is(err, "approval.keychain_slow") || time.Since(began) != 10*time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		fresh := approval.New(approval.Options{Path: path, Keychain: &slowly{takes: time.Minute}})
		if err := fresh.Check(ctx, server); err != context.Canceled {
			t.Errorf("after cancelling, the error is %v", err)
		}
		time.Sleep(2 * time.Minute) // until the keychains have answered
	})
}

// If another program is busy with the record, it is waited for, but not forever. A file that is too large is
// not read.
func TestBusyAndTooLarge(t *testing.T) {
	p := newPerson(t, `"a":{"command":"a"}`)
	path := filepath.Join(p.folder, "approvals.json")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := p.a.SetFree(ctx, file, p.cfg, true); !words.Is(err, "approval.busy") {
		t.Error(err)
	}
	_ = lock.Close()
	const most = 16 << 20
	for size, want := range map[int]words.Code{most: "", most + 1: "approval.too_large"} {
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := p.program().Waiting(t.Context(), file, p.cfg)
		if want == "" && err != nil || want != "" && !words.Is(err, want) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
