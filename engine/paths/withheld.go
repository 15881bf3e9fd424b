package paths

import (
	"errors"
	"runtime"
	"syscall"
)

// Withheld reports whether macOS keeps a file from us because the person has not allowed it: Desktop, Documents,
// Downloads, iCloud, other disks, other programs' data. [Cause] then says what to do. What the rights of a file forbid
// is another error there.
func Withheld(err error) bool { return withheld(runtime.GOOS, err) }

func withheld(goos string, err error) bool { return goos == "darwin" && errors.Is(err, syscall.EPERM) }
