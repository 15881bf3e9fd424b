//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// writable reports whether the user may write a file.
func writable(path string, _ fs.FileInfo) error {
	err := unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) {
		return ErrReadOnly
	}
	return nil // another reason will show when it is written
}

// adopt gives a new file the owner and the mode of the old one.
func adopt(file *os.File, old fs.FileInfo) error {
	mode := old.Mode().Perm()
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		if file.Chown(int(stat.Uid), int(stat.Gid)) != nil && file.Chown(-1, int(stat.Gid)) != nil {
			// It belongs to another group now, which shall not get more rights than anybody has.
			mode = mode&^0o070 | mode&0o007<<3
		}
	}
	return file.Chmod(mode) // after Chown, which may change it
}

// Rename moves a file or a folder on the same disk, and replaces a file.
func Rename(from, to string) error { return os.Rename(from, to) }

// Patiently moves a file or a folder. On Windows it is tried for a while.
func Patiently(move func() error) error { return move() }

// IsFull reports whether an error says that there is no room left, on the disk or within a limit of the user.
func IsFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG)
}

// syncFolder makes the renaming itself last. Some file systems cannot do it, and the file has been
// replaced by then, so there is nothing to report.
func syncFolder(path string) {
	folder, err := os.Open(path)
	if err != nil {
		return
	}
	defer folder.Close()
	_ = folder.Sync()
}
