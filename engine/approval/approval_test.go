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

	"github.com/gofrs/flock"
	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const file = "/home/u/workbench-config.json"

// person is somebody with a window: a file, what is approved, and where that is kept.
type person struct {
	t      *testing.T
	folder string
	a      *approval.Approvals
	cfg    *config.Config
}

func newPerson(t *testing.T, entries string) *person {
	p := &person{t: t, folder: t.TempDir()}
	p.a = p.program()
	p.cfg = parse(t, entries)
	p.must(p.a.Begin(t.Context(), file, p.cfg))
	return p
}

// program is another program of ours with the same files.
func (p *person) program() *approval.Approvals {
	return approval.New(approval.Options{Path: filepath.Join(p.folder, "approvals.json")})
}

func parse(t testing.TB, entries string) *config.Config {
	t.Helper()
	document := config.Parse("", []byte(`{"toolboxes":{"dev":{"mcpServers":{`+entries+`}}}}`))
	if !document.Valid() {
		t.Fatal(document.Errors())
	}
	return document.Config
}

func (p *person) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// saves has the person make a change, elsewhere has another program make it.
func (p *person) saves(entries string) {
	p.t.Helper()
	now := parse(p.t, entries)
	p.must(p.a.Save(p.t.Context(), file, p.cfg, now))
	p.cfg = now
}

func (p *person) elsewhere(entries string) {
	p.t.Helper()
	p.cfg = parse(p.t, entries)
}

// waits checks what waits, by name, for this program and for another one.
func (p *person) waits(want ...string) []approval.Waiting {
	p.t.Helper()
	var waiting []approval.Waiting
	for _, a := range []*approval.Approvals{p.a, p.program()} {
		var err error
		if waiting, err = a.Waiting(p.t.Context(), file, p.cfg); err != nil {
			p.t.Fatal(err)
		}
		var got []string
		for _, w := range waiting {
			got = append(got, w.Server.Name)
		}
		if !slices.Equal(got, want) {
			p.t.Fatalf("%q waits, want %q", got, want)
		}
		for _, toolbox := range p.cfg.Toolboxes {
			for _, server := range toolbox.Servers {
				err := a.Check(p.t.Context(), server)
				if waits := slices.Contains(want, server.Name); waits != errors.Is(err, approval.ErrChanged) || !waits && err != nil {
					p.t.Fatalf("%s: %v", server.Name, err)
				}
			}
		}
	}
	return waiting
}

const memory = `"memory":{"command":"npx","args":["-y","memory"],"env":{"A":"1","B":"2"}}`

func TestFirstStart(t *testing.T) {
	p := newPerson(t, memory)
	p.waits()
	p.elsewhere(memory + `,"evil":{"command":"sh"}`)
	p.waits("evil")
	p.must(p.program().Begin(t.Context(), file, p.cfg)) // a later start of the window
	if w := p.waits("evil"); w[0].Old != nil || w[0].Toolbox != "dev" {
		t.Errorf("%+v", w[0])
	}
}

func TestNoWindow(t *testing.T) {
	p := &person{t: t, folder: filepath.Join(t.TempDir(), "no", "such", "folder")}
	p.a = p.program()
	p.elsewhere(memory)
	p.waits()
	p.saves(memory + `,"b":{"command":"b"}`) // a command
	p.waits()
	if _, err := os.Stat(p.folder); err == nil {
		t.Error("something was written")
	}
}

// TestEveryGuardedField changes each guarded field on its own, and each other one.
func TestEveryGuardedField(t *testing.T) {
	base := map[config.Transport]string{
		config.TransportStdio: `"command":"a"`,
		config.TransportHTTP:  `"url":"https://a.example/mcp"`,
	}
	skipped := []string{"transport", "type"}
	tried := 0
	for _, field := range config.ServerFields() {
		if slices.Contains(skipped, field.Name) {
			continue
		}
		example := field.Example()
		if example == "" || example == "false" || example == "0" {
			example = map[string]string{"false": "true", "0": "7"}[example]
		}
		entry := base[config.TransportStdio]
		if field.For == config.TransportHTTP {
			entry = base[config.TransportHTTP]
		}
		if example == "" || field.Name == "command" || field.Name == "url" {
			continue // in TestWhatCounts
		}
		p := newPerson(t, `"s":{`+entry+`}`)
		p.elsewhere(`"s":{` + entry + `,"` + field.Name + `":` + example + `}`)
		if field.Guarded {
			p.waits("s")
		} else {
			p.waits()
		}
		tried++
	}
	if tried < 6 {
		t.Errorf("only %d fields were tried", tried)
	}
}

