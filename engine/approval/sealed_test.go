package approval_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
)

// sealed writes a record as an earlier version did, with its key in the key file or elsewhere.
func sealed(t *testing.T, folder string, cfg *config.Config, home string) (key []byte) {
	t.Helper()
	key = keychain.NewKey()
	derive := func(purpose string) []byte {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(purpose))
		return mac.Sum(nil)
	}
	var places []map[string]any
	for _, server := range cfg.Toolboxes[0].Servers {
		mac := hmac.New(sha256.New, derive("fingerprint"))
		mac.Write(server.AppendApproval(nil, true))
		places = append(places, map[string]any{"file": file, "toolbox": "dev", "server": server.Name, "entry": server,
			"print": base64.RawStdEncoding.EncodeToString(mac.Sum(nil))})
	}
	plain, err := json.Marshal(map[string]any{"places": places, "files": []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "approvals.json")
	text, err := json.Marshal(map[string]any{"format": 1, "key": home,
		"sealed": keychain.NewCipher(derive("seal")).Seal(nil, nil, plain, []byte("approvals.json"))})
	if err == nil {
		err = errors.Join(os.WriteFile(path, text, 0o600), os.WriteFile(path+".lock", nil, 0o600))
	}
	if err == nil && home == "file" {
		err = os.WriteFile(filepath.Join(folder, "approvals.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestEarlierRecordIsTakenOver: at an update, nobody is asked again about what they approved, wherever the key was.
func TestEarlierRecordIsTakenOver(t *testing.T) {
	for _, home := range []string{"file", "keychain"} {
		p := &person{t: t, folder: t.TempDir(), cfg: parse(t, memory)}
		key := sealed(t, p.folder, p.cfg, home)
		asked := 0
		p.a = approval.New(approval.Options{Path: filepath.Join(p.folder, "approvals.json"),
			OldKey: func(name string) (string, error) {
				if asked++; name != "approvals "+p.folder {
					return "", keyring.ErrNotFound
				}
				return keychain.FormatKey(key), nil
			}})
		p.elsewhere(`"memory":{"command":"npx","args":["-y","memory@2"],"env":{"A":"1","B":"2"}}`)
		// also for a program that knows no keychain
		if w := p.waits("memory"); w[0].Old == nil || w[0].Why != approval.Elsewhere {
			t.Errorf("%s: %+v", home, w[0])
		}
		p.elsewhere(memory)
		p.waits()
		if want := map[string]int{"file": 0, "keychain": 1}[home]; asked != want {
			t.Errorf("%s: the keychain was asked %d times, want %d", home, asked, want)
		}
		if info, err := os.Stat(filepath.Join(p.folder, "approvals.key")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", home, info, err)
		}
	}
}

// TestEarlierRecordWithoutItsKey: if the keychain does not give the key, no server stays away, and from the next start
// of the window on, what other programs write waits.
func TestEarlierRecordWithoutItsKey(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	for name, oldKey := range map[string]func(string) (string, error){
		"locked":    func(string) (string, error) { return "", errors.New("locked") },
		"no answer": func(string) (string, error) { <-never; return "", errors.New("too late") },
		"none":      nil,
	} {
		t.Run(name, func(t *testing.T) {
			p := &person{t: t, folder: t.TempDir(), cfg: parse(t, memory)}
			sealed(t, p.folder, p.cfg, "keychain")
			program := func() *approval.Approvals {
				return approval.New(approval.Options{Path: filepath.Join(p.folder, "approvals.json"), OldKey: oldKey})
			}
			engine := program()
			server := p.cfg.Toolboxes[0].Servers[0]
			p.must(engine.Check(file, "dev", server))
			p.a = program()
			p.must(p.a.Begin(t.Context(), file, p.cfg))
			p.waits()
			p.elsewhere(memory + `,"evil":{"command":"sh"}`)
			p.waits("evil")
			if err := engine.Check(file, "dev", p.cfg.Toolboxes[0].Servers[1]); !errors.Is(err, approval.ErrChanged) {
				t.Errorf("the running engine: %v", err)
			}
		})
	}
	// A keychain that answers that it has no such key is not locked.
	p := &person{t: t, folder: t.TempDir(), cfg: parse(t, memory)}
	sealed(t, p.folder, p.cfg, "keychain")
	a := approval.New(approval.Options{Path: filepath.Join(p.folder, "approvals.json"),
		OldKey: func(string) (string, error) { return "", keyring.ErrNotFound }})
	if waiting := a.Waiting(file, p.cfg); len(waiting) != 1 || waiting[0].Why != approval.NoRecord {
		t.Errorf("without a key %v waits", waiting)
	}
}
