//go:build unix && !darwin

package frame

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLaunch checks that a program that opens nothing is an error, and that one that goes on is none.
func TestLaunch(t *testing.T) {
	program := func(script string) string {
		path := filepath.Join(t.TempDir(), "open")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := launch(program("exit 3"), "https://example.com", time.Minute); err == nil {
		t.Error("there was no browser, and nobody learned it")
	}
	if err := launch(program(`test "$1" = https://example.com`), "https://example.com", time.Minute); err != nil {
		t.Error(err)
	}
	if err := launch(program("exec sleep 2"), "x", time.Millisecond); err != nil {
		t.Error(err)
	}
	if err := launch(filepath.Join(t.TempDir(), "none"), "x", time.Minute); err == nil {
		t.Error("a program that is not there is no error")
	}
}
