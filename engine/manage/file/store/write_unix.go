//go:build unix

package store

import (
	"errors"

	"golang.org/x/sys/unix"
)

func isReadOnlyDisk(err error) bool { return errors.Is(err, unix.EROFS) }
