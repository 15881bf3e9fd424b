//go:build unix

package paste

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReadFileRefuses checks that a pipe, a device and a large file are refused. Nobody writes into the pipe,
// so opening it would never end.
func TestReadFileRefuses(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(filepath.Dir(pipe), "large.json")
	if err := os.WriteFile(large, make([]byte, MaxSize+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{pipe: "not a regular file", "/dev/zero": "not a regular file", large: "larger than the entry"} {
		read := make(chan error, 1)
		go func() {
			_, err := ReadFile(path)
			read <- err
		}()
		select {
		case err := <-read:
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", path, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s is read for ever", path)
		}
	}
}
