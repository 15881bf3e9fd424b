//go:build unix

package pool

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestEveryHostIsAsked: the hosts of all builds are asked, and nobody else who listens there.
func TestEveryHostIsAsked(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"host-aaaa.sock", "host-bbbb.sock", "host-bbbb.lock", "app.sock"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(folder, "host-aaaa.sock"), filepath.Join(folder, "host-bbbb.sock")}
	if got := ofAllBuilds(filepath.Join(folder, "host-cccc.sock"), "cccc"); !slices.Equal(got, want) {
		t.Errorf("asked are %q, want %q", got, want)
	}
	none := filepath.Join(folder, "none", "host-cccc.sock")
	if got := ofAllBuilds(none, "cccc"); !slices.Equal(got, []string{none}) {
		t.Errorf("without a folder, asked are %q", got)
	}
}
