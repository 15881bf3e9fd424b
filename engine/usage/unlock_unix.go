//go:build !windows

package usage

import (
	"os"
	"syscall"
)

// unlock gives back the lock on a file. To close the file is not enough while it is mapped into memory.
func unlock(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
