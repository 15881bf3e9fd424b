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

// rename replaces a file. Virus scanners, indexers and readers may have it open for a moment, which
// Windows does not allow, so it is tried for a while.
func rename(from, to string) error {
	const patience, pause = 3 * time.Second, 20 * time.Millisecond
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		err := os.Rename(from, to) // MoveFileEx with MOVEFILE_REPLACE_EXISTING
		held := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !held || time.Now().After(end) {
			return err
		}
	}
}

// syncFolder does nothing: folders cannot be flushed.
func syncFolder(string) {}
