package runtimes

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/engine/environ"
)

// Tidy removes versions of runtimes that were replaced by newer ones, except those that servers use. It does nothing
// while another program of ours installs or removes a runtime.
func (r *Runtimes) Tidy(ctx context.Context) {
	if _, err := os.Stat(r.options.Folder); err != nil {
		return // nothing was ever installed
	}
	_ = r.locked(ctx, func() error {
		for _, offer := range r.options.Offers {
			r.tidy(offer)
		}
		return nil
	})
}

// tidy removes replaced versions of one runtime. A version in use stays until the next time. The caller must
// hold the lock.
func (r *Runtimes) tidy(offer Offer) {
	versions := filepath.Join(r.options.Folder, offer.ID)
	_, keep := environ.RuntimeFolder(r.options.Folder, offer.ID)
	// a newer Workbench may have installed a newer version
	if _, err := os.Stat(filepath.Join(versions, offer.Version)); err == nil {
		keep = offer.Version
	}
	entries, err := os.ReadDir(versions)
	if err != nil || keep == "" {
		return
	}
	for _, entry := range entries {
		if folder := filepath.Join(versions, entry.Name()); entry.Name() != keep && !used(folder) {
			_ = r.discard(folder)
		}
	}
}

// used reports whether a process of the user has a folder in its path, arguments or environment. A server with it in
// its PATH may start a program from there at any time.
func used(folder string) bool {
	all, ok := processes()
	if !ok {
		return true
	}
	names := []string{folder}
	if real, err := filepath.EvalSymlinks(folder); err == nil && real != folder {
		names = append(names, real)
	}
	for _, text := range all {
		for _, name := range names {
			if mentions(text, name) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a text contains the path of a folder or of something in it. "node/1.2.30" does not contain
// "node/1.2.3".
func mentions(text []byte, folder string) bool {
	for {
		_, after, found := bytes.Cut(text, []byte(folder))
		if !found {
			return false
		}
		if len(after) == 0 || bytes.IndexByte([]byte("/:;\"\x00\n"), after[0]) >= 0 {
			return true
		}
		text = after
	}
}
