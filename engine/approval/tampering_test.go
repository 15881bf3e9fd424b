package approval_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTampering: another program changes the stored files.
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
			_ = os.WriteFile(path, []byte(`{"format":2,"record":{"free":true}}`), 0o600)
		},
		"of another format, without its key": func(t *testing.T, path string, _ []byte) {
			_ = os.WriteFile(path, []byte(`{"format":1,"key":"keychain","sealed":"AAAA"}`), 0o600)
			_ = os.Remove(filepath.Join(filepath.Dir(path), "approvals.key"))
		},
		"key deleted": func(t *testing.T, path string, _ []byte) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), "approvals.key"))
		},
		"deleted with its key": func(t *testing.T, path string, _ []byte) {
			_ = os.Remove(path)
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
			p.must(fresh.Begin(t.Context(), file, p.cfg)) // this is not a first start
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
