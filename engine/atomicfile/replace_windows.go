package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// writable checks that a file is not marked read-only. Permissions are checked when it is replaced.
func writable(_ string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o200 == 0 {
		return ErrReadOnly
	}
	return nil
}

// adopt does nothing: [exchange] keeps what belongs to the old file.
func adopt(*os.File, fs.FileInfo) error { return nil }

var replaceFile = windows.NewLazySystemDLL("kernel32.dll").NewProc("ReplaceFileW")

// exchange replaces an existing file by a new one, which gets the old one's access control list, attributes such
// as hidden, and streams. Where Windows cannot do that, as on some network drives, the file is only renamed.
func exchange(from, to string) error {
	source, err := windows.UTF16PtrFromString(long(from))
	if err != nil {
		return &os.LinkError{Op: "replace", Old: from, New: to, Err: err}
	}
	target, err := windows.UTF16PtrFromString(long(to))
	if err != nil {
		return &os.LinkError{Op: "replace", Old: from, New: to, Err: err}
	}
	// Whoever has the file open for a moment is waited for first.
	if err := Patiently(func() error { return replaceable(target) }); err != nil {
		return &os.LinkError{Op: "replace", Old: from, New: to, Err: err}
	}
	const ignoreMergeErrors = 2 // better the new text with fewer properties than the old one
	if ok, _, _ := replaceFile.Call(uintptr(unsafe.Pointer(target)), uintptr(unsafe.Pointer(source)), 0, ignoreMergeErrors, 0, 0); ok != 0 {
		return nil
	}
	return Rename(from, to)
}

// replaceable returns an error if a file cannot be replaced now.
func replaceable(path *uint16) error {
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	file, err := windows.CreateFile(path, windows.DELETE, share, nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return err
	}
	return windows.CloseHandle(file)
}

// long returns a path that may have more than 260 characters, which only os does for itself.
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
	return Patiently(func() error { return os.Rename(from, to) }) // MoveFileEx with MOVEFILE_REPLACE_EXISTING
}

// Patiently calls move and retries it for a while. Virus scanners, indexers and readers may have the file
// open for a moment, and Windows does not allow it to be moved then.
func Patiently(move func() error) error {
	const patience, pause = 5 * time.Second, 20 * time.Millisecond
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		err := move()
		held := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !held || time.Now().After(end) {
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
