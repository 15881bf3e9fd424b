package extension

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

func rename(from, to string) error {
	return patiently(func() error { return os.Rename(from, to) })
}

// patiently moves a file or a folder. Virus scanners look at new programs for a moment, during which Windows does not allow it, so it is
// tried for a while.
func patiently(move func() error) error {
	const patience, pause = 5 * time.Second, 50 * time.Millisecond
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		err := move()
		held := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !held || time.Now().After(end) {
			return err
		}
	}
}
