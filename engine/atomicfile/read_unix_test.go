//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestReadRefuses checks that a pipe, a device, a folder and a large file are refused. Nobody writes into the
// pipe, so opening it would never end.
func TestReadRefuses(t *testing.T) {
	folder := t.TempDir()
	pipe, large := filepath.Join(folder, "pipe.json"), filepath.Join(folder, "large.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	const most = 1000
	if err := os.WriteFile(large, make([]byte, most+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{pipe: ErrNotAFile, "/dev/zero": ErrNotAFile, folder: ErrIsFolder,
		large: ErrTooLarge} {
		read := make(chan error, 1)
		go func() {
			_, err := Read(path, most)
			read <- err
		}()
		select {
		case err := <-read:
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want: %v", path, err, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s is read for ever", path)
		}
	}
}
