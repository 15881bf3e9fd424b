package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// writable checks that a file is not marked read-only. Permissions are checked when it is replaced.
func writable(_ string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o200 == 0 {
		return ErrReadOnly
	}
	return nil
}

// long returns a path in the form in which Windows accepts more than 260 characters. Package os does this itself.
func long(path string) string {
	const most = 240
	whole, err := filepath.Abs(path)
	switch {
	case err != nil || len(whole) < most || strings.HasPrefix(whole, `\\?\`):
		return path
	case strings.HasPrefix(whole, `\\`):
		return `\\?\UNC` + whole[1:]
	}
	return `\\?\` + whole
}

// Rename renames a file or a folder on the same disk. It replaces an existing file.
func Rename(from, to string) error {
	err := Patiently(func() error { return os.Rename(from, to) }) // MoveFileEx with MOVEFILE_REPLACE_EXISTING
	if err != nil && inUse(to) {
		return words.NewError(ErrInUse).Because(err)
	}
	return err
}

// inUse reports whether another program has a file open. Replacing such a file fails with "access denied".
func inUse(path string) bool {
	name, err := windows.UTF16PtrFromString(long(path))
	if err != nil {
		return false
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING,
		windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err == nil {
		_ = windows.CloseHandle(handle)
	}
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}

// Patiently calls move, and retries it for five seconds while another program has the file open, such as a virus
// scanner or an indexer.
func Patiently(move func() error) error {
	const patience, pause = 5 * time.Second, 20 * time.Millisecond
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		err := move()
		inUse := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
			errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !inUse || time.Now().After(end) {
			return err
		}
	}
}

// IsFull reports whether an error means that there is no space left, on the disk or within the user's quota.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED) || errors.Is(err, windows.ERROR_FILE_TOO_LARGE)
}

// syncFolder does nothing: folders cannot be flushed.
func syncFolder(string) {}