func TestWhatCounts(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		waits               bool
	}{
		{"command", `"s":{"command":"a"}`, `"s":{"command":"b"}`, true},
		{"url", `"s":{"url":"https://a.example"}`, `"s":{"url":"https://b.example"}`, true},
		{"kind", `"s":{"url":"https://a.example"}`, `"s":{"url":"https://a.example","type":"sse"}`, true},
		{"joined arguments", `"s":{"command":"a","args":["b","c"]}`, `"s":{"command":"a","args":["bc"]}`, true},
		{"argument moved to the command", `"s":{"command":"a","args":["b"]}`, `"s":{"command":"ab","args":[]}`, true},
		{"another header", `"s":{"url":"https://a.example","headers":{"A":"B"}}`, `"s":{"url":"https://a.example","headers":{"A":"C"}}`, true},
		{"another client", `"s":{"url":"https://a.example","oauth":{"clientId":"a"}}`, `"s":{"url":"https://a.example","oauth":{"clientId":"b"}}`, true},
		{"value and name", `"s":{"command":"a","env":{"A":"1"}}`, `"s":{"command":"a","env":{"A1":""}}`, true},
		{"asking first taken out", `"s":{"command":"a","askFirst":true}`, `"s":{"command":"a"}`, true},
		{"order of variables", `"s":{"command":"a","env":{"A":"1","B":"2"}}`, `"s":{"command":"a","env":{"B":"2","A":"1"}}`, false},
		{"name", `"s":{"command":"a"}`, `"t":{"command":"a"}`, false},
		{"copy", `"s":{"command":"a"}`, `"s":{"command":"a"},"t":{"command":"a"}`, false},
		{"filter", `"s":{"command":"a"}`, `"s":{"command":"a","toolFilters":["x"]}`, false},
		{"type that says the same", `"s":{"command":"a"}`, `"s":{"type":"stdio","command":"a"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPerson(t, c.before)
			p.elsewhere(c.after)
			if c.waits {
				if w := p.waits("s"); w[0].Old == nil || !w[0].Old.Equal(parse(t, c.before).Toolboxes[0].Servers[0]) {
					t.Errorf("what was approved is %+v", w[0].Old)
				}
			} else {
				p.waits()
			}
		})
	}
}

func TestWhatThePersonSaves(t *testing.T) {
	p := newPerson(t, memory)
	p.saves(memory + `,"b":{"command":"b"}`)
	p.waits()
	p.elsewhere(memory + `,"b":{"command":"evil"}`)
	p.waits("b")
	// Another change of the person leaves it waiting.
	p.saves(memory + `,"b":{"command":"evil"},"c":{"command":"c"}`)
	p.waits("b")
	// So do a change of it, its copy, and its removal elsewhere.
	p.saves(memory + `,"b":{"command":"evil","args":["x"]},"c":{"command":"c"}`)
	p.waits("b")
	p.saves(memory + `,"b":{"command":"evil","args":["x"]},"copy":{"command":"evil","args":["x"]}`)
	p.waits("b", "copy")
	// It is put back.
	p.saves(memory + `,"b":{"command":"b"}`)
	p.waits()
	// What the person has removed is no longer approved.
	p.saves(memory)
	p.elsewhere(memory + `,"b":{"command":"b"}`)
	p.waits("b")
}

// TestRemovedElsewhere holds that what another program takes out and puts back is not asked about.
func TestRemovedElsewhere(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(``)
	p.saves(`"b":{"command":"b"}`)
	p.elsewhere(`"b":{"command":"b"},` + memory)
	p.waits()
}

func TestApprove(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(`"memory":{"command":"uvx"},"b":{"command":"b"}`)
	w := p.waits("memory", "b")
	p.must(p.a.Approve(t.Context(), file, p.cfg, w[0]))
	p.waits("b")
	// What was shown is approved, not what is there meanwhile.
	p.elsewhere(`"memory":{"command":"uvx"},"b":{"command":"c"}`)
	p.must(p.a.Approve(t.Context(), file, p.cfg, w[1]))
	p.waits("b")
}

func TestFree(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(memory + `,"b":{"command":"b"}`)
	p.waits("b")
	p.must(p.a.SetFree(t.Context(), file, p.cfg, true))
	p.waits()
	if s, err := p.program().State(t.Context()); err != nil || s.On || !s.Free {
		t.Errorf("%+v %v", s, err)
	}
	p.elsewhere(memory + `,"b":{"command":"c"}`)
	p.waits()
	p.must(p.a.SetFree(t.Context(), file, p.cfg, false))
	p.waits()
	p.elsewhere(memory + `,"b":{"command":"d"}`)
	p.waits("b")
}

// TestTampering has another program touch what is kept.
func TestTampering(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, path string, raw []byte){
		"deleted": func(t *testing.T, path string, _ []byte) { _ = os.Remove(path) },
		"emptied": func(t *testing.T, path string, _ []byte) { _ = os.WriteFile(path, nil, 0o600) },
		"cut":     func(t *testing.T, path string, raw []byte) { _ = os.WriteFile(path, raw[:len(raw)/2], 0o600) },
		"turned bit": func(t *testing.T, path string, raw []byte) {
			raw = slices.Clone(raw)
			raw[len(raw)/2] ^= 1
			_ = os.WriteFile(path, raw, 0o600)
		},
		"in clear": func(t *testing.T, path string, _ []byte) {
			_ = os.WriteFile(path, []byte(`{"format":1,"free":true,"sealed":""}`), 0o600)
		},
		"key deleted": func(t *testing.T, path string, _ []byte) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), "approvals.key"))
		},
		"of another key": func(t *testing.T, path string, _ []byte) {
			other := newPerson(t, `"evil":{"command":"sh"}`)
			raw, _ := os.ReadFile(filepath.Join(other.folder, "approvals.json"))
			_ = os.WriteFile(path, raw, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t, memory)
			path := filepath.Join(p.folder, "approvals.json")
			raw, err := os.ReadFile(path)
			p.must(err)
			harm(t, path, raw)
			p.elsewhere(memory + `,"evil":{"command":"sh"}`)
			fresh := p.program()
			p.a = fresh
			w := p.waits("memory", "evil")
			p.must(fresh.Begin(t.Context(), file, p.cfg)) // this is no first start
			p.waits("memory", "evil")
			p.must(fresh.Approve(t.Context(), file, p.cfg, w[0]))
			p.waits("evil")
		})
	}
}

func TestFilesAreTheUsersAlone(t *testing.T) {
	p := newPerson(t, memory)
	for _, name := range []string{"approvals.json", "approvals.key"} {
		info, err := os.Stat(filepath.Join(p.folder, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}

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
	// A key in a file counts for nothing while the keychain has one.
	forger := newPerson(t, `"evil":{"command":"sh"}`)
	for _, name := range []string{"approvals.json", "approvals.key"} {
		raw, _ := os.ReadFile(filepath.Join(forger.folder, name))
		_ = os.WriteFile(filepath.Join(filepath.Dir(path), name), raw, 0o600)
	}
	b := approval.New(approval.Options{Path: path, Keychain: approval.SystemKeychain()})
	if err := b.Check(t.Context(), forger.cfg.Toolboxes[0].Servers[0]); !errors.Is(err, approval.ErrChanged) {
		t.Errorf("the forged record gives %v", err)
	}
	// Deleting the record is no new start either.
	_ = os.Remove(path)
	if err := b.Check(t.Context(), cfg.Toolboxes[0].Servers[0]); !errors.Is(err, approval.ErrChanged) {
		t.Errorf("without the record: %v", err)
	}
}

// slow is a keychain that does not answer until it is told to.
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
	close(keychain.answer) // with no key
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
	// Where nobody has set up a window, a locked keychain keeps nothing from running.
	none := approval.New(approval.Options{Path: filepath.Join(t.TempDir(), "approvals.json"), Keychain: approval.SystemKeychain()})
	for range 2 { // the second question finds the answer of the first
		if err := none.Check(t.Context(), server); err != nil {
			t.Error(err)
		}
	}
}

// TestRunTellsOfOthers holds that one program notices what another one approves.
func TestRunTellsOfOthers(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(`"b":{"command":"b"}`)
	ctx, cancel := context.WithCancel(t.Context())
	told := make(chan struct{}, 10)
	ended := make(chan error, 1)
	go func() { ended <- p.a.Run(ctx, func() { told <- struct{}{} }) }()
	other := p.program()
	server := p.cfg.Toolboxes[0].Servers[0]
	if err := p.a.Check(t.Context(), server); !errors.Is(err, approval.ErrChanged) {
		t.Fatal(err)
	}
	w, err := other.Waiting(t.Context(), file, p.cfg)
	p.must(err)
	p.must(other.Approve(t.Context(), file, p.cfg, w...))
	for deadline := time.Now().Add(time.Minute); len(told) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing was told")
		}
		p.must(other.SetFree(t.Context(), file, p.cfg, false)) // once more, as Run may have begun after what was before
	}
	p.must(p.a.Check(t.Context(), server))
	cancel()
	<-ended
}

// TestDeletedWhileLocked holds that a keychain that refuses does not turn a missing record into a first start.
func TestDeletedWhileLocked(t *testing.T) {
	keychaintest.Mock(t)
	folder := t.TempDir()
	path, history := filepath.Join(folder, "approvals.json"), filepath.Join(folder, "history")
	open := func() *approval.Approvals {
		return approval.New(approval.Options{Path: path, Keychain: approval.SystemKeychain(), Traces: []string{history}})
	}
	cfg := parse(t, memory)
	server := cfg.Toolboxes[0].Servers[0]
	fresh := open() // has found nothing, and has not looked since
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
		t.Errorf("one that knows the key says %v", err)
	}
	for _, a := range []*approval.Approvals{fresh, open()} {
		if err := a.Check(t.Context(), server); !words.Is(err, "approval.unknown") {
			t.Errorf("one that does not know the key says %v", err)
		}
	}
	// The history alone tells of it, too. What rests on the keychain's refusal holds for one question.
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

// TestUnreachableKeychain holds that a program without the keychain neither believes a key in a file nor seals with one, when the key is in the
// keychain.
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
		t.Error("the record was sealed anew")
	}
	// One that has the key from the keychain does not believe a record that names the file.
	put("approvals.json", forged["approvals.json"])
	if err := desktop.Check(t.Context(), evil); !words.Is(err, "approval.keychain_unreachable") {
		t.Errorf("the forged record gives %v", err)
	}
	put("approvals.json", good)
	if err := desktop.Check(t.Context(), server); err != nil {
		t.Errorf("one that knows the key says %v", err)
	}
}

// stuck is a keychain that has no key, and that never finishes keeping one until it is told to.
type stuck struct{ answer chan error }

func (s stuck) Get(string) (string, error) { return "", keyring.ErrNotFound }
func (s stuck) Set(string, string) error   { return <-s.answer }

// TestStuckKeychain holds that a keychain which does not take the key holds up neither the caller nor other programs.
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
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for the keychain")
	}
	lock := flock.New(path + ".lock")
	if locked, err := lock.TryLock(); !locked {
		t.Errorf("the file is still locked: %v", err)
	}
	_ = lock.Close()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Begin(gone, file, cfg); err == nil {
		t.Error("it was kept")
	}
	// When the keychain has answered, the next try is the first start still.
	close(keychain.answer)
	patient := time.Now().Add(10 * time.Second)
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

// lockable is a keychain for one key that can be locked.
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

// TestUnlockedKeychain holds that what rests on a locked keychain is looked at again by itself.
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
	for deadline := time.After(10 * time.Second); ; {
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
