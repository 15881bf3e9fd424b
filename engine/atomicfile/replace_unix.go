//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// writable returns [ErrReadOnly] if the user may not write a file.
func writable(path string, _ fs.FileInfo) error {
	err := unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) {
		return ErrReadOnly
	}
	return nil // another error will occur when it is written
}

// adopt gives a new file the owner and the mode of the old one.
func adopt(_ string, file *os.File, old fs.FileInfo) error {
	mode := old.Mode().Perm()
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		if file.Chown(int(stat.Uid), int(stat.Gid)) != nil && file.Chown(-1, int(stat.Gid)) != nil {
			// It now belongs to another group, which must not get more permissions than all users have.
			mode = mode&^0o070 | mode&0o007<<3
		}
	}
	return file.Chmod(mode) // after Chown, which may change it
}

// Rename renames a file or a folder on the same disk. It replaces an existing file.
func Rename(from, to string) error { return os.Rename(from, to) }

// Patiently calls move. On Windows it retries for a while.
func Patiently(move func() error) error { return move() }

// IsFull reports whether an error means that there is no space left, on the disk or within the user's quota.
func IsFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG)
}

// syncFolder makes the rename durable. Some file systems do not support that, and the file has been replaced
// already, so errors are ignored.
func syncFolder(path string) {
	folder, err := os.Open(path)
	if err != nil {
		return
	}
	defer folder.Close()
	_ = folder.Sync()
}
