//go:build unix

package doctor

import "golang.org/x/sys/unix"

// freeSpace returns how many bytes the user can still write into a folder.
func freeSpace(folder string) (uint64, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(folder, &stat); err != nil {
		return 0, err
	}
	return uint64(stat.Bavail) * uint64(stat.Bsize), nil
}

// writable reports whether a file or folder can be written.
func writable(path string) bool { return unix.Access(path, unix.W_OK) == nil }
