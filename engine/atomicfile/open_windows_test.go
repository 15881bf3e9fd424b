package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// hold opens a file as another program would.
func hold(t *testing.T, path string, access, share uint32) (release func()) {
	t.Helper()
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	handle, err := windows.CreateFile(name, access, share, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = windows.CloseHandle(handle) }
}

const everything = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE

func TestOpenGetsInNobodysWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	// A program that renames a file has it open with the permission to delete it.
	release := hold(t, path, windows.DELETE, everything)
	file, err := Open(path)
	release()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := os.Rename(path, path+".old"); err != nil {
		t.Errorf("an editor cannot rename the file while it is being read: %v", err)
	}
	if source, err := io.ReadAll(file); err != nil || string(source) != "one" {
		t.Errorf("%q, %v", source, err)
	}
	if _, err := Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestOpenWaitsForWhoHasTheFileAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	release := hold(t, path, windows.GENERIC_WRITE, 0)
	if _, err := os.Open(path); !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		t.Fatalf("the file is not held: %v", err)
	}
	time.AfterFunc(50*time.Millisecond, release)
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
}
