package runtimes

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/engine/environ"
)

// Tidy takes versions away that a newer one has replaced, but those that servers still run from. It does nothing while another program
// of ours gets or removes a runtime.
func (r *Runtimes) Tidy(ctx context.Context) {
	if _, err := os.Stat(r.options.Folder); err != nil {
		return // nothing was ever got
	}
	_ = r.locked(ctx, func() error {
		for _, offer := range r.options.Offers {
			r.tidy(offer)
		}
		return nil
	})
}

// tidy takes replaced versions of one runtime away. One that is in use stays until the next time.
// Whoever calls it has the lock.
func (r *Runtimes) tidy(offer Offer) {
	place := filepath.Join(r.options.Folder, offer.ID)
	_, keep := environ.RuntimeFolder(r.options.Folder, offer.ID)
	if _, err := os.Stat(filepath.Join(place, offer.Version)); err == nil { // also where a newer Workbench has got a newer one
		keep = offer.Version
	}
	entries, err := os.ReadDir(place)
	if err != nil || keep == "" {
		return
	}
	for _, entry := range entries {
		if folder := filepath.Join(place, entry.Name()); entry.Name() != keep && !used(folder) {
			_ = r.discard(folder)
		}
	}
}

// used reports whether a process of the user runs a program in a folder, or was told of the folder: a server whose PATH has it may start a program
// of it at any time.
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

// mentions reports whether a folder, or something in it, is in a text. "node/1.2.30" is not in "node/1.2.3".
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
