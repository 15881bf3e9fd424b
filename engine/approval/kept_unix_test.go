//go:build unix

package approval_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A path that is not a file is neither read nor waited for, whoever has made it. Then everything waits, the reason
// names the path, and approving mends it.
func TestNoFile(t *testing.T) {
	kinds := map[string]func(path string) error{
		"a folder":     func(path string) error { return os.MkdirAll(filepath.Join(path, "full"), 0o700) },
		"a pipe":       func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device":     func(path string) error { return os.Symlink("/dev/zero", path) },
		"of no access": func(path string) error { return os.WriteFile(path, nil, 0) },
	}
	for kind, make := range kinds {
		for _, name := range []string{"approvals.json", "approvals.key"} {
			t.Run(kind+" "+name, func(t *testing.T) {
				p := newPerson(t, memory)
				path := filepath.Join(p.folder, name)
				p.must(os.Remove(path))
				p.must(make(path))
				p.a = p.program()
				if lost := p.a.State().Lost; lost == nil || kind != "of no access" &&
					(!words.Is(lost, "approval.not_a_file") || !strings.Contains(lost.Error(), path)) {
					t.Errorf("the reason is %v", lost)
				}
				p.must(p.a.Approve(t.Context(), file, p.cfg, p.waits("memory")...))
				p.waits()
				if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
					t.Errorf("%v, %v", info, err)
				}
			})
		}
	}
}
