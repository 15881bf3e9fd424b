//go:build unix

package approval_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A path that is not a file is neither read nor waited for, whoever has made it. The error names it, and the keychain is not asked.
func TestNoFile(t *testing.T) {
	kinds := map[string]func(path string) error{
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
	}
	for kind, make := range kinds {
		for _, name := range []string{"approvals.json", "approvals.key"} {
			t.Run(kind+" "+name, func(t *testing.T) {
				keychaintest.Mock(t)
				folder := t.TempDir()
				cfg := parse(t, memory)
				options := approval.Options{Path: filepath.Join(folder, "approvals.json")}
				chain := &counting{Keychain: approval.SystemKeychain()}
				if name == "approvals.json" {
					options.Keychain = chain
				}
				if err := approval.New(options).Begin(t.Context(), file, cfg); err != nil {
					t.Fatal(err)
				}
				chain.asked = 0
				path := filepath.Join(folder, name)
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				if err := make(path); err != nil {
					t.Fatal(err)
				}
				a := approval.New(options)
				err := a.Check(t.Context(), cfg.Toolboxes[0].Servers[0])
				if !words.Is(err, "approval.not_a_file") || !strings.Contains(err.Error(), path) || chain.asked > 0 {
					t.Errorf("%v; the keychain was asked %d times", err, chain.asked)
				}
				if err := a.SetFree(t.Context(), file, cfg, true); !words.Is(err, "approval.not_a_file") {
					t.Errorf("a change: %v", err)
				}
				// The advice of the message helps.
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				a = approval.New(options)
				waiting, err := a.Waiting(t.Context(), file, cfg)
				if err != nil || len(waiting) != 1 {
					t.Fatalf("%v waits, %v", waiting, err)
				}
				if err := a.Approve(t.Context(), file, cfg, waiting...); err != nil {
					t.Fatal(err)
				}
				if err := a.Check(t.Context(), cfg.Toolboxes[0].Servers[0]); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
