//go:build !windows

package usage

import (
	"os"
	"syscall"
)

// unlock releases the lock on a file. Closing the file is not enough while it is mapped into memory.
func unlock(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
