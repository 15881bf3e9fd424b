package runtimes

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFormerFolder: what an earlier version has put elsewhere counts as installed, and is removed, too.
func TestFormerFolder(t *testing.T) {
	former := t.TempDir()
	if err := os.MkdirAll(filepath.Join(former, "node", "1.2.3", "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := New(Options{Folder: t.TempDir(), Former: former,
		Offers: []Offer{{ID: "node", Name: "Node.js", Version: "2.0.0"}}})
	if state, _ := r.Find("node"); state.Installed != "1.2.3" || !state.Outdated() {
		t.Errorf("it is %+v", state)
	}
	if err := r.Remove(t.Context(), "node"); err != nil {
		t.Fatal(err)
	}
	if state, _ := r.Find("node"); state.Installed != "" {
		t.Errorf("after removing it is %+v", state)
	}
}
