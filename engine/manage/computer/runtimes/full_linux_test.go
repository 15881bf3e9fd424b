package runtimes

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestDiskFull covers a disk that becomes full during the download, and one that becomes full while the
// archive is unpacked.
func TestDiskFull(t *testing.T) {
	for when, size := range map[string]string{"downloading": "size=1m", "unpacking": "size=3m"} {
		t.Run(when, func(t *testing.T) {
			r := offering(t, serve(t, tarball(t, usual(item{name: "node-v1/noise", content: noise(2_000_000)}))))
			if err := os.MkdirAll(r.options.Folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := unix.Mount("tmpfs", r.options.Folder, "tmpfs", 0, size); err != nil {
				t.Skipf("only with the right to mount: %v", err)
			}
			t.Cleanup(func() { _ = unix.Unmount(r.options.Folder, 0) })
			var last Step
			err := r.Get(t.Context(), "node", func(p Progress) { last = p.Step })
			if !words.Is(err, "runtimes.disk_full") || (last == Unpacking) != (when == "unpacking") {
				t.Errorf("at step %d: %v", last, err)
			}
			nothingThere(t, r)
		})
	}
}
