package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// writable reports whether a file is not marked read-only. The rights themselves show when it is
// replaced.
func writable(_ string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o200 == 0 {
		return ErrReadOnly
	}
	return nil
}

// adopt does nothing: the new file has its rights from its folder, like the old one.
func adopt(*os.File, fs.FileInfo) error { return nil }

// Rename moves a file or a folder on the same disk, and replaces a file.
func Rename(from, to string) error {
	return Patiently(func() error { return os.Rename(from, to) }) // MoveFileEx with MOVEFILE_REPLACE_EXISTING
}

// Patiently moves a file or a folder. Virus scanners, indexers and readers may have it open for a moment, which Windows does not allow, so it is
// tried for a while.
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

// IsFull reports whether an error says that there is no room left, on the disk or within a limit of the user.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED) || errors.Is(err, windows.ERROR_FILE_TOO_LARGE)
}

// syncFolder does nothing: folders cannot be flushed.
func syncFolder(string) {}
