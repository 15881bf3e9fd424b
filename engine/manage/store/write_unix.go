//go:build unix

package store

import (
	"errors"

	"golang.org/x/sys/unix"
)

func isFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG)
}

func isReadOnlyDisk(err error) bool { return errors.Is(err, unix.EROFS) }
